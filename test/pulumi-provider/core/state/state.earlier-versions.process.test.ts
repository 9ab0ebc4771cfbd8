import { expect, test } from "vitest";
import { HIDDEN, internalsOf } from "../../../../pulumi-provider/core/state/internals.ts";
import type { Properties } from "../../../../pulumi-provider/core/state/state.ts";
import { PROJECT, temporaryTree, writeNodes } from "../../../source/temporary-tree.ts";
import dynamic from "../../earlier-states/dynamic.json" with { type: "json" };
import plugin from "../../earlier-states/plugin.json" with { type: "json" };
import { IMAGE } from "../../context.ts";
import { sharedPlugin, subject } from "../../plugin/rig.ts";
import { ProviderRun, service as serviceWith, stackOf } from "../../provider-run.ts";

/** A resource as version 1 of the state has it: it was written by the commit before version 2. */
interface Earlier {
  readonly program: Properties;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

const NAMES = ["image", "folder", "adopted"] as const;
const CONFIG = { "graph-deploy:controlPlaneUrl": dynamic.url };
const FILES = { ...PROJECT, "added.py": "x = 1\n" };
const shared = sharedPlugin();

const earlier = (states: Readonly<Record<string, unknown>>, name: string) => {
  return states[name] as Earlier;
};

test.each(NAMES)(
  "a dynamic resource with state of the version before is previewed without a change: %s",
  async (name) => {
    const { program, id, inputs, outputs } = earlier(dynamic.states, name);
    expect(outputs).toMatchObject({ stateVersion: 1, holder: expect.any(String), drift: [] });
    const run = new ProviderRun({ config: CONFIG, env: { V: "value" } });
    const folder = name === "folder" ? { directory: { path: temporaryTree(FILES) } } : {};
    const news = await run.checked({ ...program, ...folder }, inputs);
    expect(await run.compare({ id, outputs }, news)).toMatchObject({ changes: false, replaces: [] });
    expect(run.messages).toBe("");
  },
);

test.each(NAMES)("a resource of the plugin with such a state is, too: %s", async (name) => {
  const { program, id, inputs, outputs } = earlier(plugin.states, name);
  expect(outputs).toMatchObject({ stateVersion: 1, holder: expect.any(String), drift: [] });
  const { plugin: provider, lines, directory } = await shared();
  await provider.configure({ controlPlaneUrl: plugin.url });
  writeNodes(directory, FILES);
  const { inputs: news, failures } = await provider.of(subject(name)).check(inputs, program);
  expect(failures).toEqual([]);
  expect(await provider.of(subject(name)).diff(id, outputs, news)).toMatchObject({ changes: "none", detail: {} });
  expect(lines).toEqual([]);
});

test("what an earlier refresh has found is still to be done", async () => {
  const { program, id, inputs, outputs } = earlier(dynamic.states, "drifted");
  const run = new ProviderRun({ config: CONFIG });
  const news = await run.checked(program, inputs);
  expect(await run.compare({ id, outputs }, news)).toMatchObject({ changes: true });
  expect(run.messages).toContain("the secret TOKEN is missing; the secret OTHER was set outside this program");
});

test("the next update and the next refresh gather what stood among the properties", async () => {
  const service = await serviceWith("key-of-the-test");
  const run = () => new ProviderRun(stackOf(service.url, "key-of-the-test"));
  const made = await run().create(IMAGE);
  const { [HIDDEN]: _, ...shown } = made.outputs;
  const old = { id: made.id, outputs: { ...shown, ...internalsOf(made.outputs), stateVersion: 1 } };
  const { props } = await run().read(old);
  const updated = await run().update(old, { ...IMAGE, timeoutSeconds: 60 });
  for (const outputs of [props, updated.outputs]) {
    expect(outputs).not.toHaveProperty("holder");
    expect(internalsOf(outputs ?? {})).toMatchObject({ stateVersion: 2, holder: internalsOf(made.outputs).holder });
  }
});
