import { expect, test } from "vitest";
import { rig } from "./rig.ts";

/** A deployment with two revisions, in a service that takes its time to delete one. */
async function scene() {
  const found = await rig();
  await found.deploy();
  await found.write({ "src/support.py": "graph = 3\n" });
  const { deploymentId } = await found.deploy({ record: `${found.directory}/../record.json` });
  found.service.faults.conditions.deleteMilliseconds = 600_000;
  return { ...found, deploymentId, remove: () => found.connection.controlPlane.delete(deploymentId) };
}

const writes = (requests: readonly string[]) => requests.filter((request) => !request.startsWith("GET "));

test.each([
  ["of new files", {}],
  ["of what is live already", { record: "record.json" }],
  ["of an earlier revision", { source: { source: "revision", revision: "previous" } }],
] as const)(
  "a deployment that is being deleted is refused by a deploy %s, which writes nothing",
  { tags: "slow" },
  async (_, change) => {
    const { deploy, remove, requests, deploymentId, directory } = await scene();
    await remove();
    const before = requests().length;
    const record = "record" in change ? { record: `${directory}/../${change.record}` } : {};
    await expect(deploy({ ...change, ...record })).rejects.toMatchObject({
      code: "PLAN",
      deploymentId,
      message: expect.stringContaining("is being deleted") as string,
      advice: expect.stringContaining("Run again") as string,
    });
    expect(writes(requests().slice(before))).toEqual([]);
  },
);

test(
  "a deployment that is deleted while its revision is on its way does not count as live",
  { tags: "slow" },
  async () => {
    const { deploy, remove, service, deploymentId } = await scene();
    service.faults.nextRevision({ hold: "BUILDING" });
    const deploying = deploy();
    const ending = expect(deploying).rejects.toMatchObject({
      code: "WAIT",
      deploymentId,
      message: expect.stringMatching(/is DEPLOYED, but deployment .* is being deleted/) as string,
    });
    await expect.poll(() => service.revisions(deploymentId)[0]?.status).toBe("BUILDING");
    await remove();
    service.faults.revisions.release();
    await ending;
  },
);
