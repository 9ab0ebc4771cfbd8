import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ResultsError } from "../../../src/experiments/reading/result-faults.ts";
import type { CasesRequest } from "../../../src/judgement/cases/reading.ts";
import type { CaseSet } from "../../../src/judgement/cases/case-set.ts";
import { snapshotLines, writeSnapshot } from "../../../src/judgement/cases/snapshot-writer.ts";
import { withCases, casesRig, plain } from "./cases-rig.ts";

type Row = Readonly<Record<string, unknown>>;
const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const row = (id: string, more: Row = {}): Row => ({ id, input: `question ${id}`, ...more });
const rowsOf = (count: number, more: Row, first = 0) =>
  Array.from({ length: count }, (_, at) => row(`q-${String(first + at)}`, more));

/** A file with what it says of its run, and rows with these scores. */
function native(header: Row, scores: Row, ids: readonly string[], metadata: Row = {}): string {
  const body = ids.map((id) => ({
    row_id: id,
    inputs: { question: id },
    evaluation_scores: Object.entries(scores).map(([key, score]) => ({ key, score })),
    start_time: "2026-11-20T09:10:00Z",
    end_time: "2026-11-20T09:10:01Z",
    run_metadata: metadata,
  }));
  return lines({ type: "experiment", ...header }, ...body);
}
const ids = (first: number, count = 4) =>
  Array.from({ length: count }, (_, at) => `0f8fad5b-d9cb-469f-a165-7086772895${String(10 + first + at)}`);
const [A, B] = [ids(0), ids(10)];
const NAMED = { dataset_name: "qa" };

async function runRig() {
  const rig = await casesRig();
  /** Each file read by itself, and written as a snapshot in its place. */
  const asSnapshots = async (names: readonly string[], run: CasesRequest["run"] = {}) => {
    for (const name of names) {
      const set = await rig.readRun({ patterns: [name], run });
      writeSnapshot(set, { path: join(rig.workspace, `snapshots/${name.replace("jsonl", "snapshot.jsonl")}`), name });
    }
  };
  return { ...rig, asSnapshots };
}

async function refusal(read: Promise<CaseSet>): Promise<string> {
  const error = await read.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ResultsError)) throw new Error("was read", { cause: error });
  return error.message;
}

const trialsOf = (set: CaseSet) => [...set.cases].map(({ trials }) => trials.length);

