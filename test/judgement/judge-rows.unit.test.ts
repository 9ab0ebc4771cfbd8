import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  BaselineError,
  Gates,
  GatesError,
  judge,
  parseSnapshot,
  ResultsError,
  snapshotText,
} from "../../src/judgement/index.ts";
import type { JudgeArguments, ResultRow } from "../../src/judgement/index.ts";

/** Rows of which the first ones fail, with as many trials of each. */
function rowsOf(cases: number, failing: number, trials = 1): readonly ResultRow[] {
  return Array.from({ length: cases * trials }, (_, at) => {
    const number = at % cases;
    return { id: `q-${String(number)}`, inputs: { number }, scores: { correct: number >= failing } };
  });
}

const run = (failing: number, more: object = {}) => ({ rows: rowsOf(40, failing), ...more });
const judged = async (given: Partial<JudgeArguments> = {}) =>
  await judge({ results: run(0), gates: "correct not regressed", datasetName: "qa", ...given });

describe("rows in memory", () => {
  test("are judged against the rows of a baseline, case by case", async () => {
    const { judgement } = await judged({ results: run(12), baseline: run(1) });
    expect(judgement).toMatchObject({ status: "failed", verdict: "regressed", now: { cases: 40 } });
    expect(judgement.counts.newlyFailing).toBe(11);
    expect(judgement.rules[0]?.places[0]).toMatchObject({ file: "rows", row: 2 });
  });

  test("may be a part of the cases that an earlier judgement had, in any order", async () => {
    const { results } = await judged({ results: run(12) });
    const part = { ...results, cases: [...results.cases].filter(({ name }) => name < "q-2").toReversed() };
    const { judgement, results: cases } = await judged({ results: part, baseline: run(1) });
    expect(judgement.now).toMatchObject({ cases: part.cases.length, trials: part.cases.length });
    expect([...cases.cases].map(({ name }) => name)).toEqual(part.cases.toReversed().map(({ name }) => name));
    expect(parseSnapshot(snapshotText(part)).cases).toHaveLength(part.cases.length);
  });

  test("are trials of one case where they have one id, and may come one by one", async () => {
    async function* rows() {
      yield* rowsOf(20, 0, 3);
    }
    const { judgement } = await judged({ results: { rows: rows() }, baseline: { rows: rowsOf(20, 0, 3) } });
    expect(judgement).toMatchObject({ status: "passed", now: { cases: 20, trials: 60 } });
  });

  test("of one id with other inputs are reported, whatever their order", async () => {
    const rows = [...rowsOf(40, 0), { id: "q-7", inputs: { number: 7.5 }, repetition: 1, scores: { correct: true } }];
    const [one, other] = [await judged({ results: { rows } }), await judged({ results: { rows: rows.toReversed() } })];
    expect(one.judgement.warnings).toEqual([
      "The case `q-7` has rows with other inputs or expected outputs: rows with one id count as trials of one case.",
    ]);
    const two = [...rows, { id: "q-3", inputs: {}, repetition: 1, scores: { correct: true } }];
    expect((await judged({ results: { rows: two.toReversed() } })).judgement.warnings).toEqual([
      expect.stringContaining("2 cases have rows with other inputs or expected outputs, the first `q-3`:"),
    ]);
    expect(other.judgement.warnings).toEqual(one.judgement.warnings);
  });

  test("of one id with other inputs are an error where they are no repetitions", async () => {
    const rows = [...rowsOf(40, 0), { id: "q-7", inputs: { number: 7.5 }, scores: { correct: true } }];
    await expect(judged({ results: { rows } })).rejects.toThrow(
      "rows, row 41: the row has the same id as rows, row 8 but other inputs, and no `repetition`.",
    );
  });

  test("write no file", { tags: "slow" }, async () => {
    vi.stubEnv("TMPDIR", "/there/is/no/such/directory");
    onTestFinished(() => void vi.unstubAllEnvs());
    // More than one page of times, and two rows of one id to compare.
    const { judgement } = await judged({ results: { rows: rowsOf(17_000, 0, 1) }, gates: "rows = 17000" });
    expect(judgement.status).toBe("passed");
  });

  test("need no baseline for rules about themselves", async () => {
    const { judgement } = await judged({ gates: "correct >= 0.9", baseline: [] });
    expect(judgement).toMatchObject({ status: "passed", verdict: "not compared" });
    const failing = await judged({ onMissingBaseline: "fail" });
    expect(failing.judgement.status).toBe("failed");
  });
});

