import { describe, expect, test } from "vitest";
import { revisionStatusFact } from "../../src/contract/revision-status.ts";
import { type DeployRequest, RevisionFailedError, SupersededError } from "../../src/index.ts";
import type { RevisionFate } from "../../src/local/faults/fates.ts";
import { FastClock } from "../wire/clocks.ts";
import { StaleReads } from "../wire/stale-reads.ts";
import { rig } from "./rig.ts";

const FAILED: RevisionFate = { end: "BUILD_FAILED" };

/** A live deployment, our deploy of it, and newer revisions that have ended before our deploy learns that ours is live. */
async function overtaken(fates: readonly RevisionFate[], change: Partial<DeployRequest> = {}) {
  const parts = await rig();
  const { service } = parts;
  const { deploymentId } = await parts.deploy();
  const revisions = () => service.revisions(deploymentId);
  const reads = new StaleReads(service);
  /** The status that reads of ours, or of all until its id is known, show in place of the real one. */
  const shown: { status: string; of?: string } = { status: "DEPLOYING" };
  const running = parts.deploy(change).catch((error: unknown) => error);
  reads.revision((id) => (shown.status !== "" && id === (shown.of ?? id) ? { status: shown.status } : {}));
  await expect.poll(() => revisions().map(({ status }) => status)).toEqual(expect.arrayContaining(["DEPLOYED"]));
  await expect.poll(() => revisions()).toHaveLength(3);
  const ours = revisions()[0]?.id ?? "";
  shown.of = ours;
  const newer: string[] = [];
  for (const fate of fates) {
    service.faults.nextRevision(fate);
    // Its first look may already see that it failed.
    await parts.deploy({ wait: false }).catch((error: unknown) => {
      if (!(error instanceof RevisionFailedError || error instanceof SupersededError)) throw error;
    });
    newer.push(revisions()[0]?.id ?? "");
    await expect.poll(() => revisions()[0]?.status).toBe(fate.hold ?? fate.end ?? "DEPLOYED");
  }
  const agentRequests = () => service.requests.filter(({ server }) => server === "agent").length;
  return {
    ...parts,
    ours,
    newer,
    reads,
    /** What our deploy ends with once it learns how ours ended, how often it asked the agent, and what it sent. */
    end: async (status = "") => {
      const before = { agent: agentRequests(), sent: parts.requests().length };
      shown.status = status;
      const ended = await running;
      return { ended, asked: agentRequests() - before.agent, sent: parts.requests().slice(before.sent) };
    },
    warnings: () => parts.of("warning").map(({ message }) => message),
  };
}

