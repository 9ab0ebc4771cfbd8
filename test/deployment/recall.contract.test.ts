import { join } from "node:path";
import { expect, test } from "vitest";
import { StaleReads } from "../wire/stale-reads.ts";
import { rig } from "./rig.ts";

/** A project that was deployed once with a record. */
async function recorded() {
  const parts = await rig();
  const record = join(parts.directory, "kept.json");
  const first = await parts.deploy({ record });
  const again = () => parts.deploy({ record });
  return { ...parts, first, again, reads: new StaleReads(parts.service) };
}

test("a revision of the record that the service does not have any more is replaced by a new one", async () => {
  const { again, first, of, reads } = await recorded();
  reads.missing(1);
  expect(await again()).toMatchObject({ outcome: "deployed", created: false });
  expect(of("recalled").at(-1)).toMatchObject({
    verdict: "new",
    reason: `revision ${first.revisionId} of the record does not exist`,
  });
});

test("a revision of the record that cannot be read for another reason fails the deploy", async () => {
  const { again, first, service } = await recorded();
  const match = { method: "GET", path: `/v2/deployments/${first.deploymentId}/revisions/${first.revisionId}` };
  service.faults.add({ match, times: Infinity, do: { kind: "answer", status: 403 } });
  await expect(again()).rejects.toMatchObject({ message: expect.stringContaining("403") as string });
  expect(service.requests.filter(({ method }) => method === "PATCH")).toHaveLength(1);
});

test("a deployment that names no latest revision is deployed anew", { tags: "slow" }, async () => {
  const { again, first, of, reads } = await recorded();
  reads.deployment({ latest_revision_id: null }, 1);
  expect(await again()).toMatchObject({ outcome: "deployed" });
  expect(of("recalled").at(-1)).toMatchObject({
    verdict: "new",
    reason: `revision none is the latest now, and not ${first.revisionId} of the record`,
  });
});
