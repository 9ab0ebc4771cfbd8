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
  expect(await read(["none/*"])).toEqual({ baseline: undefined, left: [], unsure: [] });
});

test.each([
  ["with scores of the whole that sum up nothing", "main.csv", "question,answer,exact\na,x,1\nb,y,0\n,,7\n"],
  ["with rounded ids", "main.csv", "id,question,exact\n8.26839E+17,a,1\n8.26839E+17,b,0\n"],
  ["with dates of Excel", "main.csv", "question,exact,start_time\na,1,45000.25\nb,0,45001.5\n"],
  [
    "with a row of several kinds of them",
    "main.csv",
    "question,answer,exact,start_time\na,x,1,45000.25\nb,y,0,45001.5\n,,7,45002\n",
  ],
])("result files of an older run %s are left out, as nobody can correct them", async (_what, name, content) => {
  const { write, snapshot, read } = await baselineRig();
  await write({ [name]: content });
  snapshot("1.snapshot.jsonl", "2026-11-01T00:00:00Z", 0);
  const { baseline, left } = await read([name, "baselines/*"]);
  expect(baseline?.sources).toEqual(["baselines/1.snapshot.jsonl"]);
  expect(left).toEqual([expect.objectContaining({ sources: [name], reason: "unclear-cases" })]);
  expect((await read([name])).left).toHaveLength(1);
});

test.each([
  ["a row with another number of cells", "question,exact\na,1\nb\n"],
  ["such a row beside a date of Excel", "question,exact,start_time\na,1,45000.25\nb,1\n"],
  ["a time of another form", "question,exact,start_time\na,1,yesterday\n"],
])("a result file with %s cannot be read, and is an error", async (_what, content) => {
  const { write, read } = await baselineRig();
  await write({ "main.csv": content });
  await expect(read(["main.csv"])).rejects.toThrow("main.csv, line ");
});