describe("an earlier judgement", () => {
  test("is a baseline by its cases, by its snapshot and pooled with others", async () => {
    const { results } = await judged({ results: run(1, { run: "1", created: "2026-11-01T00:00:00Z" }) });
    const again = parseSnapshot(snapshotText(results));
    expect(snapshotText(again)).toBe(snapshotText(results));
    const second = run(1, { run: "2", created: "2026-11-02T00:00:00Z" });
    const { judgement } = await judged({ results: run(12, { run: "3" }), baseline: [again, second] });
    expect(judgement).toMatchObject({
      status: "failed",
      baseline: { runs: 2, sources: ["run 2", "run 1"] },
    });
    const own = await judged({ results: run(0, { run: "1" }), baseline: results });
    expect(own.judgement).toMatchObject({
      status: "bootstrap",
      warnings: [expect.stringContaining("it is a snapshot of the workflow run that is judged")],
    });
  });

  test("is an anchor, whose broken rules are warnings", async () => {
    const { judgement } = await judged({ results: run(12), baseline: run(12), anchor: run(0, { ref: "v1.0.0" }) });
    expect(judgement.status).toBe("warned");
    expect(judgement.warnings).toEqual([expect.stringMatching(/^Against the anchor v1.0.0: /)]);
  });

  test("of another evaluator is not compared, unless that is allowed", async () => {
    const runs = { results: run(0, { evaluator: "a" }), baseline: run(0, { evaluator: "b" }) };
    await expect(judged(runs)).rejects.toThrow(BaselineError);
    const { judgement } = await judged({ ...runs, onEvaluatorChange: "warn" });
    expect(judgement.warnings).toHaveLength(1);
  });
});

