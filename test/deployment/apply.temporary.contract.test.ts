import { expect, test } from "vitest";
import type { DeployRequest } from "../../src/index.ts";
import type { LocalService } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { deleteDuringPause, rig } from "./rig.ts";

const WEEK = 604_800_000;
const TEMPORARY = { isTemporary: true, timeoutMilliseconds: WEEK } as const;

/** A service with a deployment of the name, and a clock that does not wait. */
async function scene() {
  const clock = new FastClock();
  const found = await rig({}, undefined, clock);
  const { deploymentId } = await found.deploy();
  const { service, connection } = found;
  const { controlPlane } = connection;
  return {
    ...found,
    deploymentId,
    controlPlane,
    /** Begins a delete that ends while the deploy waits for it. */
    beginDelete: async () => {
      deleteDuringPause({ service, clock, controlPlane, deploymentId });
      await controlPlane.delete(deploymentId);
    },
    creates: createsAt(found.service),
    again: (change: Partial<DeployRequest> = {}) => found.deploy({ ...TEMPORARY, ...change }),
  };
}

test("a temporary deployment is made as one of the type dev, and its type is not sent again", async () => {
  const { deploy, service, creates } = await rigOf();
  await deploy({ ...TEMPORARY, sourceConfig: { build_command: "make" } });
  await deploy({ ...TEMPORARY, sourceConfig: { build_command: "make all" } });
  expect(creates()).toEqual([[201, { deployment_type: "dev", build_command: "make" }]]);
  const patches = service.requests.filter(({ method }) => method === "PATCH");
  expect(patches.map(({ json }) => (json as { source_config?: unknown }).source_config)).toEqual([
    undefined,
    { build_command: "make all" },
  ]);
});

test("a type that the user sets wins, and an image has none", async () => {
  const { deploy, creates } = await rigOf();
  await deploy({ ...TEMPORARY, sourceConfig: { deployment_type: "prod" } });
  const image = { source: "external_docker", imageUri: "registry/agent:1" } as const;
  await deploy({ ...TEMPORARY, target: { name: "an-image" }, source: image });
  expect(creates()).toEqual([
    [201, { deployment_type: "prod" }],
    [201, {}],
  ]);
});

test.each([400, 422])("a service that answers %i to the type gets a create without it", async (status) => {
  const { deploy, service, creates } = await rigOf();
  service.faults.add({
    match: { method: "POST", path: "/v2/deployments" },
    do: { kind: "answer", status, body: { detail: "source_config.deployment_type: Extra inputs are not permitted" } },
  });
  expect(await deploy(TEMPORARY)).toMatchObject({ outcome: "deployed", created: true });
  expect(creates()).toEqual([
    [status, undefined],
    [201, {}],
  ]);
});

test("another complaint about a create is not taken for one about the type", async () => {
  const { deploy, service, creates } = await rigOf();
  service.faults.add({
    match: { method: "POST", path: "/v2/deployments" },
    do: { kind: "answer", status: 422, body: { detail: "name is too long" } },
  });
  await expect(deploy(TEMPORARY)).rejects.toMatchObject({ code: "APPLY" });
  expect(creates()).toHaveLength(1);
});

test("a deployment that is being deleted is waited for, and made anew", async () => {
  const { beginDelete, again, deploymentId, of } = await scene();
  await beginDelete();
  const result = await again();
  expect(result).toMatchObject({ outcome: "deployed", created: true });
  expect(result.deploymentId).not.toBe(deploymentId);
  expect(of("delete-waiting")[0]).toEqual({ type: "delete-waiting", name: "support-agent", elapsedMilliseconds: 0 });
});

test("one that the list no longer shows, but whose name is still taken, is waited for", { tags: "slow" }, async () => {
  const { service, beginDelete, again, of, creates } = await scene();
  await beginDelete();
  service.faults.conditions.listLagMilliseconds = WEEK;
  const result = await again();
  expect(result).toMatchObject({ outcome: "deployed", created: true });
  expect(of("delete-waiting")).not.toEqual([]);
  expect(creates().at(-1)?.[0]).toBe(201);
});

test("one that appears in the answer to the create, being deleted, is not updated but waited for", async () => {
  const { service, beginDelete, again } = await scene();
  await beginDelete();
  // The first look finds nothing, the look after the 409 does.
  service.faults.add({
    match: { method: "GET", path: "/v2/deployments" },
    times: 1,
    do: { kind: "answer", status: 200, body: { resources: [], offset: 0 } },
  });
  const result = await again();
  expect(result).toMatchObject({ outcome: "deployed", created: true });
  expect(service.requests.filter(({ method, status }) => method === "PATCH" && status === 409)).toEqual([]);
});

test("a delete that does not end within the timeout is an error, and nothing is written", async () => {
  const { service, controlPlane, again, deploymentId, creates } = await scene();
  service.faults.conditions.deleteMilliseconds = 600_000;
  await controlPlane.delete(deploymentId);
  const made = creates().length;
  await expect(again({ timeoutMilliseconds: 60_000 })).rejects.toMatchObject({ outcome: "timed-out", deploymentId });
  expect(creates()).toHaveLength(made);
});

test("a name that something else uses is not waited for as long as the timeout", { tags: "slow" }, async () => {
  const { service, controlPlane, again, deploymentId, deps } = await scene();
  service.faults.conditions.keepsTraces = true;
  await controlPlane.delete(deploymentId);
  const start = deps.clock.now();
  await expect(again()).rejects.toMatchObject({ code: "NAME_TAKEN" });
  expect(deps.clock.now() - start).toBeLessThan(300_000);
});

test("a deploy that is not temporary does not wait for a delete", { tags: "slow" }, async () => {
  const { service, controlPlane, deploy, deploymentId, of } = await scene();
  service.faults.conditions.deleteMilliseconds = 600_000;
  await controlPlane.delete(deploymentId);
  await expect(deploy()).rejects.toMatchObject({ code: "PLAN" });
  expect(of("delete-waiting")).toEqual([]);
});

async function rigOf() {
  const { service, deploy } = await rig({}, undefined, new FastClock());
  return { service, deploy, creates: createsAt(service) };
}

/** Status and settings of each create so far; a fault answers one that it has not read. */
function createsAt(service: LocalService) {
  return () =>
    service.requests
      .filter(({ method, path }) => method === "POST" && path === "/v2/deployments")
      .map(({ json, status }) => [status, (json as { source_config: unknown } | undefined)?.source_config]);
}
