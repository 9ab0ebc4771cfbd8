import { testWith } from "../test-with.ts";
import { expect, test } from "vitest";
import {
  findDeployment,
  isBeingDeleted,
  removeDeployment,
  untilGone,
  type RemoveEvent,
} from "../../src/deployment/remove.ts";
import { noDelete } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { deleteDuringPause, rig } from "./rig.ts";

const MINUTE = 60_000;

/** A service with one deployment, and a clock that does not wait. */
async function scene() {
  const clock = new FastClock();
  const { service, connection, deps, ...steps } = await rig({}, undefined, clock);
  const { deploymentId } = await steps.deploy();
  const before = service.requests.length;
  const events: RemoveEvent[] = [];
  const removeDeps = {
    ...deps,
    emit: (event: RemoveEvent) => {
      events.push(event);
    },
  };
  return {
    ...{ service, clock, deploymentId, events, deps: removeDeps, deploy: steps.deploy },
    controlPlane: connection.controlPlane,
    remove: (request: { deleteTracingProject?: boolean; timeoutMilliseconds?: number } = {}) =>
      removeDeployment({ deploymentId, timeoutMilliseconds: MINUTE, ...request }, removeDeps),
    /** What was sent since the deploy: the methods, with the status of each answer. */
    sent: () => service.requests.slice(before).map(({ method, status }) => `${method} ${String(status)}`),
  };
}
const withScene = testWith(scene);

test("a deployment is deleted, and seen to be gone", { tags: "slow" }, async () => {
  const { service, remove, sent, events, deploymentId } = await scene();
  expect(await remove()).toMatchObject({ outcome: "gone" });
  expect(sent()).toEqual(["DELETE 204", "GET 404"]);
  expect(events).toEqual([{ type: "delete-accepted", deploymentId }]);
  expect(service.deployments()).toEqual([]);
});

withScene("one that is gone already is a success", async ({ remove, sent, events }) => {
  await remove();
  expect(await remove()).toMatchObject({ outcome: "gone" });
  expect(sent()).toEqual(["DELETE 204", "GET 404", "DELETE 404", "GET 404"]);
  expect(events).toHaveLength(1);
});

withScene("the name can be used again when its traces are deleted, too", async ({ service, remove, deploy }) => {
  service.faults.conditions.keepsTraces = true;
  await remove({ deleteTracingProject: true });
  await deploy();
  const [asked] = service.requests.filter(({ method }) => method === "DELETE");
  expect(asked?.query.get("delete_tracing_project")).toBe("true");
  expect(service.deployments()).toHaveLength(1);
});

withScene("without its traces, the name stays taken", async ({ service, remove, deploy }) => {
  service.faults.conditions.keepsTraces = true;
  await remove();
  await expect(deploy()).rejects.toMatchObject({ code: "NAME_TAKEN" });
});

test("a service that takes its time is waited for, and asked once", async () => {
  const { remove, sent, controlPlane, deploymentId, ...found } = await scene();
  deleteDuringPause({ controlPlane, deploymentId, ...found });
  expect(await remove()).toMatchObject({ outcome: "gone" });
  // The second is what ends the first.
  expect(sent().filter((request) => request.startsWith("DELETE"))).toEqual(["DELETE 204", "DELETE 204"]);
  expect(sent()).toContain("GET 200");
  expect(await findDeployment(controlPlane, deploymentId)).toBeUndefined();
});

test("one that is not gone within the timeout is still there", { tags: "slow" }, async () => {
  const { service, remove, events, controlPlane, deploymentId, deps } = await scene();
  service.faults.conditions.deleteMilliseconds = 600_000;
  expect(await remove({ timeoutMilliseconds: 2 * MINUTE })).toMatchObject({ outcome: "still-there" });
  expect(events.slice(1)).toContainEqual(
    expect.objectContaining({ type: "delete-waiting", status: "AWAITING_DELETE", deploymentId }),
  );
  const deployment = await findDeployment(controlPlane, deploymentId);
  expect(deployment !== undefined && isBeingDeleted(deployment)).toBe(true);
  const waited = await untilGone({ deploymentId, timeoutMilliseconds: MINUTE }, deps);
  expect(waited).toMatchObject({ outcome: "still-there" });
});

test("what another run deletes is waited for until it is gone", async () => {
  const { controlPlane, deploymentId, deps, sent, ...found } = await scene();
  deleteDuringPause({ controlPlane, deploymentId, ...found });
  await controlPlane.delete(deploymentId);
  const waited = await untilGone({ deploymentId, timeoutMilliseconds: MINUTE }, deps);
  expect(waited).toMatchObject({ outcome: "gone" });
  // The second is what ends the first.
  expect(sent().filter((request) => request.startsWith("DELETE"))).toHaveLength(2);
});

test.each([404, 405, 501] as const)("a service that answers %i to a delete cannot delete", async (status) => {
  const { service, remove, events } = await scene();
  const rule = noDelete();
  service.faults.add({ ...rule, do: { kind: "answer", status } });
  expect(await remove()).toMatchObject({ outcome: "unsupported" });
  expect(events).toEqual([]);
  expect(service.deployments()).toHaveLength(1);
});

withScene("a gateway's 404 is not taken for a service that cannot delete", async ({ service, remove, sent }) => {
  service.faults.add({ ...noDelete(404), times: 2 });
  expect(await remove()).toMatchObject({ outcome: "gone" });
  expect(sent()).toEqual(["DELETE 404", "GET 200", "DELETE 404", "GET 200", "DELETE 204", "GET 404"]);
});

test("a delete whose answer is lost, or which is refused for a moment, is asked again", { tags: "slow" }, async () => {
  const { service, remove } = await scene();
  service.faults.add({ match: { method: "DELETE" }, times: 2, do: { kind: "answer", status: 409 } });
  service.faults.add({ match: { method: "DELETE" }, do: { kind: "reset", when: "after" } });
  expect(await remove()).toMatchObject({ outcome: "gone" });
  expect(service.deployments()).toEqual([]);
});

withScene("a delete that may not be done is an error", async ({ service, remove }) => {
  service.faults.add({ match: { method: "DELETE" }, do: { kind: "answer", status: 403 } });
  await expect(remove()).rejects.toMatchObject({ code: "HTTP_STATUS", status: 403 });
  expect(service.deployments()).toHaveLength(1);
});
