import { testWith } from "../test-with.ts";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PREVIOUS } from "../../src/deployment/options.ts";
import type { DeployRequest } from "../../src/deployment/request.ts";
import { dryRun, type DeployDeps, RollbackUnclearError } from "../../src/index.ts";
import { rig, type Rig } from "./rig.ts";

const GOOD = { "src/support.py": "graph = 1\n" };
const BAD = { "src/support.py": "graph = 0 / 0\n" };

/** Deploys of good and bad files with a record, and rollbacks with it. */
async function world() {
  const parts = await rig({ walkMilliseconds: 1 });
  const record = join(parts.spool, "..", "record.json");
  const put = async (files: Readonly<Record<string, string>>, change: Partial<DeployRequest> = {}) => {
    await parts.write(files);
    return await parts.deploy({ record, ...change });
  };
  const back: Partial<DeployRequest> = { source: { source: "revision", revision: PREVIOUS }, record };
  const config = (revisionId: string) => {
    const [deployment] = parts.service.deployments();
    const found = parts.service.revisions(deployment?.id ?? "").find(({ id }) => id === revisionId);
    return found?.source_revision_config.source_tarball_path;
  };
  const writes = () => parts.requests().filter((request) => !request.startsWith("GET ")).length;
  const records = async () => {
    const { revisions } = JSON.parse(await readFile(record, "utf8")) as {
      revisions: { id: string; source_digest: string }[];
    };
    return revisions;
  };
  return {
    ...parts,
    ...{ record, config, writes, records },
    good: (change?: Partial<DeployRequest>) => put(GOOD, change),
    bad: (change?: Partial<DeployRequest>) => put(BAD, change),
    rollback: (change: Partial<DeployRequest> = {}) => parts.deploy({ ...back, ...change }),
    rehearse: (deps: Partial<DeployDeps> = {}) => dryRun(parts.request(back), { ...parts.deps, ...deps }),
    back,
  };
}
const withWorld = testWith(world);

/** The error of a rollback that writes nothing. */
async function unclear(parts: Awaited<ReturnType<typeof world>>, change: Partial<DeployRequest> = {}) {
  const before = parts.writes();
  const error: unknown = await parts.rollback(change).catch((caught: unknown) => caught);
  expect(parts.writes()).toBe(before);
  if (!(error instanceof RollbackUnclearError)) throw error;
  return error;
}

describe("`previous` goes back past every revision of the bad files:", () => {
  // Each upload has a path of its own, so a re-run looked like another source.
  withWorld("the bad ones were deployed twice", { tags: "slow" }, async ({ good, bad, rollback, config }) => {
    const first = await good();
    await bad();
    await bad({ secrets: [{ name: "KEY", value: "value-of-a-secret" }] });
    const { revisionId } = await rollback();
    expect(config(revisionId)).toBe(config(first.revisionId));
  });

  test("a deploy changed a secret alone, and one was made without a record of its own", { tags: "slow" }, async () => {
    const parts = await world();
    const { good, bad, rollback, config, connection, record } = parts;
    const first = await good();
    const { revisionId: known, deploymentId } = await bad({ secrets: [{ name: "KEY", value: "one-of-the-values" }] });
    await bad({ secrets: [{ name: "KEY", value: "another-of-the-values" }] });
    // The same archive once more, as a button of the service makes it.
    const path = config(known) ?? "";
    const { controlPlane } = connection;
    const body = { source_revision_config: { source_tarball_path: path } };
    await controlPlane.patch(deploymentId, body, { source: "internal_source" });
    await expect.poll(() => parts.service.revisions(deploymentId)[0]?.status).toBe("DEPLOYED");
    const { revisionId } = await rollback({ record });
    expect(config(revisionId)).toBe(config(first.revisionId));
  });

  test("they went live again after a rollback, whose revision the record has as well", { tags: "slow" }, async () => {
    const { good, bad, rollback, config, records } = await world();
    const first = await good();
    await bad();
    const back = await rollback();
    await bad();
    const again = await rollback();
    expect([back, again].map(({ revisionId }) => config(revisionId))).toEqual(Array(2).fill(config(first.revisionId)));
    const known = await records();
    const digestOf = (id: string) => known.find((one) => one.id === id)?.source_digest;
    expect(known[0]?.id).toBe(again.revisionId);
    expect([back, again].map(({ revisionId }) => digestOf(revisionId))).toEqual(
      Array(2).fill(digestOf(first.revisionId)),
    );
  });

  test(
    "a rollback by its id kept no record of itself, and its archive tells what it is",
    { tags: "slow" },
    async () => {
      const { good, bad, rollback, config } = await world();
      const first = await good();
      await bad();
      await rollback({ source: { source: "revision", revision: first.revisionId }, record: undefined });
      await bad();
      const { revisionId } = await rollback();
      expect(config(revisionId)).toBe(config(first.revisionId));
    },
  );

  withWorld("a second one goes there and back", async ({ good, bad, rollback, config }) => {
    await good();
    const second = await bad();
    await rollback();
    const { revisionId } = await rollback();
    expect(config(revisionId)).toBe(config(second.revisionId));
  });

  withWorld("revisions between them that failed need no digest", async (parts) => {
    const { good, bad, rollback, config, service } = parts;
    const first = await good();
    service.faults.nextRevision({ end: "BUILD_FAILED" });
    await expect(parts.deploy()).rejects.toMatchObject({ code: "REVISION_FAILED" });
    await bad();
    const { revisionId } = await rollback();
    expect(config(revisionId)).toBe(config(first.revisionId));
  });

  withWorld("other records know them, and are asked once, also by a dry run", async (parts) => {
    const first = await parts.good();
    await parts.bad();
    const last = await parts.bad({ secrets: [] });
    const known = new Map(
      (await parts.records()).map(({ id, source_digest: digest }) => [id, { digest, commit: undefined }]),
    );
    await rm(parts.record);
    let asked = 0;
    const knownSources = () => {
      asked += 1;
      return Promise.resolve(known);
    };
    await parts.rehearse({ knownSources });
    expect(parts.of("rollback")).toMatchObject([
      { revision: { id: first.revisionId }, from: last.revisionId, digest: known.get(first.revisionId)?.digest },
    ]);
    expect(asked).toBe(1);
  });
});

