import { testWith } from "../test-with.ts";
import { describe, expect, test } from "vitest";
import { follow, type Clock, type FollowRequest } from "../../src/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { StaleReads } from "../wire/stale-reads.ts";
import { rig } from "./rig.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

async function following(clock?: Clock) {
  const parts = await rig({}, undefined, clock);
  const { timeoutMilliseconds, pollCapMilliseconds, onSuperseded, smokeTest } = parts.request();
  const patience = { timeoutMilliseconds, pollCapMilliseconds, onSuperseded, smokeTest };
  return {
    ...parts,
    follow: (request: Pick<FollowRequest, "revisionId" | "target"> & Partial<FollowRequest>) =>
      follow({ ...patience, ...request }, parts.deps),
  };
}
const withFollowing = testWith(following);

describe("a revision that exists", () => {
  withFollowing("is waited for by its name, and nothing is written", async (parts) => {
    const { deploymentId, revisionId } = await parts.deploy({ wait: false });
    const before = parts.service.requests.length;
    const result = await parts.follow({ target: { name: "support-agent" }, revisionId });
    expect(result).toMatchObject({ outcome: "deployed", deploymentId, revisionId, created: false });
    const writes = parts.service.requests
      .slice(before)
      .filter(({ server, method }) => server === "service" && method !== "GET");
    expect(writes).toEqual([]);
    expect(parts.of("agent-answered")).toHaveLength(1);
  });

  withFollowing("is waited for by the id of its deployment", async (parts) => {
    const { deploymentId, revisionId } = await parts.deploy({ wait: false });
    expect(await parts.follow({ target: { deploymentId }, revisionId })).toMatchObject({ outcome: "deployed" });
  });

  test("is waited for when a copy of the service does not know it yet", async () => {
    const parts = await following(new FastClock());
    const { deploymentId, revisionId } = await parts.deploy({ wait: false });
    new StaleReads(parts.service).missing(6);
    expect(await parts.follow({ target: { deploymentId }, revisionId })).toMatchObject({ outcome: "deployed" });
  });

  withFollowing("fails as its deploy would have, with its log", async (parts) => {
    parts.service.faults.nextRevision({ end: "BUILD_FAILED", log: ["no such package"] });
    const { deploymentId, revisionId } = await parts.deploy({ wait: false });
    await expect(parts.follow({ target: { deploymentId }, revisionId })).rejects.toMatchObject({
      outcome: "build-failed",
    });
    expect(parts.of("revision-logs")).toHaveLength(1);
  });

  withFollowing("that a newer one has replaced is superseded", async (parts) => {
    const { deploymentId, revisionId } = await parts.deploy();
    await parts.deploy();
    await expect(parts.follow({ target: { deploymentId }, revisionId })).rejects.toMatchObject({
      outcome: "superseded",
    });
  });
});

describe("what does not exist", () => {
  withFollowing("is named: the deployment", async (parts) => {
    await expect(parts.follow({ target: { name: "nobody" }, revisionId: NOBODY })).rejects.toMatchObject({
      message: 'No deployment named "nobody".',
      reasons: ["NAME_NOT_FOUND"],
    });
  });

  test("is named: the revision", async () => {
    const parts = await following(new FastClock());
    const { deploymentId } = await parts.deploy({ timeoutMilliseconds: 600_000 });
    const patient = { target: { deploymentId }, revisionId: NOBODY, pollCapMilliseconds: 5_000 };
    await expect(parts.follow(patient)).rejects.toMatchObject({
      message: expect.stringMatching(
        `^Deployment ${deploymentId} has no revision ${NOBODY}\\. It was looked for over (5\\d s|1 min( \\d+ s)?), since it may have just been made; the latest revision is [-0-9a-f]{36}\\.$`,
      ),
      reasons: ["REVISION_NOT_FOUND"],
    });
  });
});