describe.each(["result files", "snapshots", "a snapshot and a result file"])("%s that are given together", (kind) => {
  const read = async (files: Readonly<Record<"a.jsonl" | "b.jsonl", string>>, request: Partial<CasesRequest> = {}) => {
    const rig = await runRig();
    await rig.write(files);
    const patterns =
      kind === "result files"
        ? ["a.jsonl", "b.jsonl"]
        : kind === "snapshots"
          ? ["snapshots/*"]
          : ["snapshots/b.*", "a.jsonl"];
    if (kind === "snapshots") await rig.asSnapshots(["a.jsonl", "b.jsonl"]);
    else if (kind !== "result files") await rig.asSnapshots(["b.jsonl"]);
    const set = rig.readRun({ patterns, ...request });
    return { set, warnings: rig.warnings };
  };
  const scores = { exact: 1 };

  test.each([
    [
      "of two datasets",
      native({ dataset_name: "math" }, scores, A),
      native({ dataset_name: "law" }, scores, B),
      /its dataset is "(math|law)", but that of \S+ is "(math|law)"/,
    ],
    [
      "of two evaluators",
      native({ ...NAMED, experiment_metadata: { judge_model: "m-1" } }, scores, A),
      native({ ...NAMED, experiment_metadata: { judge_model: "m-2" } }, scores, B),
      /its evaluator is not that of \S+: `judge_model: m-(1 → m-2|2 → m-1)`/,
    ],
    [
      "whose rows name two evaluators",
      native(NAMED, scores, A, { judge_model: "m-1" }),
      native(NAMED, scores, B, { judge_model: "m-2" }),
      /its evaluator is not that of \S+: `judge_model: m-(1 → m-2|2 → m-1)`/,
    ],
    [
      "with yes/no scores and percents",
      native(NAMED, { exact: 1 }, A),
      native(NAMED, { exact: 85 }, B),
      /`exact` is (1 to 1|85 to 85) here, and (1 to 1|85 to 85) in \S+: that is another scale/,
    ],
    [
      "with shares and marks",
      native(NAMED, { tone: 0.5 }, A),
      native(NAMED, { tone: 4 }, B),
      /`tone` is (0\.5 to 0\.5|4 to 4) here/,
    ],
    [
      "with two directions",
      native({ ...NAMED, experiment_metadata: { score_directions: { odd: "lower" } } }, { odd: 3 }, A),
      native({ ...NAMED, experiment_metadata: { score_directions: { odd: "higher" } } }, { odd: 3 }, B),
      /for `odd`, (more|less) is better, and in \S+ (more|less)/,
    ],
    [
      "with two declared ranges",
      native({ ...NAMED, experiment_metadata: { score_ranges: { odd: [0, 5] } } }, { odd: 3 }, A),
      native({ ...NAMED, experiment_metadata: { score_ranges: { odd: [0, 10] } } }, { odd: 3 }, B),
      /the range of `odd` is 0 to (5|10), and in \S+ 0 to (5|10)/,
    ],
  ])("%s are an error that names both files and both values", async (_what, a, b, message) => {
    const { set } = await read({ "a.jsonl": a, "b.jsonl": b });
    const said = await refusal(set);
    expect(said).toMatch(message);
    expect(said).toMatch(/\ba\.(snapshot\.)?jsonl/);
    expect(said).toMatch(/\bb\.(snapshot\.)?jsonl/);
  });

  test.each([
    ["that a count has in the one and not in the other", { retries: 1 }, { retries: 3 }],
    ["that are all 0 or 1 in the one, and shares in the other", { tone: 1 }, { tone: 0.4 }],
    ["of both kinds below and above 1", { ratio: 0.4 }, { ratio: 1 }],
    ["that are costs", { cost: 0.1 }, { cost: 80 }],
  ])("values %s are one metric", async (_what, one, other) => {
    const { set } = await read({ "a.jsonl": native(NAMED, one, A), "b.jsonl": native(NAMED, other, B) });
    expect((await set).cases).toHaveLength(8);
  });

  test("a file that states no evaluator is a warning where the other does", async () => {
    const { set, warnings } = await read({
      "a.jsonl": native({ ...NAMED, experiment_metadata: { judge_model: "m-1" } }, scores, A),
      "b.jsonl": native(NAMED, scores, B),
    });
    expect((await set).run.evaluator).toEqual({ judge_model: "m-1" });
    expect(warnings()).toEqual([
      expect.stringMatching(/b\.(snapshot\.)?jsonl does not state its evaluator, and the other files do\.$/),
    ]);
  });

  test("of two evaluators are judged together where that is allowed, with a warning", async () => {
    const { set, warnings } = await read(
      {
        "a.jsonl": native({ ...NAMED, experiment_metadata: { judge_model: "m-1" } }, scores, A),
        "b.jsonl": native({ ...NAMED, experiment_metadata: { judge_model: "m-2" } }, scores, B),
      },
      { onEvaluatorChange: "warn" },
    );
    expect((await set).cases).toHaveLength(8);
    expect(warnings()).toEqual([expect.stringContaining("That alone may change the scores.")]);
  });

  test("may each have another kind of cases, which another evaluator scores: a warning", async () => {
    const given = {
      "a.jsonl": native(NAMED, scores, A, { scorer: "exact NAME" }),
      "b.jsonl": native(NAMED, scores, B, { scorer: "llm NAME" }),
    };
    const { set, warnings } = await read(given);
    expect((await set).run.evaluator).toEqual({ scorer: '["exact NAME","llm NAME"]' });
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^\S+: its rows state another evaluator than those of \S+jsonl: `scorer: (exact|llm) NAME → (exact|llm) NAME`\.$/,
      ),
    ]);
  });

  test("are called by their names, whatever the values are", async () => {
    const datasets = await read({
      "a.jsonl": native({ dataset_name: "NAME 1" }, scores, A),
      "b.jsonl": native({ dataset_name: "NAME 2" }, scores, B),
    });
    expect(await refusal(datasets.set)).toMatch(/its dataset is "NAME \d", but that of \S+jsonl is "NAME \d"/);
    const { set } = await read({
      "a.jsonl": native({ ...NAMED, experiment_metadata: { judge_model: "NAME 1" } }, scores, A),
      "b.jsonl": native({ ...NAMED, experiment_metadata: { judge_model: "NAME 2" } }, scores, B),
    });
    expect(await refusal(set)).toMatch(/its evaluator is not that of \S+jsonl: `judge_model: NAME \d → NAME \d`/);
  });

  test("of two workflow runs say so, and of two attempts of one run do not", async () => {
    const files = (run: string, attempt: number) => ({
      "a.jsonl": native({ ...NAMED, experiment_metadata: { run_id: "7", run_attempt: 1 } }, scores, A),
      "b.jsonl": native({ ...NAMED, experiment_metadata: { run_id: run, run_attempt: attempt } }, scores, B),
    });
    const other = await (await read(files("8", 1))).set;
    expect(other.otherRun).toMatch(/\S+ is of the workflow run "[78]", but \S+ is of "[78]"\.$/);
    const allowed = await read(files("8", 1), { onRunChange: "warn" });
    expect((await allowed.set).otherRun).toBeUndefined();
    expect(allowed.warnings()).toEqual([other.otherRun]);
    expect((await (await read(files("7", 2))).set).otherRun).toBeUndefined();
  });

  test("a row that both have alike counts once, and one that differs is an error that offers trials", async () => {
    const same = { "a.jsonl": lines(...rowsOf(4, { exact: 1 })), "b.jsonl": lines(...rowsOf(4, { exact: 1 }, 2)) };
    expect(trialsOf(await (await read(same, { run: { dataset: { name: "" } } })).set)).toEqual([1, 1, 1, 1, 1, 1]);
    const other = { "a.jsonl": lines(...rowsOf(4, { exact: 1 })), "b.jsonl": lines(...rowsOf(4, { exact: 0 }, 3)) };
    const refused = (await read(other)).set;
    await expect(refused).rejects.toMatchObject({
      code: "RESULTS",
      reasons: expect.arrayContaining(["ROW_DIFFERS"]) as string[],
    });
    expect(await refusal((await read(other)).set)).toMatch(/is also in \S+b?\.?.*, with other content/);
  });

  test("each file is a trial where that is asked for, also with equal answers", async () => {
    const files = { "a.jsonl": lines(...rowsOf(4, { exact: 1 })), "b.jsonl": lines(...rowsOf(4, { exact: 1 }, 2)) };
    const set = await (await read(files, { filesAre: "trials" })).set;
    expect(trialsOf(set).toSorted()).toEqual([1, 1, 1, 1, 2, 2]);
  });
});

