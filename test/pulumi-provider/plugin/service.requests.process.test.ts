import { describe, expect, test } from "vitest";
import { INPUT_NAMES, OPTION_NAMES } from "../../../pulumi-provider/core/inputs/fields.ts";
import { HostError } from "../../engine/host-error.ts";
import { UNKNOWN, type Properties } from "../../engine/property-values.ts";
import { API_KEY, DIRECTORY, IMAGE, rig, secret, sharedPlugin, subject } from "./rig.ts";

const shared = sharedPlugin();
const OF = subject("billing");
const ID = "0b9c7c8e-8a64-4c1d-9a53-6f1f0c1a2b3c";
const TOKEN = "sk-plain-token-0123456789";

async function failureOf(call: Promise<unknown>): Promise<HostError> {
  const failure = await call.catch((error: unknown) => error);
  if (failure instanceof HostError) return failure;
  throw new Error("the call did not fail", { cause: failure });
}

test("requests that make no sense are answered with a sentence each, and reach no service", async () => {
  const { plugin, service } = await rig(shared());
  const other = { ...OF, type: "graph-deploy:index:Agent" };
  const later = { ...IMAGE, name: "billing", stateVersion: 99 };
  const failures = await Promise.all(
    [
      plugin.of(other).check({}, {}),
      plugin.of(other).diff(ID, {}, {}),
      plugin.of({ urn: "", name: "", type: "" }).check({}, {}),
      plugin.of(OF).create({}),
      plugin.of(OF).create({ ...IMAGE, name: 7 }),
      plugin.of(OF).update(ID, {}, {}),
      plugin.of(OF).update(ID, later, { ...IMAGE, name: "billing" }),
      plugin.of(OF).diff(ID, later, IMAGE),
      plugin.of(OF).read(ID, { stateVersion: 1 }),
      plugin.of(OF).delete(ID, {}),
      plugin.invoke("", {}),
      plugin.invoke("graph-deploy:index:toString", {}),
    ].map(failureOf),
  );
  for (const { message, partial } of failures) {
    expect(message).toMatch(/^[^\n]{20,400}\.$/);
    expect(message).not.toMatch(/\bat [\w./]+:\d+|undefined|\[object/);
    expect(partial).toBeUndefined();
  }
  expect(service.requests).toEqual([]);
});

test("an id that is not there is no import, and its sentence says what was looked for", async () => {
  const { plugin } = await rig(shared());
  const { message } = await failureOf(plugin.of(OF).read("nobody"));
  expect(message).toMatch(/^No deployment has the id or the name nobody\./);
});

describe("in a preview", () => {
  const programs: Readonly<Record<string, Properties>> = {
    directory: DIRECTORY,
    graphConfigPath: DIRECTORY,
    repoRef: { source: "github", repoRef: "main" },
  };
  const inputs = INPUT_NAMES.filter((name) => !OPTION_NAMES.has(name));

  test("every input may be unknown, when a resource is made and when it is changed", async () => {
    const { plugin, checked, writes } = await rig(shared());
    const olds = await checked("billing", IMAGE);
    for (const name of inputs) {
      const inputs = await checked("billing", { ...(programs[name] ?? IMAGE), [name]: UNKNOWN });
      const unknown = name === "secrets" ? secret(UNKNOWN) : UNKNOWN;
      expect(inputs[name], name).toEqual(unknown);
      const made = await plugin.of(OF).create(inputs, { preview: true });
      expect(made.outputs, name).toMatchObject({ [name]: unknown, url: UNKNOWN });
      const state = { ...olds, stateVersion: 1, url: "https://agent.example", drift: [] };
      const diff = await plugin.of(OF).diff(ID, state, inputs);
      expect(diff, name).toMatchObject({ changes: "some" });
      expect(Object.keys(diff.detail), name).toContain(name === "directory" ? "sourceHash" : name);
      const { outputs: changed } = await plugin.of(OF).update(ID, state, inputs, { preview: true });
      expect(changed, name).toMatchObject({ [name]: unknown, url: "https://agent.example" });
    }
    expect(writes()).toEqual([]);
  });

  test("parts of an input may be unknown", async () => {
    const { checked } = await rig(shared());
    const inputs = { secrets: { A: UNKNOWN, B: secret(TOKEN) }, sourceConfig: { spec: { cpu: UNKNOWN } } };
    expect(await checked("billing", { ...IMAGE, ...inputs, triggers: [UNKNOWN] })).toMatchObject({
      secrets: secret({ A: UNKNOWN, B: TOKEN }),
      sourceConfig: { spec: { cpu: UNKNOWN } },
    });
  });
});

test("secrets keep their marks on every way, and are in no line and in no error", async () => {
  const { plugin, lines, checked, service } = await rig(shared());
  const program = { ...IMAGE, secrets: { TOKEN: secret(TOKEN) }, sourceConfig: { token: secret(TOKEN), size: 1 } };
  const wanted = { secrets: secret({ TOKEN }), sourceConfig: { token: secret(TOKEN), size: 1 } };
  const inputs = await checked("billing", program);
  expect(inputs).toMatchObject(wanted);
  expect((await plugin.of(OF).create(inputs, { preview: true })).outputs).toMatchObject(wanted);

  const repeats = { kind: "answer", status: 422, body: { detail: `no ${TOKEN} here` } } as const;
  service.faults.add({ match: { method: "POST" }, do: repeats });
  const refused = await failureOf(plugin.of(OF).create(inputs));
  expect(refused.message).toContain("422");

  service.faults.nextRevision({ end: "BUILD_FAILED" });
  const failed = await failureOf(plugin.of(OF).create(inputs));
  const { id = "", properties = {} } = failed.partial ?? {};
  expect(properties).toMatchObject({ ...wanted, __internals: { pending: "revision" } });
  expect(failed.partial?.reasons).toEqual([failed.message]);

  const { outputs: updated } = await plugin.of(OF).update(id, properties, inputs);
  expect(updated).toMatchObject({ ...wanted, status: "DEPLOYED" });
  const seen = await plugin.of(OF).read(id, updated, inputs);
  expect(seen).toMatchObject({ outputs: wanted, inputs: wanted });
  const next = await checked("billing", { ...program, secrets: { TOKEN: secret("sk-plain-other-token") } }, inputs);
  expect((await plugin.of(OF).diff(id, updated, next)).detail).toEqual({ "secrets.TOKEN": "update" });
  const texts = [refused.message, failed.message, ...lines.map(({ message }) => message)].join("\n");
  expect(texts).not.toMatch(/sk-plain/);
  expect(texts).not.toContain(API_KEY);
});

test("an update that the engine gives a time fails after it, and keeps what it made", async () => {
  const { plugin, checked } = await rig(shared(), { walkMilliseconds: 600_000 });
  const inputs = await checked("billing", { ...IMAGE, timeoutSeconds: 3_600 });
  const failed = await failureOf(plugin.of(OF).create(inputs, { timeoutSeconds: 0.5 }));
  expect(failed.partial?.properties).toMatchObject({ __internals: { pending: "wait" }, timeoutSeconds: 3_600 });
  expect(failed.partial?.properties).not.toHaveProperty("customTimeouts");
});

test("a difference names what it would replace, also a part of an input", async () => {
  const { plugin, checked, created } = await rig(shared());
  const program = { ...IMAGE, secrets: { A: secret("1"), B: secret("2") }, sourceConfig: { spec: { cpu: 1 } } };
  const { id, outputs, inputs } = await created("billing", program);
  const next = await checked("billing", { ...program, source: "github", repoRef: "main", imageUri: null }, inputs);
  expect(await plugin.of(OF).diff(id, outputs, next)).toMatchObject({
    replaces: ["source"],
    deleteBeforeReplace: true,
    detail: { source: "update-replace", repoRef: "add", imageUri: "delete", graphConfigPath: "add" },
  });
  const parts = await checked("billing", { ...program, sourceConfig: { spec: { cpu: 2 }, size: 1 } }, inputs);
  expect((await plugin.of(OF).diff(id, outputs, parts)).detail).toEqual({
    "sourceConfig.spec.cpu": "update",
    "sourceConfig.size": "add",
  });
});
