import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMapping } from "../../../src/experiments/rows/mapping.ts";
import { ResultsError } from "../../../src/experiments/reading/result-faults.ts";
import { dryRunUpload } from "../../../src/experiments/upload.ts";
import type { CaseSet } from "../../../src/judgement/cases/case-set.ts";
import { readCases } from "../../../src/judgement/cases/reading.ts";
import { snapshotLines, writeSnapshot } from "../../../src/judgement/cases/snapshot-writer.ts";
import { REQUEST } from "../../experiments/request.ts";
import { propertyRuns } from "../../property-runs.ts";
import { withCases, casesRig, NOW, plain } from "./cases-rig.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/results");
const textOf = (set: CaseSet) => [...snapshotLines(set)].join("");
const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** A snapshot line without what every row has. */
const row = (id: number, more: object = {}) => ({
  id: `q-${String(id)}`,
  input: `question ${String(id)}`,
  expected: "A",
  ...more,
});

withCases("rows become cases with their trials, metrics and what is measured", async ({ write, read }) => {
  await write({
    "a.jsonl": lines(
      row(2, { accuracy: 1, tone: 0.5, latency_ms: 20, language: "de" }),
      row(1, { accuracy: 0, tone: 0.25, latency_ms: 30, language: "en", total_tokens: 12, cost: 0.5 }),
      row(1, { accuracy: 1, tone: null, latency_ms: 10, language: "en", error: "broke" }),
    ),
  });
  const { run, metrics, cases } = plain(await read());
  expect(run).toEqual({
    dataset: {},
    created: NOW.toISOString(),
    isCreatedUnsure: true,
    isComplete: true,
    readings: { jsonl: 2 },
  });
  expect(metrics).toMatchObject({
    accuracy: { kind: "binary", low: 0, high: 1, direction: "higher" },
    cost: { kind: "positive", direction: "lower" },
    latency: { kind: "positive", direction: "lower" },
    tokens: { kind: "positive", direction: "lower" },
    tone: { kind: "bounded", low: 0, high: 1, direction: "higher" },
  });
  expect(cases.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
    {
      name: "q-1",
      metadata: { language: "en" },
      trials: [
        { values: [0, 0.5, 30, 12, 0.25], hasError: false, place: { file: "a.jsonl", line: 2 }, error: undefined },
        { values: [1, Number.NaN, 10, Number.NaN, Number.NaN], hasError: true, place: { file: "a.jsonl", line: 3 } },
      ],
    },
    { name: "q-2", metadata: { language: "de" }, trials: [{ values: [1, Number.NaN, 20, Number.NaN, 0.5] }] },
  ]);
});

withCases("texts are kept where they are asked for", async ({ write, read }) => {
  await write({ "a.jsonl": lines({ ...row(1), output: "B", exact: 0, error: "broke" }) });
  const [kept] = plain(await read({ keepsTexts: true })).cases;
  expect(kept).toMatchObject({ inputs: "question 1", expected: "A", trials: [{ outputs: "B", error: "broke" }] });
  const [bare] = plain(await read()).cases;
  expect(bare).toMatchObject({
    inputs: undefined,
    expected: undefined,
    trials: [{ outputs: undefined, error: undefined }],
  });
});

const someRow = fc.record({
  id: fc.nat(7),
  accuracy: fc.option(fc.constantFrom(0, 1)),
  tone: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  latency_ms: fc.option(fc.integer({ min: 1, max: 500 })),
});