test.each(["a.snapshot.jsonl", "z.snapshot.jsonl"])(
  "rows that a snapshot of version 1 has too count once, and stay as they are known now: %s",
  async (name) => {
    const { write, read, readRun, warnings } = await runRig();
    const timed = { exact: 1, start_time: "2026-11-20T09:10:00Z", end_time: "2026-11-20T09:10:01Z" };
    await write({ "m.jsonl": lines(...rowsOf(3, timed), row("q-3", { ...timed, exact: null, clarity: 1 })) });
    const set = await read();
    const [first = "", ...others] = snapshotLines(set);
    const unknown = others.map((line) => {
      const { trials, ...one } = JSON.parse(line) as { trials: readonly Row[] };
      return { ...one, trials: trials.map(({ start: _start, unscored: _unscored, ...trial }) => trial) };
    });
    const schema = "graph-deploy/snapshot@1";
    await write({ [name]: lines({ ...(JSON.parse(first) as Row), schema }, ...unknown) });
    const { cases } = plain(await readRun({ patterns: ["m.jsonl", name] }));
    expect(cases).toHaveLength(4);
    for (const { trials } of cases)
      expect(trials.map(({ start }) => start)).toEqual([Date.parse(timed.start_time) * 1000]);
    expect(warnings()).toEqual(["4 cases are in two files, and count once."]);
  },
);