describe("`previous` writes nothing where a digest is not known:", () => {
  withWorld("the record is lost", { tags: "slow" }, async (parts) => {
    const ids: string[] = [];
    for (const run of [parts.good, parts.bad, parts.bad, parts.good, parts.bad, parts.bad]) {
      ids.unshift((await run({ secrets: [{ name: "RUN", value: `value-${String(ids.length)}` }] })).revisionId);
    }
    await rm(parts.record);
    const error = await unclear(parts);
    expect(error.choices.map(({ id }) => id)).toEqual(ids.slice(0, 5));
    expect(error.choices.map(({ serves }) => serves)).toEqual([true, false, false, false, false]);
    expect(error).toMatchObject({ code: "PLAN", reasons: ["ROLLBACK_UNCLEAR"] });
    expect(error.message).toContain(
      `of revision ${ids[0] ?? ""} and ${ids[1] ?? ""} (there is no record of an earlier run)`,
    );
    for (const { id, madeAt } of error.choices) expect(error.message).toContain(`${id} (${madeAt ?? "?"}`);
  });

  withWorld("no record is kept, in a rollback and in its dry run", { tags: "slow" }, async (parts) => {
    await parts.good({ record: undefined });
    await parts.bad({ record: undefined });
    await unclear(parts, { record: undefined });
    await expect(parts.rehearse()).rejects.toBeInstanceOf(RollbackUnclearError);
  });

  withWorld("another tool made a revision in between, or the one that serves", { tags: "slow" }, async (parts) => {
    await parts.good();
    const foreign = await parts.bad({ record: undefined });
    const { revisionId } = await parts.good({ secrets: [] });
    const between = await unclear(parts);
    expect(between.message).toContain(`the digest of the files of revision ${foreign.revisionId}.`);
    expect(between.message).not.toContain(`files of revision ${revisionId}`);
    const serving = await parts.bad({ record: undefined });
    expect((await unclear(parts)).message).toContain(`the files of revision ${serving.revisionId}.`);
  });

  test("the record is of an older version, which knew the last revision alone, or its list is damaged", async () => {
    const parts = await world();
    const first = await parts.good();
    const second = await parts.bad();
    const { revisions: _, ...older } = JSON.parse(await readFile(parts.record, "utf8")) as Record<string, unknown>;
    for (const record of [older, { ...older, revisions: [{ id: "../x" }] }, { ...older, revisions: "none" }]) {
      await writeFile(parts.record, JSON.stringify(record));
      const { message } = await unclear(parts);
      expect(message).toContain(`the files of revision ${first.revisionId}.`);
      expect(message).not.toContain(`the files of revision ${second.revisionId}`);
    }
  });

  withWorld("and an id goes there all the same", async ({ good, bad, rollback, config, record }) => {
    const first = await good();
    await bad();
    await rm(record);
    const { revisionId } = await rollback({ source: { source: "revision", revision: first.revisionId } });
    expect(config(revisionId)).toBe(config(first.revisionId));
  });
});

/** From now on the list of revisions has of each only these fields, and the read by the id all but those of `hidden`. */
function listingOnly({ service }: Rig, fields: readonly string[], hidden: readonly string[] = []): void {
  const only = (keeps: (key: string) => boolean) => (json: unknown) =>
    Object.fromEntries(Object.entries(json as object).filter(([key]) => keeps(key)));
  const listed = only((key) => fields.includes(key));
  const edit = (json: unknown) => ({ resources: (json as { resources: unknown[] }).resources.map(listed) });
  const match = { server: "service", method: "GET" } as const;
  service.faults.add({ match: { ...match, path: /\/revisions$/ }, times: Infinity, do: { kind: "edit", edit } });
  const read = only((key) => !hidden.includes(key));
  const byId = { ...match, path: /\/revisions\/[^/]+$/ };
  service.faults.add({ match: byId, times: Infinity, do: { kind: "edit", edit: read } });
}

