import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { findDeploymentInfo } from "../../pulumi-provider/get-deployment.ts";
import { FUNCTIONS } from "../../pulumi-provider/plugin/functions.ts";
import { ReadinessProvider } from "../../pulumi-provider/readiness-provider.ts";
import type { FaultHandle, FaultMatch } from "../../src/local/faults/faults.ts";
import type { LocalService } from "../../src/local/index.ts";
import { PROJECT, temporaryTree } from "../source/temporary-tree.ts";
import { IMAGE } from "./context.ts";
import { ProviderRun, service, stackOf, type Kept } from "./provider-run.ts";

const API_KEY = "key-of-the-silence-0123456789";
const MINUTE = 60_000;

interface Scene {
  readonly run: ProviderRun;
  readonly kept: Kept;
  readonly stack: LocalService;
  readonly stalled: FaultHandle;
}

/** How long work takes on the clock of the run, while a service does not answer; it hangs unless it ends. */
async function millisecondsOf({ run: { clock }, stalled }: Scene, work: Promise<unknown>): Promise<number> {
  // Work on this machine takes no time of this clock.
  await expect.poll(() => stalled.hits).toBeGreaterThan(0);
  const start = clock.now();
  const ends = work.then(
    () => clock.now(),
    () => clock.now(),
  );
  while (clock.now() - start < 10 * MINUTE) {
    const ended = await Promise.race([ends, pause(1)]);
    if (ended !== undefined) return ended - start;
    clock.pass(500);
  }
  return (await ends) - start;
}

/** A service that takes every connection, and does not answer such requests any more. */
async function silent(match: FaultMatch): Promise<Scene> {
  const stack = await service(API_KEY);
  const setting = stackOf(stack.url, API_KEY);
  const kept = await new ProviderRun(setting).create(IMAGE);
  const stalled = stack.faults.add({ match, times: Number.POSITIVE_INFINITY, do: { kind: "stall" } });
  return { run: new ProviderRun(setting), kept, stack, stalled };
}

const other = { ...IMAGE, name: "other" };
const uploaded = () => ({ name: "other", source: "internal_source", directory: { path: temporaryTree(PROJECT) } });

test.each<[string, FaultMatch, (scene: Scene) => Promise<unknown>]>([
  ["a create", {}, ({ run }) => run.create(other)],
  ["a create that may adopt, with the look of its check", {}, ({ run }) => run.create({ ...other, adopt: "ifExists" })],
  ["an upload", { method: "PUT" }, ({ run }) => run.create(uploaded())],
  ["an update", {}, ({ run, kept }) => run.update(kept, { ...IMAGE, triggers: [1] })],
  ["a refresh", {}, ({ run, kept }) => run.read(kept)],
  ["a delete", {}, ({ run, kept }) => run.delete(kept)],
  ["a delete whose request gets no answer", { method: "DELETE" }, ({ run, kept }) => run.delete(kept)],
  [
    "a check of the agent",
    {},
    ({ run: { host }, kept: { id, outputs } }) =>
      new ReadinessProvider(host).create({
        ...{ name: "a", deploymentId: id, revisionId: outputs["latestRevisionId"], timeoutSeconds: 1_800 },
        controlPlaneUrl: outputs["controlPlaneUrl"],
      }),
  ],
  ["the function of a program", {}, ({ run: { clock, host } }) => findDeploymentInfo({ name: "a" }, host, clock)],
  [
    "a function of the plugin",
    {},
    ({ run: { host } }) =>
      host.answer({}, () =>
        FUNCTIONS["graph-deploy:index:getDeployment"].call({ name: "a" }, host.depsOf({}, {}).controlPlane),
      ),
  ],
])("%s that is not answered fails within a minute", { tags: "slow" }, async (_, match, operation) => {
  const scene = await silent(match);
  const work = operation(scene);
  expect(await millisecondsOf(scene, work)).toBeLessThanOrEqual(MINUTE);
  await expect(work).rejects.toThrow(/did not respond within|may or may not/);
});

test.each<[string, FaultMatch, (scene: Scene) => Promise<unknown>]>([
  ["a create", { method: "POST" }, ({ run }) => run.create(other)],
  ["an update", { method: "PATCH" }, ({ run, kept }) => run.update(kept, { ...IMAGE, triggers: [1] })],
])(
  "%s that is not answered by a service that answers reads ends in its own time",
  { tags: "slow" },
  async (_, match, operation) => {
    const scene = await silent(match);
    const work = operation(scene);
    expect(await millisecondsOf(scene, work)).toBeLessThan(2.5 * MINUTE);
    await expect(work).rejects.toThrow(/may or may not/);
  },
);

test("a service that is silent for a moment only is asked again", async () => {
  const scene = await silent({ method: "DELETE" });
  const { run, stack, kept } = scene;
  const stalled = stack.faults.add({ match: { method: "GET" }, do: { kind: "stall" } });
  const work = run.read(kept);
  expect(await millisecondsOf({ ...scene, stalled }, work)).toBeLessThan(MINUTE);
  expect(await work).toMatchObject({ id: kept.id });
});