test("the same rows in any order, of one file or of shards, are the same bytes", { tags: "slow" }, async () => {
  const { write, read, workspace } = await casesRig();
  const file = async (name: string, rows: readonly { id: number }[]) => {
    await write({ [name]: lines(...rows.map(({ id, ...more }) => row(id, more))) });
  };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(someRow, { minLength: 1, maxLength: 20 }), async (rows) => {
      const [all, turned, shards] = ["all", "turned", "shards"].map((name) => `${String(run)}/${name}`);
      run += 1;
      // Without a value in any row a column is no score.
      const scored = [...rows, { id: 8, accuracy: 1, tone: 0.5, latency_ms: 5 }];
      await file(`${all ?? ""}/rows.jsonl`, scored);
      await file(`${turned ?? ""}/rows.jsonl`, scored.toReversed());
      // The rows of a case are in one shard: a row of a second one would be the same row again.
      const parts = [...Map.groupBy(scored, ({ id }) => (id === 8 ? 0 : id % 2)).values()];
      for (const [part, of] of parts.entries()) {
        const head = { id: 8, accuracy: 1, tone: 0.5, latency_ms: 5 };
        await file(`${shards ?? ""}/${String(part)}.jsonl`, [head, ...of.filter(({ id }) => id !== 8)]);
      }
      const texts = await Promise.all(
        [all, turned, shards].map(async (name) =>
          textOf(await read({ patterns: [`${name ?? ""}/*`], run: { dataset: { name: "d" } } })),
        ),
      );
      expect(new Set(texts).size).toBe(1);
      expect(workspace).not.toBe("");
    }),
    { numRuns: propertyRuns(0.2) },
  );
});

interface Uploaded {
  readonly results: readonly { readonly row_id: string }[];
}

withCases("a case is called as its test is where its tool has no ids", async ({ write, read }) => {
  await write({
    "a.xml": '<testsuite name="s"><testcase classname="tests.test_faq" name="test_greeting"/></testsuite>',
  });
  expect(plain(await read()).cases).toMatchObject([{ name: "tests.test_faq > test_greeting" }]);
});

test.each([
  ["promptfoo/promptfoo.json", "promptfoo/promptfoo-repeat.json"],
  ["deepeval/result.json"],
  ["inspect/capitals.json", "inspect/capitals-zstd.eval"],
  ["braintrust/braintrust-trials.json"],
  ["csv/names.csv"],
  ["jsonl/names.jsonl"],
  ["junit/pytest-scores.xml"],
  ["langfuse/result.json"],
  ["lm-eval/samples_capitals-1.jsonl"],
  ["opik/result-trials.json"],
  ["phoenix/experiment-1.json", "phoenix/repetitions.csv"],
  ["pydantic-evals/report-repeat.json"],
  ["ragas-csv/ragas.csv"],
  ["vitest/vitest-evals.json"],
  ["native/experiment.json"],
  ["native-jsonl/with-header.jsonl"],
])("results of tools are read as the upload reads them %s", { tags: "slow" }, async (...files) => {
  const { workspace, read, deps, filesOf } = await casesRig();
  for (const [at, name] of files.entries()) {
    const copied = `${String(at)}-${name.replace("/", "-")}`;
    await cp(join(FIXTURES, name), join(workspace, copied));
    const set = await read({ patterns: [copied], run: { dataset: { name: "qa-set" } } });
    const results = { files: await filesOf([copied]), format: undefined, mapping: undefined, workspace };
    const request = { ...REQUEST, results, timePolicy: "expand", allowNoScores: true } as const;
    const [path = ""] = await dryRunUpload(request, { ...deps, requestDirectory: workspace });
    const body = JSON.parse(await readFile(path, "utf8")) as Uploaded;
    const ids = new Set(body.results.map(({ row_id: id }) => id));
    expect([...set.cases].flatMap(({ trials }) => trials)).toHaveLength(body.results.length);
    // The first repetition has the id of its case.
    expect([...set.cases].filter(({ key }) => !ids.has(key))).toEqual([]);
    expect(textOf(set)).toContain('"cases":');
  }
});