describe("`previous`, where a list says little of a revision,", () => {
  test.each([
    ["reads what it says by its id", ["id", "status"], []],
    ["reads its status by its id too", ["id"], []],
    ["needs no more than the digests", ["id", "status", "created_at"], ["source"]],
  ])("%s", async (_, fields, hidden) => {
    const parts = await world();
    const first = await parts.good();
    await parts.bad();
    await parts.bad({ secrets: [{ name: "KEY", value: "value-of-a-secret" }] });
    listingOnly(parts, fields, hidden);
    const { revisionId } = await parts.rollback();
    expect(parts.config(revisionId)).toBe(parts.config(first.revisionId));
  });

  withWorld("does not go back to the same bad files where no digest is known", { tags: "slow" }, async (parts) => {
    await parts.good();
    const second = await parts.bad();
    const last = await parts.bad({ secrets: [{ name: "KEY", value: "value-of-a-secret" }] });
    await rm(parts.record);
    listingOnly(parts, ["id", "status"], ["source", "source_revision_config"]);
    const { message } = await unclear(parts);
    expect(message).toContain(`the digest of the files of revision ${last.revisionId} and ${second.revisionId} (`);
  });

  test.each([
    ["goes back to another image that the read by its id names", []],
    ["writes nothing where that hides it too", ["source_revision_config"]],
  ])("%s", async (_, hidden) => {
    const parts = await rig({ walkMilliseconds: 1 });
    const imageUri = (digit: number) => `registry.example/agent@sha256:${String(digit).repeat(64)}`;
    const ids: string[] = [];
    for (const digit of [1, 2, 2]) {
      const { revisionId } = await parts.deploy({ source: { source: "external_docker", imageUri: imageUri(digit) } });
      ids.unshift(revisionId);
    }
    listingOnly(parts, ["id", "status"], hidden);
    const before = parts.requests().length;
    const back = parts.deploy({ source: { source: "revision", revision: PREVIOUS } });
    if (hidden.length === 0) {
      const { deploymentId } = await back;
      const [made] = parts.service.revisions(deploymentId);
      expect(made).toMatchObject({ source_revision_config: { image_uri: imageUri(1) } });
      return;
    }
    await expect(back).rejects.toThrow(
      `is not known, because the service does not say the source of revision ${ids.slice(0, 2).join(" and ")}. The last`,
    );
    const writes = parts
      .requests()
      .slice(before)
      .filter((request) => !request.startsWith("GET "));
    expect(writes).toEqual([]);
  });

  test("reads no more than 20 of them", { tags: "slow" }, async () => {
    const parts = await rig({ walkMilliseconds: 1 });
    const source = { source: "external_docker", imageUri: `registry.example/agent@sha256:${"1".repeat(64)}` } as const;
    for (let run = 0; run < 22; run += 1) await parts.deploy({ source });
    listingOnly(parts, ["id", "status"]);
    const before = parts.requests().length;
    await expect(parts.deploy({ source: { source: "revision", revision: PREVIOUS } })).rejects.toThrow(
      "has no earlier revision that was DEPLOYED from another source among its newest revisions.",
    );
    const reads = parts
      .requests()
      .slice(before)
      .filter((request) => request.endsWith("/revisions/ID"));
    expect(reads).toHaveLength(20);
  });
});

test.each([
  ["previous", undefined],
  ["an id", "id"],
])("a newer revision that is building is named, and left out of account, by %s", async (_, by) => {
  const { good, bad, rollback, config, service, of, deploy, write } = await world();
  const first = await good();
  await bad();
  service.faults.nextRevision({ walk: ["BUILDING", "DEPLOYED"], hold: "BUILDING" });
  await write({ "src/support.py": "graph = 2\n" });
  const building = await deploy({ wait: false });
  await expect.poll(() => service.revisions(first.deploymentId)[0]?.status).toBe("BUILDING");
  const to = by === undefined ? {} : { source: { source: "revision", revision: first.revisionId } as const };
  const { revisionId } = await rollback({ ...to, wait: false });
  expect(config(revisionId)).toBe(config(first.revisionId));
  expect(of("warning").map(({ message }) => message)).toContainEqual(
    `Revision ${building.revisionId} of deployment ${first.deploymentId} is newer than the one that serves, and still BUILDING: the rollback leaves it out of account, and is made after it.`,
  );
});

test("a newer revision that failed, or cannot be read, is not spoken of", async () => {
  const { good, bad, rehearse, rollback, service, of } = await world();
  const { deploymentId } = await good();
  await bad();
  service.faults.nextRevision({ end: "BUILD_FAILED" });
  await expect(bad({ secrets: [] })).rejects.toMatchObject({ code: "REVISION_FAILED" });
  await rehearse();
  const latest = service.deployments()[0]?.latest_revision_id ?? "";
  const match = { method: "GET", path: `/v2/deployments/${deploymentId}/revisions/${latest}` };
  service.faults.add({ match, times: Infinity, do: { kind: "answer", status: 403 } });
  await rollback();
  expect(of("warning")).toEqual([]);
  expect(of("rollback")).toHaveLength(2);
});
