import { join } from "node:path";
import { expect, test } from "vitest";
import { readBaseline, type BaselineRequest } from "../../../src/judgement/cases/baseline.ts";
import { SnapshotError } from "../../../src/judgement/cases/errors.ts";
import { writeSnapshot } from "../../../src/judgement/cases/snapshot-writer.ts";
import { casesRig } from "./cases-rig.ts";
import { setOf, trial } from "./made-sets.ts";

async function baselineRig() {
  const { workspace, deps, filesOf, write } = await casesRig();
  const snapshot = (name: string, created: string, accuracy: number) => {
    const set = setOf([trial(1, { accuracy })], { created, run: name });
    writeSnapshot(set, { path: join(workspace, "baselines", name), name });
  };
  const read = async (patterns: readonly string[], more: Partial<BaselineRequest> = {}) => {
    const results = { files: await filesOf(patterns), format: undefined, mapping: undefined, workspace };
    const request = { results, run: {}, directions: new Map(), keepsTexts: false, keep: 5, judged: {} };
    return await readBaseline({ ...request, ...more }, deps);
  };
  return { write, snapshot, read };
}

test("the snapshots of a directory are pooled, each as a run", async () => {
  const { snapshot, read } = await baselineRig();
  snapshot("1.snapshot.jsonl", "2026-11-01T00:00:00Z", 0);
  snapshot("2.jsonl", "2026-11-02T00:00:00Z", 1);
  const { baseline } = await read(["baselines/*"]);
  expect(baseline?.sources).toEqual(["baselines/2.jsonl", "baselines/1.snapshot.jsonl"]);
  expect(baseline?.cases.at(0)?.trials.map(({ values }) => values[0])).toEqual([0, 1]);
});

test("result files are one run together, beside snapshots", async () => {
  const { write, snapshot, read } = await baselineRig();
  const row = (id: number) => `${JSON.stringify({ id: `q-${String(id)}`, input: "a", exact: 1 })}\n`;
  await write({ "main/a.jsonl": row(1), "main/b.jsonl": row(2) });
  const { baseline } = await read(["main/*"]);
  expect(baseline?.runs).toHaveLength(1);
  expect(baseline?.cases).toHaveLength(2);
  expect(baseline?.sources).toEqual(["main/a.jsonl", "main/b.jsonl"]);
  snapshot("1.snapshot.jsonl", "2026-11-01T00:00:00Z", 0);
  expect((await read(["main/*", "baselines/*"])).baseline?.runs).toHaveLength(2);
});

test("a corrupt snapshot is an error, however many others there are", async () => {
  const { write, snapshot, read } = await baselineRig();
  snapshot("1.snapshot.jsonl", "2026-11-01T00:00:00Z", 0);
  await write({ "baselines/2.snapshot.jsonl": '{"schema":"graph-deploy/snapshot@1"' });
  await expect(read(["baselines/*"])).rejects.toThrow(SnapshotError);
  await expect(read(["baselines/*"])).rejects.toThrow("baselines/2.snapshot.jsonl, line 1: ");
});

test("no files are no baseline", async () => {
  const { read } = await baselineRig();
  expect(await read(["none/*"])).toEqual({ baseline: undefined, left: [] });
});