withCases("what was uploaded is read as the same cases", async ({ workspace, write, read, deps, filesOf }) => {
  await write({
    "a/rows.jsonl": lines(
      row(1, { exact: 1 }),
      row(1, { exact: 0 }),
      row(2, { exact: 1 }),
      { input: "x", exact: 1 },
      { input: "x", exact: 0 },
    ),
  });
  const results = { files: await filesOf(["a/*"]), format: undefined, mapping: undefined, workspace };
  const [path = ""] = await dryRunUpload({ ...REQUEST, results }, { ...deps, requestDirectory: workspace });
  await write({ "b/body.json": await readFile(path, "utf8") });
  const before = plain(await read({ patterns: ["a/*"], run: { dataset: { name: "qa-set" } } }), { withPlaces: false });
  const uploaded = plain(await read({ patterns: ["b/*"] }), { withPlaces: false });
  expect([...uploaded.cases].map(({ key, digest }) => [key, digest])).toEqual(
    [...before.cases].map(({ key, digest }) => [key, digest]),
  );
  expect([...uploaded.cases].map(({ trials }) => trials.length)).toEqual(
    [...before.cases].map(({ trials }) => trials.length),
  );
  expect(uploaded.run.dataset).toEqual({ name: "qa-set" });
});

withCases("rows with UUIDs of their own are trials of the case that their metadata name", async ({ write, read }) => {
  const native = (id: number, metadata?: object) => ({
    row_id: `0f8fad5b-d9cb-469f-a165-70867728950${String(id)}`,
    inputs: { question: id < 3 ? "same" : "other" },
    evaluation_scores: [{ key: "exact", score: 1 }],
    start_time: "2026-11-21T10:00:00Z",
    end_time: "2026-11-21T10:00:02Z",
    ...(metadata === undefined ? {} : { run_metadata: metadata }),
  });
  await write({
    "rows.jsonl": lines(
      native(1, { case_id: "q-1", repetition: 0 }),
      native(2, { case_id: "q-1", repetition: 1 }),
      native(3),
      native(4, { repetition: 0 }),
      native(5, { repetition: 1 }),
    ),
  });
  const set = await read({ run: { dataset: { name: "d" } } });
  expect(
    [...set.cases].map(({ name, trials }) => [name, trials.length]).filter(([, trials]) => trials === 2),
  ).toHaveLength(2);
  expect([...set.cases].find(({ name }) => name === "q-1")?.trials).toHaveLength(2);
  expect([...set.cases].map(({ key }) => key)).toContain("0f8fad5b-d9cb-469f-a165-708677289503");
  expect([...set.metrics.keys()]).toEqual(["exact", "latency"]);
  expect(set.run.created).toBe("2026-11-21T10:00:02Z");
});

withCases("facts of a run are those that are given, and else those of the files", async ({ write, read }) => {
  const metadata = {
    commit: "abc",
    run_id: 77,
    judge_model: "m-1",
    in_flight: 8,
    timeout: "2m",
    score_directions: { odd: "lower" },
    score_ranges: { stars: [1, 5] },
  };
  const header = {
    type: "experiment",
    experiment_name: "n",
    dataset_name: "qa",
    experiment_metadata: metadata,
    experiment_start_time: "2026-11-20T09:00:00Z",
    experiment_end_time: "2026-11-20T10:00:00Z",
  };
  const scores = [
    { key: "odd", score: 3 },
    { key: "stars", score: 4 },
    { key: "rated", score: 2, feedback_config: { type: "continuous", min: 0, max: 10 } },
  ];
  const body = {
    inputs: { a: 1 },
    evaluation_scores: scores,
    start_time: "2026-11-20T09:10:00Z",
    end_time: "2026-11-20T09:10:01Z",
  };
  await write({ "rows.jsonl": lines(header, body) });
  const { run, metrics } = plain(await read());
  expect(run).toEqual({
    ...{
      dataset: { name: "qa" },
      commit: "abc",
      run: "77",
      concurrency: 8,
      timeout: 120_000,
      created: "2026-11-20T10:00:00Z",
      isComplete: true,
    },
    evaluator: { judge_model: "m-1" },
    evaluatorDigest: expect.stringMatching(/^[\da-f]{32}$/) as string,
    readings: { "native-jsonl": 1 },
  });
  expect(metrics).toMatchObject({
    odd: { kind: "unbounded", direction: "lower" },
    stars: { kind: "bounded", low: 1, high: 5, direction: "higher" },
    rated: { kind: "bounded", low: 0, high: 10 },
  });
  const given = plain(
    await read({
      run: { commit: "def", evaluator: "e", created: "2026-11-21T00:00:00Z" },
      directions: new Map([["odd", "higher"]]),
    }),
  );
  expect(given.run).toMatchObject({ commit: "def", evaluator: "e", created: "2026-11-21T00:00:00Z", run: "77" });
  expect(given.metrics["odd"]?.direction).toBe("higher");
});

