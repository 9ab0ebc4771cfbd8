import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { remove } from "../../../../pulumi-provider/core/operations/delete.ts";
import { PartialFailure } from "../../../../pulumi-provider/core/operations/outputs.ts";
import { create, update } from "../../../../pulumi-provider/core/operations/update.ts";
import { read } from "../../../../pulumi-provider/core/operations/read.ts";
import type { DeployEvent } from "../../../../src/deployment/events.ts";
import { PROJECT, writeNodes } from "../../../source/temporary-tree.ts";
import { DIRECTORY, IMAGE } from "../../context.ts";
import { withRig, rig } from "../../rig.ts";
import { internalsOf, withInternals, STATE_VERSION } from "../../../../pulumi-provider/core/state/internals.ts";

/** What a step failed with that left something to keep. */
async function partial(promise: Promise<unknown>): Promise<PartialFailure> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PartialFailure) return error;
  throw new Error("there was no partial failure", { cause: error });
}

describe.each([
  ["an image", IMAGE, { ...IMAGE, imageUri: "registry/agent:2" }],
  ["a folder", DIRECTORY, { ...DIRECTORY, graphConfigPath: "./graph.json", triggers: [1] }],
])("a deployment from %s", (_, first, second) => {
  test("is created, updated with one revision, and deleted", { tags: "slow" }, async () => {
    const { service, operation, ...steps } = await rig();
    const created = await steps.create(first);
    expect(created.properties).toMatchObject({
      status: "DEPLOYED",
      url: expect.any(String),
      __internals: { stateVersion: STATE_VERSION, drift: [] },
    });
    expect(internalsOf(created.properties)).not.toHaveProperty("pending");
    expect(await steps.diff(created, first)).toMatchObject({ changes: false });

    const before = service.revisions(created.id).length;
    const updated = await steps.update(created, second);
    expect(service.revisions(created.id)).toHaveLength(before + 1);
    expect(updated.properties["managedRevisionId"]).toBe(service.revisions(created.id)[0]?.id);
    expect(await steps.diff(updated, second)).toMatchObject({ changes: false });

    await remove(updated.id, updated.properties, operation);
    expect(service.deployments()).toEqual([]);
    expect(await read(updated.id, updated.properties, operation)).toBeUndefined();
    await remove(updated.id, updated.properties, operation);
  });
});

test("a folder beside the project, in no repository, is uploaded as the check has hashed it", async () => {
  const { programDirectory, ...steps } = await rig();
  const config = { graphs: { agent: "./agent.py:graph" }, dependencies: [".", "../library"] };
  writeNodes(programDirectory, {
    "agent/graph.json": JSON.stringify(config),
    "agent/agent.py": PROJECT["agent.py"],
    "library/lib.py": "",
  });
  const { properties } = await steps.create({ ...DIRECTORY, directory: { path: "agent" } });
  expect(properties).toMatchObject({ status: "DEPLOYED", sourceSummary: expect.stringMatching(/^3 files/) });
});

test("a second deployment of the name is seen also where the build outlasts the timeout", async () => {
  const { service, operation, checked } = await rig();
  const { deps } = operation;
  const emit = (event: DeployEvent) => {
    deps.emit(event);
    if (event.type !== "revision-live") return;
    service.faults.add({
      match: { method: "GET", path: /\/v2\/deployments$/ },
      do: { kind: "edit", edit: () => ({ resources: [event.deployment, { ...event.deployment, id: randomUUID() }] }) },
    });
    deps.clock.pass(36_000_000);
  };
  const failed = await partial(create(await checked(IMAGE), { ...operation, deps: { ...deps, emit } }));
  expect(failed.message).toMatch(/2 deployments are named/);
  expect(failed.id).toBe(service.deployments()[0]?.id);
});

withRig("a wait that ends early is taken up without another revision", async ({ service, ...steps }) => {
  const created = await steps.create({ ...IMAGE, wait: false });
  const waiting = { ...created, properties: { ...withInternals(created.properties, { pending: "wait" }), wait: true } };
  const updated = await steps.update(waiting, IMAGE);
  expect(service.revisions(created.id)).toHaveLength(1);
  expect(updated.properties).toMatchObject({ status: "DEPLOYED" });
  expect(internalsOf(updated.properties)).not.toHaveProperty("pending");
});