describe("what is wrong", () => {
  test("with the rules is one error with all faults", async () => {
    const parsing = await judged({ gates: "acuracy >= \ncorrect not worse" }).catch((error: unknown) => error);
    expect(parsing).toBeInstanceOf(GatesError);
    expect((parsing as GatesError).faults.map(({ line }) => line)).toEqual([1, 2]);
    const gates = Gates.parse("corect >= 0.9\ntone >= 0.9");
    await expect(judged({ gates })).rejects.toMatchObject({ code: "GATES", faults: [{ line: 1 }, { line: 2 }] });
  });

  test("with the rows is one error with all faults", async () => {
    const rows = [{ inputs: "a", scores: { correct: "good" } }, { input: "b" }] as unknown as ResultRow[];
    const error = await judged({ results: { rows } }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResultsError);
    expect((error as ResultsError).count).toBe(2);
  });

  test("with the arguments is one error with all faults", async () => {
    const wrong = { results: [], baseline: { row: [] }, gates: 1, directions: { cost: "less" }, colour: "red" };
    const error: unknown = await judge(wrong as unknown as JudgeArguments).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "ARGUMENTS" });
    const { faults } = error as { readonly faults: readonly string[] };
    for (const name of ["results", "baseline", "gates", "directions", "colour"]) {
      expect(
        faults.some((fault) => fault.includes(name)),
        name,
      ).toBe(true);
    }
  });

  test("with rules or a baseline that are not there is an error, since a judgement without them would be green", async () => {
    const faultsOf = async (given: object) => {
      const call = Reflect.apply(judge, undefined, [{ results: run(0), datasetName: "qa", ...given }]);
      const error: unknown = await (call as Promise<unknown>).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "ARGUMENTS" });
      return (error as { readonly faults: readonly string[] }).faults;
    };
    expect(await faultsOf({ gates: undefined })).toEqual([
      expect.stringMatching(/^`gates` is undefined: .*leave it out/),
    ]);
    for (const gates of ["", "# none yet", Gates.parse("")]) {
      expect(await faultsOf({ gates })).toEqual(["`gates` contains no rule; leave it out to judge without rules"]);
    }
    expect(await faultsOf({ baseline: undefined })).toEqual([expect.stringMatching(/^`baseline` is undefined: /)]);
    const { judgement } = await judge({ results: run(0), datasetName: "qa", baseline: [] });
    expect(judgement).toMatchObject({ status: "bootstrap", rules: [] });
  });

  test("with the direction of a metric that nobody measured is said with the metrics that there are", async () => {
    const fault = '`directions`: "corect" is not a metric; did you mean `correct`? (there is correct)';
    await expect(judged({ directions: { corect: "lower" } })).rejects.toMatchObject({ faults: [fault] });
    const { judgement } = await judged({ baseline: run(0), directions: { correct: "higher" } });
    expect(judgement.status).toBe("passed");
  });

  test("with a cluster is said with the keys that there are", async () => {
    await expect(judged({ cluster: "document" })).rejects.toMatchObject({ code: "ARGUMENTS" });
  });

  test("with an unknown cluster is said before the rows of the baseline are read", async () => {
    const rows = vi.fn(() => rowsOf(40, 0)[Symbol.iterator]());
    const baseline = { rows: { [Symbol.iterator]: rows } };
    await expect(judged({ cluster: "document", baseline })).rejects.toMatchObject({ code: "ARGUMENTS" });
    expect(rows).not.toHaveBeenCalled();
  });
});

test("a direction that is given turns what is harm", async () => {
  const rows = (value: number) => ({
    rows: rowsOf(40, 0).map((row, at) => ({ ...row, scores: { length: value + at / 1000 } })),
  });
  const given = { results: rows(0.5), baseline: rows(0.1), gates: "length not regressed" };
  await expect(judged(given)).rejects.toMatchObject({ code: "GATES" });
  expect((await judged({ ...given, directions: { length: "higher" } })).judgement.verdict).toBe("improved");
  expect((await judged({ ...given, directions: { length: "lower" } })).judgement.verdict).toBe("regressed");
});

test.each(["failed", "ter", "kl_divergence", "incorrect"])("a rise of %s is harm by its name", async (name) => {
  const rows = (value: number) => ({
    rows: rowsOf(40, 0).map((row, at) => ({ ...row, scores: { [name]: value + at / 1000 } })),
  });
  const given = { results: rows(0.5), baseline: rows(0.1), gates: `${name} not regressed` };
  expect((await judged(given)).judgement.verdict).toBe("regressed");
});

test("a score of harm is compared only where its direction is said, also where its results are cases", async () => {
  const rows = (value: number) => ({
    rows: rowsOf(40, 0).map((row, at) => ({ ...row, scores: { toxicity: value + at / 1000 } })),
  });
  const given = { results: rows(0.5), baseline: rows(0.1) };
  await expect(judged({ ...given, gates: "toxicity not regressed" })).rejects.toMatchObject({
    code: "GATES",
    faults: [expect.objectContaining({ hint: "give its direction, `toxicity: lower` or `toxicity: higher`" })],
  });
  await expect(judged({ ...given, gates: "toxicity drop <= 0.1" })).rejects.toMatchObject({ code: "GATES" });
  const { judgement, results } = await judged({ ...given, gates: "toxicity <= 0.6" });
  expect(judgement.status).toBe("passed");
  await expect(judged({ ...given, results, gates: "toxicity not regressed" })).rejects.toMatchObject({ code: "GATES" });
  const lower = await judged({ ...given, gates: "toxicity not regressed", directions: { toxicity: "lower" } });
  expect(lower.judgement.verdict).toBe("regressed");
});