describe("a newer revision that failed", () => {
  const FAILURES = ["BUILD_FAILED", "CREATE_FAILED", "DEPLOY_FAILED", "INTERRUPTED", "SKIPPED"];

  test.each(FAILURES)(
    "as %s has not taken the place of ours, whose agent is checked",
    { tags: "slow" },
    async (end) => {
      expect(revisionStatusFact(end)).toMatchObject({ terminal: true, succeeded: false });
      const { ours, end: ending, warnings } = await overtaken([{ end }]);
      const { ended, asked } = await ending();
      expect(ended).toMatchObject({ outcome: "deployed", revisionId: ours });
      expect(asked).toBeGreaterThan(0);
      expect(warnings()).toEqual([]);
    },
  );

  test("leaves a broken agent of ours an error, also where superseded is a success", { tags: "slow" }, async () => {
    const { service, end } = await overtaken([FAILED], { onSuperseded: "succeed" });
    service.faults.add({
      match: { server: "agent" },
      times: Number.POSITIVE_INFINITY,
      do: { kind: "answer", status: 403 },
    });
    const { ended, asked } = await end();
    expect(ended).toMatchObject({ code: "VERIFY", reasons: ["AGENT_UNHEALTHY"] });
    expect(asked).toBeGreaterThan(0);
  });

  test("while ours is on its way does not end the wait for ours", { tags: "slow" }, async () => {
    const { of, end, ours } = await overtaken([FAILED]);
    expect(of("ended").map(({ outcome }) => outcome)).toEqual(["deployed", "started"]);
    expect((await end()).ended).toMatchObject({ outcome: "deployed", revisionId: ours });
  });

  test("several times, one after the other, leaves ours live with one read of the list", { tags: "slow" }, async () => {
    const { end, ours } = await overtaken([FAILED, { end: "SKIPPED" }, FAILED]);
    const { ended, sent } = await end();
    expect(ended).toMatchObject({ outcome: "deployed", revisionId: ours });
    expect(sent.filter((request) => request === "GET /v2/deployments/ID/revisions")).toHaveLength(1);
  });

  test("above one that went live does not hide that one", { tags: "slow" }, async () => {
    const { end, newer } = await overtaken([{}, FAILED]);
    expect((await end()).ended).toMatchObject({
      code: "SUPERSEDED",
      message: expect.stringContaining(newer[0] ?? "-"),
    });
  });

  test("is known as such where the list has no status", { tags: "slow" }, async () => {
    const { service, end, ours } = await overtaken([FAILED, FAILED]);
    service.faults.add({
      match: { method: "GET", path: /\/revisions$/ },
      times: Number.POSITIVE_INFINITY,
      do: {
        kind: "edit",
        edit: (json) => JSON.parse(JSON.stringify(json).replaceAll(/"status":"\w+",/g, "")) as unknown,
      },
    });
    expect((await end()).ended).toMatchObject({ outcome: "deployed", revisionId: ours });
  });

  test("leaves ours live where the service has no list of revisions", { tags: "slow" }, async () => {
    const { reads, end, ours, warnings } = await overtaken([FAILED]);
    reads.noRevisions();
    expect((await end()).ended).toMatchObject({ outcome: "deployed", revisionId: ours });
    expect(warnings()).toEqual([]);
  });

  test("does not hide the one that serves, where the service has no list of revisions", { tags: "slow" }, async () => {
    const { reads, end, newer } = await overtaken([{}, FAILED]);
    reads.noRevisions();
    reads.deployment({ active_revision_id: newer[0] });
    expect((await end()).ended).toMatchObject({
      code: "SUPERSEDED",
      message: expect.stringContaining(newer[0] ?? "-"),
    });
  });

  test("is named by ours if the service skipped ours for it", { tags: "slow" }, async () => {
    const { end, newer } = await overtaken([FAILED]);
    expect((await end("SKIPPED")).ended).toMatchObject({
      code: "SUPERSEDED",
      message: expect.stringContaining(newer[0] ?? "-"),
    });
  });
});

test("a newer revision that is still being built is on its way to the place of ours", { tags: "slow" }, async () => {
  const { end, newer } = await overtaken([{ hold: "BUILDING" }]);
  expect((await end()).ended).toMatchObject({ code: "SUPERSEDED", message: expect.stringContaining(newer[0] ?? "-") });
});

test("a read that names a revision that failed before ours is looked at again", { tags: "slow" }, async () => {
  const parts = await rig({}, undefined, new FastClock());
  const patient = { timeoutMilliseconds: 3_600_000, pollCapMilliseconds: 5_000, smokeTest: false };
  await parts.deploy(patient);
  parts.service.faults.nextRevision(FAILED);
  await parts.deploy(patient).catch(() => undefined);
  const failed = parts.service.deployments()[0]?.latest_revision_id;
  await parts.deploy(patient);
  new StaleReads(parts.service).deployment({ latest_revision_id: failed }, 4);
  const before = parts.requests().length;
  expect(await parts.deploy(patient)).toMatchObject({ outcome: "deployed" });
  const sent = parts.requests().slice(before);
  expect(sent.filter((request) => request === "GET /v2/deployments/ID").length).toBeGreaterThan(3);
  expect(parts.of("warning")).toEqual([]);
});