test("a mapping says which direction is better; a range that rows declare holds for all of them", async () => {
  const { write, read } = await casesRig();
  const mapping = await parseMapping("{inputs: q, scores: {odd: {from: odd, direction: lower}}}");
  if (!mapping.ok) throw new Error("the mapping is wrong");
  await write({ "a.jsonl": lines({ q: "a", odd: 3 }) });
  expect((await read({ mapping: mapping.mapping })).metrics.get("odd")).toMatchObject({
    kind: "unbounded",
    direction: "lower",
  });
  const score = { key: "stars", score: 7, feedback_config: { type: "continuous", min: 0, max: 5 } };
  await write({ "b.jsonl": lines({ inputs: { a: 1 }, evaluation_scores: [score] }) });
  expect((await read({ patterns: ["b.jsonl"] })).metrics.get("stars")).toMatchObject({
    ...{ kind: "bounded", low: 0, high: 5, isRangeDeclared: true },
  });
});

test("a range that the metadata state otherwise than the rows, or that is none, is told", async () => {
  const { write, read, warnings } = await casesRig();
  const score = { key: "stars", score: 4, feedback_config: { type: "continuous", min: 0, max: 10 } };
  const header = {
    ...{ type: "experiment", experiment_name: "n", dataset_name: "qa" },
    experiment_metadata: { score_ranges: { stars: { min: 1, max: 5 }, tone: { min: 5, max: 1 } } },
  };
  await write({
    "a.jsonl": lines(header, { inputs: { a: 1 }, evaluation_scores: [score, { key: "tone", score: 3 }] }),
  });
  const { metrics } = await read();
  expect(metrics.get("stars")).toMatchObject({ low: 1, high: 5, isRangeDeclared: true });
  expect(metrics.get("tone")).toMatchObject({ kind: "unbounded" });
  expect(warnings()).toContain(
    "The range of `stars` is 1 to 5 in the metadata of the experiment, and 0 to 10 in the rows: the first one counts.",
  );
  expect(warnings()).toContain(
    "The metadata of the experiment have no range for `tone` in `score_ranges`, which is ignored: write `{ min: LOW, max: HIGH }`.",
  );
});

test.each([
  [undefined, 0],
  [null, 0],
  [{}, 0],
  ["stars = 1..5", 1],
  [[1, 5], 1],
  [5, 1],
])("`score_ranges` that are %j are reported where they are not an object", async (ranges, count) => {
  const { write, read, warnings } = await casesRig();
  const experiment_metadata = ranges === undefined ? {} : { score_ranges: ranges };
  const header = { type: "experiment", experiment_name: "n", dataset_name: "qa", experiment_metadata };
  await write({ "a.jsonl": lines(header, { inputs: { a: 1 }, evaluation_scores: [{ key: "stars", score: 4 }] }) });
  expect((await read()).metrics.get("stars")).toMatchObject({ kind: "unbounded" });
  expect(warnings().filter((sentence) => sentence.includes("score_ranges"))).toEqual(
    new Array(count).fill(
      "The `score_ranges` in the metadata of the experiment are not an object, and are ignored: write `{ NAME: { min: LOW, max: HIGH } }`.",
    ),
  );
});

withCases("a score that is called as what is measured is a metric of its own", async ({ write, read }) => {
  const body = { inputs: { a: 1 }, start_time: "2026-11-20T09:10:00Z", end_time: "2026-11-20T09:10:01Z" };
  await write({ "a.jsonl": lines({ ...body, evaluation_scores: [{ key: "latency", score: 3 }] }) });
  const set = await read();
  expect([...set.metrics.keys()]).toEqual(['"latency"', "latency"]);
  expect([...(set.cases.at(0)?.trials[0]?.values ?? [])]).toEqual([3, 1000]);
});

