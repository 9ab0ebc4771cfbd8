import { testWith } from "../test-with.ts";
import { describe, expect, test } from "vitest";
import { InvalidResponseError, SupersededError } from "../../src/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { StaleReads } from "../wire/stale-reads.ts";
import { rig } from "./rig.ts";

const OLD = "2020-01-01T00:00:00Z";

/** A deployment that is live, and a second revision to come; pauses take no time. */
async function lagging() {
  const parts = await rig({}, undefined, new FastClock());
  const reads = new StaleReads(parts.service);
  const patient = { timeoutMilliseconds: 3_600_000, pollCapMilliseconds: 5_000, smokeTest: false };
  const deploy = (change: Parameters<typeof parts.deploy>[0] = {}) => parts.deploy({ ...patient, ...change });
  const first = await deploy();
  const latest = () => parts.service.deployments()[0]?.latest_revision_id;
  return { ...parts, reads, deploy, first, latest };
}
const withLagging = testWith(lagging);

describe("a read of the deployment that lags", () => {
  test("and names the revision before ours is looked at again, and the deploy is green", { tags: "slow" }, async () => {
    const { deploy, reads, first, latest, of } = await lagging();
    reads.deployment({ latest_revision_id: first.revisionId }, 4);
    const result = await deploy();
    expect(result).toMatchObject({ outcome: "deployed" });
    expect(result.revisionId).toBe(latest());
    expect(of("warning")).toEqual([]);
  });

  test("is no reason to accept the deploy as superseded and leave the agent unasked", { tags: "slow" }, async () => {
    const { deploy, reads, first, of } = await lagging();
    reads.deployment({ latest_revision_id: first.revisionId }, 4);
    expect(await deploy({ onSuperseded: "succeed", smokeTest: true })).toMatchObject({ outcome: "deployed" });
    expect(of("agent-answered")).toHaveLength(1);
  });

  test("for ever ends by our own revision's state, with one warning", { tags: "slow" }, async () => {
    const { deploy, reads, first, of } = await lagging();
    reads.deployment({ latest_revision_id: first.revisionId });
    const result = await deploy();
    expect(result).toMatchObject({ outcome: "deployed" });
    expect(of("warning").map(({ message }) => message)).toEqual([expect.stringContaining(first.revisionId)]);
  });

  test("and names a revision from long ago, or none, proves nothing either", { tags: "slow" }, async () => {
    const { deploy, reads, first, service } = await lagging();
    await deploy();
    reads.deployment({ latest_revision_id: null }, 1);
    reads.deployment({ latest_revision_id: first.revisionId }, 2);
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
    expect(service.revisions(first.deploymentId)).toHaveLength(4);
  });

  withLagging("and answers 404 for a moment is no failure", { tags: "slow" }, async ({ deploy, service }) => {
    const match = { method: "GET", path: /\/v2\/deployments\/[^/]+$/ };
    // The first read is that of the deployment that the list gives.
    service.faults.add({ match, skip: 1, times: 3, do: { kind: "answer", status: 404 } });
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
  });

  withLagging("and answers for another deployment is read again", { tags: "slow" }, async ({ deploy, reads }) => {
    reads.deployment({ id: "00000000-0000-4000-8000-000000000000" }, 9, 1);
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
  });
});

describe("a newer revision of another user", () => {
  test("is proof by its time where the service has no list", { tags: "slow" }, async () => {
    const { deploy, reads, service, latest } = await lagging();
    service.faults.conditions.foreignRevisions = 1;
    reads.noRevisions();
    reads.revision((id) => (id === latest() ? {} : { created_at: OLD }));
    await expect(deploy()).rejects.toThrow(SupersededError);
  });

  test("is proof by its place in the list where no revision has a time", { tags: "slow" }, async () => {
    const { deploy, reads, service, latest } = await lagging();
    service.faults.conditions.foreignRevisions = 1;
    reads.revision({ created_at: null });
    const error: unknown = await deploy().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "SUPERSEDED", message: expect.stringContaining(latest() ?? "-") });
  });

  test("that neither a time nor a list proves ends with a warning", { tags: "slow" }, async () => {
    const { deploy, reads, service, latest, of } = await lagging();
    service.faults.conditions.foreignRevisions = 1;
    reads.noRevisions();
    reads.revision({ created_at: null });
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
    expect(of("warning").map(({ message }) => message)).toEqual([expect.stringContaining(latest() ?? "-")]);
  });

  test("is not named by a SKIPPED revision when the deployment that names it lags", async () => {
    const { deploy, reads, service, first } = await lagging();
    service.faults.nextRevision({ end: "SKIPPED" });
    reads.deployment({ latest_revision_id: first.revisionId });
    const error: unknown = await deploy().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "SUPERSEDED", message: expect.not.stringContaining(first.revisionId) });
  });
});

describe("ids in upper case", () => {
  test.each(["all", "deployment", "PATCH"] as const)(
    "in the answers of %s are the same ids",
    { tags: "slow" },
    async (kind) => {
      const { deploy, reads, latest, of } = await lagging();
      reads.upperCase(kind);
      const { outcome, revisionId } = await deploy();
      expect(outcome).toBe("deployed");
      expect(revisionId.toLowerCase()).toBe(latest());
      expect(of("warning")).toEqual([]);
    },
  );

  test("of the revision before are not taken for a new one", { tags: "slow" }, async () => {
    const { deploy, reads, first, latest } = await lagging();
    reads.update({ latest_revision_id: first.revisionId.toUpperCase() });
    const { revisionId } = await deploy();
    expect(revisionId).toBe(latest());
  });
});

