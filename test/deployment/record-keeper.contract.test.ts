import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { revisionsWith } from "../../src/deployment/record.ts";
import { deploy as deployRequest } from "../../src/index.ts";
import { rig, type Rig } from "./rig.ts";

interface Record {
  readonly revision: { readonly id: string; readonly status: string };
  readonly source_digest: string;
  readonly revisions: readonly { readonly id: string; readonly source_digest: string }[];
}

async function recording() {
  const parts = await rig({ walkMilliseconds: 1 });
  const record = join(parts.spool, "..", "record.json");
  const read = async () => JSON.parse(await readFile(record, "utf8")) as Record;
  return { ...parts, record, read };
}

const put = async ({ write }: Rig, content: number) => {
  await write({ "src/support.py": `graph = ${String(content)}\n` });
};

test(
  "the record has the last 20 revisions with their digests, newest first, also those that failed",
  { tags: "slow" },
  async () => {
    const parts = await recording();
    const { deploy, record, read, service } = parts;
    const ids: string[] = [];
    for (let run = 0; run < 21; run += 1) {
      await put(parts, run % 2);
      ids.unshift((await deploy({ record, smokeTest: false })).revisionId);
    }
    await put(parts, 2);
    service.faults.nextRevision({ end: "BUILD_FAILED" });
    await expect(deploy({ record })).rejects.toMatchObject({ code: "REVISION_FAILED" });
    const { revisions, revision, source_digest } = await read();
    expect(revisions.map(({ id }) => id)).toEqual([revision.id, ...ids.slice(0, 19)]);
    expect(revisions[0]?.source_digest).toBe(source_digest);
    const digests = revisions.slice(1).map((one) => one.source_digest);
    expect(new Set(digests).size).toBe(2);
    expect(digests.every((digest, index) => digest === digests[index % 2])).toBe(true);
  },
);

test("a deploy that finds its source live leaves the revisions as they are", async () => {
  const { deploy, record, read } = await recording();
  await deploy({ record });
  const { revisions } = await read();
  expect(await deploy({ record })).toMatchObject({ outcome: "unchanged" });
  expect((await read()).revisions).toEqual(revisions);
});

test("the revisions of another deployment do not count", { tags: "slow" }, async () => {
  const { deploy, record, read } = await recording();
  await deploy({ record });
  const { revisionId } = await deploy({ record, target: { name: "another-agent" } });
  expect((await read()).revisions.map(({ id }) => id)).toEqual([revisionId]);
});

test(
  "a rollback is one of the revisions, and the next deploy is compared with the last deploy",
  { tags: "slow" },
  async () => {
    const parts = await recording();
    const { deploy, record, read, of } = parts;
    const first = await deploy({ record });
    await put(parts, 7);
    const second = await deploy({ record });
    const before = await read();
    const back = await deploy({ record, source: { source: "revision", revision: first.revisionId } });
    const { revisions, ...after } = await read();
    expect({ ...after, revisions: before.revisions }).toEqual(before);
    const digest = before.revisions.at(-1)?.source_digest;
    expect(revisions).toEqual([{ id: back.revisionId, source_digest: digest }, ...before.revisions]);
    // Nobody asked for a comparison: a rollback always makes a revision.
    expect(of("recalled")).toHaveLength(2);
    expect(await deploy({ record })).toMatchObject({ outcome: "deployed" });
    expect(of("recalled").at(-1)?.reason).toBe(
      `revision ${back.revisionId} is the latest now, and not ${second.revisionId} of the record`,
    );
  },
);

test("a rollback of which the record cannot be written succeeds with a warning", { tags: "slow" }, async () => {
  const parts = await recording();
  const { deploy, record, of, deps, request } = parts;
  const first = await deploy({ record });
  await put(parts, 7);
  await deploy({ record });
  const back = request({ record, source: { source: "revision", revision: first.revisionId } });
  const beforeFirstWrite = async () => {
    await rm(record);
    await mkdir(join(record, "in-the-way"), { recursive: true });
  };
  expect(await deployRequest(back, { ...deps, beforeFirstWrite })).toMatchObject({ outcome: "deployed" });
  expect(of("warning").map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The deploy record could not be written, so a later rollback may not know this revision: /),
  ]);
});

test("a revision that is noted twice is one, whichever way its id is written", () => {
  const record = {
    format: 1 as const,
    deployment: { id: "d", name: "n" },
    revision: { id: "R-1", status: "DEPLOYED" },
    agent_answered: true,
    source_digest: "sha256:1",
    fingerprint: { salt: "s", secret_names: null, hash: "h" },
  };
  expect(revisionsWith({ id: "r-1", source_digest: "sha256:1" }, record)).toHaveLength(1);
  expect(revisionsWith({ id: "r-2", source_digest: "sha256:2" }, record)).toHaveLength(2);
});