test("several scores of one name are one, with their mean, as in the upload", async () => {
  const { write, read, warnings } = await casesRig();
  const scores = [{ key: "a", score: 0 }, { key: "a", score: 1 }, { key: "a" }, { key: "b", score: 1 }];
  await write({ "a.jsonl": lines({ inputs: { a: 1 }, evaluation_scores: scores }) });
  expect([...((await read()).cases.at(0)?.trials[0]?.values ?? [])]).toEqual([0.5, 1]);
  expect(warnings().join()).toContain("several scores with one name");
});

test.each(["cancelled-zstd.eval", "killed-zstd.eval", "old-killed.json"])(
  "%s is of a run that did not end",
  async (name) => {
    const { workspace, read } = await casesRig();
    await cp(join(FIXTURES, "inspect", name), join(workspace, name));
    expect((await read()).run.isComplete).toBe(false);
  },
);

withCases("a run that was interrupted did not end", async ({ write, read }) => {
  const jest = JSON.parse(await readFile(join(FIXTURES, "jest/jest.json"), "utf8")) as object;
  const pytest = JSON.parse(await readFile(join(FIXTURES, "pytest-json/pytest.json"), "utf8")) as object;
  await write({
    "jest.json": JSON.stringify({ ...jest, wasInterrupted: true }),
    "pytest.json": JSON.stringify({ ...pytest, exitcode: 2 }),
    "whole.json": JSON.stringify(jest),
  });
  for (const [file, isComplete] of [
    ["jest.json", false],
    ["pytest.json", false],
    ["whole.json", true],
  ] as const) {
    expect((await read({ patterns: [file] })).run.isComplete, file).toBe(isComplete);
  }
});

test("a row that two files share counts once, and one that differs between them is an error", async () => {
  const { write, read } = await casesRig();
  await write({ "a.jsonl": lines(row(1, { exact: 1 })), "b.jsonl": lines(row(1, { exact: 1 })) });
  expect((await read()).cases.at(0)?.trials).toHaveLength(1);
  await write({ "b.jsonl": lines(row(1, { exact: 0 })) });
  await expect(read()).rejects.toThrow("b.jsonl, line 1: the row is also in a.jsonl, line 1, with other content");
});

withCases("errors of rows are those of the upload, and the spool is removed", async ({ write, read, workspace }) => {
  const times = { start_time: "2026-11-20T09:10:02Z", end_time: "2026-11-20T09:10:01Z" };
  await write({ "a.jsonl": lines({ inputs: { a: 1 }, evaluation_scores: [{ key: "a", score: 1 }], ...times }) });
  await expect(read()).rejects.toThrow(ResultsError);
  await expect(read()).rejects.toThrow("a.jsonl, line 1: end_time is before start_time");
  await write({
    "a.jsonl": lines(row(1, { exact: 1 }), row(1, { exact: 0 }), row(2, { exact: 1 })),
    "b.jsonl": lines(row(1, { exact: 0 }), row(2, { exact: 0 })),
  });
  await expect(read()).rejects.toThrow("The results have 2 errors, and nothing was judged: b.jsonl, line 1: ");
  const names = ["qa", "other"].map((name) =>
    lines(
      { type: "experiment", experiment_name: "n", dataset_name: name },
      row(1, { inputs: {}, evaluation_scores: [] }),
    ),
  );
  await write({ "a.jsonl": names[0] ?? "", "b.jsonl": names[1] ?? "" });
  await expect(read()).rejects.toThrow('b.jsonl: its dataset is "other", but that of a.jsonl is "qa".');
  expect((await readdir(workspace)).toSorted()).toEqual(["a.jsonl", "b.jsonl"]);
});

withCases("files without rows are a set without cases", async ({ write, read, warnings }) => {
  await write({ "a.json": JSON.stringify({ experiment_name: "n", dataset_name: "d", results: [] }) });
  expect([...(await read()).cases]).toEqual([]);
  expect(warnings()).toEqual(["a.json contains no rows."]);
});