describe("files that are one trial each", () => {
  test.each([
    ["count the repetitions of each of them again", { repetition: 0 }],
    ["have rows without one", {}],
  ])("%s", async (_what, more) => {
    const { write, read } = await casesRig();
    const files = ["a", "b", "c"].map((name) => [`${name}.jsonl`, lines(...rowsOf(3, { exact: 1, ...more }))] as const);
    await write(Object.fromEntries(files));
    expect(trialsOf(await read({ filesAre: "trials" }))).toEqual([3, 3, 3]);
    expect(trialsOf(await read())).toEqual([1, 1, 1]);
  });

  test.each([
    ["from 0", [0, 1, 2]],
    ["from 1", [1, 2, 3]],
    ["in another order", [2, 0, 1]],
  ])("need not be asked for where their rows count the repetitions over all files, %s", async (_what, counts) => {
    const { write, read } = await casesRig();
    const names = ["a", "b", "c"];
    await write(
      Object.fromEntries(
        names.map((name, at) => [`${name}.jsonl`, lines(...rowsOf(3, { exact: 1, repetition: counts[at] }))]),
      ),
    );
    expect(trialsOf(await read())).toEqual([3, 3, 3]);
    // The same row in a second file is no further trial.
    await write({ "d.jsonl": lines(...rowsOf(3, { exact: 1, repetition: counts[1] })) });
    expect(trialsOf(await read())).toEqual([3, 3, 3]);
  });

  withCases("may have several rows of a case, and an own id for each", async ({ write, read }) => {
    const twice = lines(...[0, 1, 0].map((exact) => row("q-1", { exact })));
    await write({ "a.jsonl": twice, "b.jsonl": twice });
    expect(trialsOf(await read({ filesAre: "trials" }))).toEqual([6]);
    await write({ "c/a.jsonl": native(NAMED, { exact: 1 }, A), "c/b.jsonl": native(NAMED, { exact: 0 }, A) });
    expect(trialsOf(await read({ filesAre: "trials", patterns: ["c/*"] }))).toEqual([2, 2, 2, 2]);
  });

  withCases("a stated repetition that one file has twice is an error still", async ({ write, read }) => {
    const twice = lines(row("q-1", { exact: 1, repetition: 1 }), row("q-1", { exact: 0, repetition: 1 }));
    await write({ "a.jsonl": twice, "b.jsonl": twice });
    expect(await refusal(read({ filesAre: "trials" }))).toContain("with other content");
  });
});

test("a dataset that is given and is not that of a snapshot is an error", async () => {
  const { write, asSnapshots, readRun } = await runRig();
  await write({ "a.jsonl": native(NAMED, { exact: 1 }, A) });
  await asSnapshots(["a.jsonl"]);
  const read = readRun({ patterns: ["snapshots/*"], run: { dataset: { name: "other" } } });
  expect(await refusal(read)).toBe('snapshots/a.snapshot.jsonl: its dataset is "qa", but the given one is "other".');
});

test("snapshots of the shards of one run are what their rows are together", async () => {
  const { write, asSnapshots, readRun } = await runRig();
  const all = rowsOf(30, { exact: 1, language: "de", latency_ms: 20 });
  const parts = [0, 1, 2].map((part) => all.filter((_, at) => at % 3 === part));
  await write(Object.fromEntries(parts.map((of, part) => [`${String(part)}.jsonl`, lines(...of)])));
  const run = { dataset: { name: "qa" }, run: "7", commit: "abc" };
  await asSnapshots(["0.jsonl", "1.jsonl", "2.jsonl"], run);
  const joined = await readRun({ patterns: ["snapshots/*"], run });
  const rows = await readRun({ patterns: ["?.jsonl"], run });
  expect(joined.otherRun).toBeUndefined();
  expect([...snapshotLines(joined)].slice(1)).toEqual([...snapshotLines(rows)].slice(1));
  expect(plain(joined).run).toMatchObject({ dataset: { name: "qa" }, run: "7", commit: "abc" });
});