describe("a cache that answers for another revision", () => {
  const cached = { status: "DEPLOYED" };

  test("does not make our revision live while it is being built", { tags: "slow" }, async () => {
    const { deploy, reads, service, first, of } = await lagging();
    service.faults.nextRevision({ hold: "BUILDING" });
    reads.revision({ ...cached, id: first.revisionId }, { skip: 1 });
    const error: unknown = await deploy({ timeoutMilliseconds: 60_000 }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ outcome: expect.stringMatching(/^(?:timed-out|failed)$/) });
    expect(of("revision-live")).toHaveLength(1);
  });

  test("is asked again until it answers for ours", { tags: "slow" }, async () => {
    const { deploy, reads, first, latest, of } = await lagging();
    reads.revision({ ...cached, id: first.revisionId }, { times: 6 });
    expect(await deploy()).toMatchObject({ outcome: "deployed", revisionId: latest() });
    expect(
      of("revision-status").every(({ revision }) => revision.id === first.revisionId || revision.id === latest()),
    ).toBe(true);
  });

  withLagging("is named by the error of the client", async ({ connection, reads, first }) => {
    reads.deployment({ id: "another" });
    const error: unknown = await connection.controlPlane.get(first.deploymentId).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ message: expect.stringContaining("another") });
  });
});

describe("a new revision that cannot be read yet", () => {
  withLagging("is read for a minute, not for seven seconds", async ({ deploy, reads, latest, of }) => {
    reads.missing(14);
    expect(await deploy()).toMatchObject({ outcome: "deployed", revisionId: latest() });
    expect(of("look-failed")).toHaveLength(14);
  });

  test("and then is there, and away again, is not counted as away all the time", { tags: "slow" }, async () => {
    const { deploy, reads, of } = await lagging();
    for (let burst = 1; burst <= 4; burst += 1) reads.missing(4, burst);
    reads.revision({ status: "BUILDING" }, { times: 4 });
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
    expect(of("look-failed")).toHaveLength(16);
  });

  withLagging("for longer than that is named by the error", { tags: "slow" }, async ({ deploy, reads }) => {
    reads.missing(Number.POSITIVE_INFINITY);
    await expect(deploy()).rejects.toMatchObject({ code: "WAIT", message: expect.stringContaining("404") });
  });
});

describe("an update whose answer names no new revision", () => {
  test(
    "is followed by what the deployment names later, where there is no list of revisions",
    { tags: "slow" },
    async () => {
      const { deploy, reads, first, latest } = await lagging();
      reads.noRevisions();
      reads.update({ latest_revision_id: first.revisionId });
      reads.deployment({ latest_revision_id: first.revisionId }, 3);
      expect(await deploy()).toMatchObject({ outcome: "deployed", revisionId: latest() });
    },
  );

  test("and no revision is named within a minute is an error", { tags: "slow" }, async () => {
    const { deploy, reads, first } = await lagging();
    reads.noRevisions();
    reads.update({ latest_revision_id: null });
    reads.deployment({ latest_revision_id: first.revisionId });
    await expect(deploy()).rejects.toMatchObject({ code: "NO_REVISION" });
  });

  test("does not take the revision of another user that the deployment names", { tags: "slow" }, async () => {
    const { deploy, reads, first, service } = await lagging();
    service.faults.conditions.foreignRevisions = 1;
    reads.noRevisions();
    reads.update({ latest_revision_id: first.revisionId });
    await expect(deploy()).rejects.toMatchObject({ code: "NO_REVISION" });
  });
});

describe("a new deployment of an image", () => {
  const image = {
    source: { source: "external_docker", imageUri: "registry/agent:1" },
    target: { name: "image" },
  } as const;

  test("whose revision is named later than in the answer is followed", { tags: "slow" }, async () => {
    const { deploy, reads } = await lagging();
    reads.update({ latest_revision_id: null }, "POST");
    reads.deployment({ latest_revision_id: null }, 5);
    expect(await deploy(image)).toMatchObject({ outcome: "deployed", created: true });
  });

  test("that names no revision within a minute is an error that names the deployment", async () => {
    const { deploy, reads } = await lagging();
    reads.update({ latest_revision_id: null }, "POST");
    reads.deployment({ latest_revision_id: null });
    await expect(deploy(image)).rejects.toMatchObject({ code: "NO_REVISION" });
  });
});

describe("fields that nothing needs, of another type", () => {
  const odd = {
    active_revision_id: 7,
    tenant_id: {},
    status: 1,
    url: false,
    secrets: "none",
    created_at: 5,
    updated_at: [],
  };
  const config = { source_config: [], source_revision_config: { repo_commit_sha: 12, repo_ref: {} } };

  test("of the deployment and of the answer to the update make no difference", { tags: "slow" }, async () => {
    const { deploy, reads, latest } = await lagging();
    reads.deployment({ ...odd, ...config, name: 3, source: {} });
    reads.update({ ...odd, ...config, name: 3, source: {} });
    expect(await deploy()).toMatchObject({ outcome: "deployed", revisionId: latest() });
  });

  withLagging("of a revision make no difference", async ({ deploy, reads }) => {
    reads.revision({ created_at: 5, updated_at: {}, status_message: 3, source: [], source_revision_config: "none" });
    expect(await deploy()).toMatchObject({ outcome: "deployed" });
  });

  withLagging("but a status that is none is never taken for one", async ({ deploy, reads, of }) => {
    reads.revision({ status: 200 });
    await expect(deploy()).rejects.toMatchObject({ outcome: "failed" });
    expect(of("revision-live")).toHaveLength(1);
  });
});