withCases("rows of a program are read as cases", async ({ deps }) => {
  const rows = [1, 2].map((id) => ({
    id,
    inputs: `q ${String(id)}`,
    scores: { exact: id === 1 },
    latencyMilliseconds: 5,
  }));
  const set = await readCases({ results: { rows }, run: {}, directions: new Map(), keepsTexts: false }, deps);
  expect(set.cases).toHaveLength(2);
  expect(set.metrics.get("exact")?.kind).toBe("binary");
});

test("snapshots of shards are read as one run, beside result files", async () => {
  const { write, read, workspace, deps, filesOf } = await casesRig();
  await write({
    "a.jsonl": lines(row(1, { exact: 1 })),
    "b.jsonl": lines(row(2, { exact: 0.5 })),
    "c.jsonl": lines(row(3, { exact: 1 })),
  });
  for (const name of ["a", "b"]) {
    const snapshot = `${name}.snapshot.jsonl`;
    writeSnapshot(await read({ patterns: [`${name}.jsonl`] }), { path: join(workspace, snapshot), name: snapshot });
  }
  const readAll = async (patterns: readonly string[]) => {
    const results = { files: await filesOf(patterns), format: undefined, mapping: undefined, workspace };
    return await readCases(
      { results, run: { commit: "abc" }, directions: new Map([["exact", "lower"]]), keepsTexts: false },
      deps,
    );
  };
  const whole = await readAll(["*.snapshot.jsonl", "c.jsonl"]);
  expect([...whole.cases].map(({ name }) => name).toSorted()).toEqual(["q-1", "q-2", "q-3"]);
  expect(whole.metrics.get("exact")).toMatchObject({ kind: "bounded", low: 0, high: 1, direction: "lower" });
  expect(whole.run.commit).toBe("abc");
  const files = await read({
    patterns: ["a.jsonl", "b.jsonl", "c.jsonl"],
    run: { commit: "abc" },
    directions: new Map([["exact", "lower"]]),
  });
  expect(textOf(whole)).toBe(textOf(files));
});

withCases("a row keeps when it began, and which of its scores have no number", async ({ write, read }) => {
  const row = (id: string, more: object) => ({ id, inputs: { q: id }, outputs: { a: 1 }, ...more });
  const time = { start_time: "2026-11-20T10:00:00.000001Z", end_time: "2026-11-20T10:00:01Z" };
  await write({
    "rows.jsonl": lines(row("a", { ...time, scores: { ok: 1, tone: null } }), row("b", { scores: { ok: 1 } })),
  });
  const trials = Object.fromEntries(Array.from((await read()).cases, (one) => [one.name, one.trials]));
  expect(trials["a"]).toMatchObject([{ start: Date.parse("2026-11-20T10:00:00Z") * 1000 + 1 }]);
  expect(trials["b"]).toMatchObject([{ start: undefined, unscored: [] }]);
});

test.each<[string, readonly object[], boolean]>([
  ["each row states it", [{ repetition: 0 }, { repetition: 1 }], true],
  ["one does not", [{ repetition: 0 }, {}], false],
])("a run knows whether its rows state which repetition they are: %s", async (_what, rows, areRepetitionsStated) => {
  const { write, read } = await casesRig();
  const lines = rows.map((more) => JSON.stringify({ id: "a", inputs: { q: 1 }, scores: { correct: 1 }, ...more }));
  await write({ "rows.jsonl": lines.join("\n") });
  expect((await read()).run.areRepetitionsStated === true).toBe(areRepetitionsStated);
});

withCases("a file whose outputs stand in a column that is not read as such is not judged", async ({ write, read }) => {
  await write({
    "a.jsonl": lines({ input: "q", bot_wrote_reply: "x", exact: 1 }, { input: "r", bot_wrote_reply: "y", exact: 1 }),
  });
  await expect(read()).rejects.toThrow(
    "a.jsonl: no row has an output, but the column `bot_wrote_reply` looks like one",
  );
});