withRig("a revision that failed while nobody waited is made anew by the next update", async ({ service, ...steps }) => {
  service.faults.nextRevision({ end: "DEPLOY_FAILED" });
  const { id, properties } = await partial(steps.create(IMAGE));
  const updated = await steps.update({ id, properties: withInternals(properties, { pending: "wait" }) }, IMAGE);
  expect(service.revisions(id)).toHaveLength(2);
  expect(updated.properties).toMatchObject({ status: "DEPLOYED" });
});

test("a create that is interrupted keeps what it made, and the next update continues with it", async () => {
  const { service, operation, checked, ...steps } = await rig({ walkMilliseconds: 20 });
  const news = await checked(IMAGE);
  for (const type of ["deployment-created", "revision-started", "revision-status"]) {
    const cancel = new AbortController();
    const emit = (event: { readonly type: string }) => {
      if (event.type === type) cancel.abort(new Error("interrupted"));
    };
    const name = `after-${type}`;
    const deps = { ...operation.deps, signal: cancel.signal, emit };
    const failed = await partial(create({ ...news, name }, { ...operation, deps }));
    const updated = await steps.update(failed, { ...IMAGE, name });
    expect(updated.properties).toMatchObject({ status: "DEPLOYED" });
    expect(service.deployments().filter((deployment) => deployment.name === name)).toHaveLength(1);
  }
});

test("a create whose revision could not be read is taken up with the same revision", async () => {
  const { service, ...steps } = await rig();
  service.faults.add({
    match: { method: "GET", path: /\/revisions\// },
    times: 100,
    do: { kind: "answer", status: 403 },
  });
  const failed = await partial(steps.create(IMAGE));
  expect(failed.properties).toMatchObject({
    __internals: { pending: "wait" },
    managedRevisionId: service.revisions(failed.id)[0]?.id,
  });
  service.faults.clear();
  const updated = await steps.update(failed, IMAGE);
  expect(updated.properties).toMatchObject({ status: "DEPLOYED" });
  expect(service.revisions(failed.id)).toHaveLength(1);
});

withRig("a secret whose change was ignored is sent once it counts again", async (steps) => {
  const created = await steps.create({ ...IMAGE, secrets: { TOKEN: "one-1" }, ignoreSecretChanges: ["TOKEN"] });
  const secrets = { TOKEN: "two-2" };
  const noted = await steps.update(created, { ...IMAGE, secrets, ignoreSecretChanges: ["TOKEN"], timeoutSeconds: 60 });
  expect(await steps.diff(noted, { ...IMAGE, secrets })).toMatchObject({ work: "revision" });
});

test("files whose changes are ignored make no revision, after an update for another reason either", async () => {
  const { programDirectory, operation, checked, ...steps } = await rig();
  const { id, properties } = await steps.create(DIRECTORY);
  writeFileSync(join(programDirectory, "agent.py"), "graph = 2\n");
  const ignoring = { ...DIRECTORY, triggers: [1], sourceHash: properties["sourceHash"] };
  const news = await checked(ignoring, properties);
  const updated = await update(id, properties, news, operation);
  expect(await steps.diff(updated, ignoring)).toMatchObject({ changes: false });
});

withRig("a delete that is interrupted says that the service continues", async ({ service, operation, ...steps }) => {
  const { id, properties } = await steps.create(IMAGE);
  service.faults.conditions.deleteMilliseconds = 600_000;
  const cancel = new AbortController();
  // Between the first look and the second one.
  const random = () => {
    cancel.abort(new Error("interrupted"));
    return 0;
  };
  const deps = { ...operation.deps, random, signal: cancel.signal };
  const said = expect.objectContaining({
    message: expect.stringContaining(`the service is still deleting deployment ${id}`),
  });
  await expect(remove(id, properties, { ...operation, deps })).rejects.toThrow(said);
});
