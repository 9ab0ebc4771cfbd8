import { describe, expect, test } from "vitest";
import { TRIAL_OUTCOMES } from "../../src/contract/trial-outcome.ts";
import { judge, parseSnapshot, snapshotText, type JudgeArguments, type ResultRow } from "../../src/judgement/index.ts";

const UNREACHABLE = "unreachable";

/** Rows of as many cases: those with an outcome that is no measurement have no score, as the evaluation writes them. */
function rowsOf(outcomes: readonly string[], score: (at: number) => number = () => 1): readonly ResultRow[] {
  return outcomes.map((outcome, at): ResultRow => {
    const row = { id: `q-${String(at).padStart(2, "0")}`, inputs: { at }, metadata: { outcome } };
    if (outcome === "answered") return { ...row, scores: { correct: score(at) } };
    return outcome === "agent-error"
      ? { ...row, error: "ValueError", scores: { correct: 0 } }
      : { ...row, error: `no answer: ${outcome}` };
  });
}

const answered = (count: number) => Array.from({ length: count }, () => "answered");
const outage = (count: number, of: number, outcome = UNREACHABLE) => [
  ...answered(of - count),
  ...Array.from({ length: count }, () => outcome),
];

async function judged(rows: readonly ResultRow[], gates: string, more: Partial<JudgeArguments> = {}) {
  return await judge({ results: { rows }, gates, datasetName: "qa", ...more });
}

describe("trials in which nothing was measured", () => {
  test("make a judgement incomplete: 11 of 20 unreachable rows do not pass `correct >= 0.5`", async () => {
    const { judgement } = await judged(rowsOf(outage(11, 20)), "correct >= 0.5");
    expect(judgement).toMatchObject({ status: "incomplete", verdict: "incomplete" });
    expect(judgement.headline).toBe(
      "Incomplete: Nothing was measured in 11 of 20 rows (11 unreachable; a rule such as `unmeasured <= 11` allows it): q-09, q-10, q-11, q-12, q-13 and 6 more. Nothing can be said about the change: repair the evaluation, and run it again.",
    );
    expect(judgement.now).toMatchObject({ errors: 0, unmeasured: [{ outcome: UNREACHABLE, count: 11 }] });
    expect(judgement.counts).toMatchObject({ errors: 0, unmeasured: 11 });
  });

  test("do so with a baseline too, and are no missing scores, cases or errors there", async () => {
    const { results: baseline } = await judged(rowsOf(answered(20)), "correct >= 0.5");
    const gates = "correct not regressed\nerrors = 0\nmissing_scores = 0\nunmatched = 0";
    const { judgement } = await judged(rowsOf(outage(11, 20)), gates, { baseline });
    expect(judgement.gaps.map(({ kind }) => kind)).toEqual(["unmeasured"]);
    expect(judgement.rules.map(({ holds }) => holds)).toEqual([true, true, true, true]);
    expect(judgement.counts).toMatchObject({ missing: 0, removed: 0, added: 0 });
  });

  test.each(TRIAL_OUTCOMES)("%s: is a measurement, or makes it incomplete", async (outcome) => {
    const { judgement } = await judged(rowsOf([...answered(9), outcome]), "correct >= 0.5");
    const isMeasured = outcome === "answered" || outcome === "agent-error";
    expect(judgement.status).toBe(isMeasured ? "passed" : "incomplete");
    expect(judgement.now.unmeasured).toEqual(isMeasured ? [] : [{ outcome, count: 1 }]);
    expect(judgement.now.errors).toBe(Number(outcome === "agent-error"));
  });

  test.each([["answred"], ["resolved"], [7], [{ is: "answered" }]])(
    "an outcome that is not known is none: %j",
    async (outcome) => {
      const rows = [...rowsOf(answered(9)), { id: "x", inputs: {}, scores: { correct: 1 }, metadata: { outcome } }];
      const { judgement } = await judged(rows, "correct >= 0.5");
      expect(judgement.status).toBe("incomplete");
      const text = typeof outcome === "string" ? outcome : JSON.stringify(outcome);
      expect(judgement.headline).toContain(`in 1 of 10 rows (1 \`${text}\`;`);
      // Its score says nothing either.
      expect(judgement.metrics[0]?.now?.cases).toBe(9);
    },
  );

  test.each([[undefined], [null], [""]])("a row that states no outcome is a measurement: %j", async (outcome) => {
    const rows = [{ id: "x", inputs: {}, scores: { correct: 1 }, metadata: { outcome } }];
    expect((await judged(rows, "correct >= 0.5")).judgement.status).toBe("passed");
  });
});

describe("an outage of all rows", () => {
  test("is incomplete where no row shows the metric of a rule, of a direction or of a range", async () => {
    const { judgement } = await judged(rowsOf(outage(5, 5)), "correct not regressed\nunmeasured <= 5", {
      directions: { correct: "higher" },
      ranges: { correct: { min: 0, max: 1 } },
      onMissingBaseline: "fail",
    });
    expect(judgement.status).toBe("incomplete");
    expect(judgement.gaps.map(({ message }) => message)).toEqual([
      "Nothing was measured in 5 of 5 rows (5 unreachable): q-00, q-01, q-02, q-03, q-04.",
    ]);
  });

  test("says nothing of the baseline: there is no change to accept", async () => {
    const { results: baseline } = await judged(rowsOf(answered(5)), "correct >= 0.5");
    const { judgement } = await judged(rowsOf(outage(5, 5)), "correct not regressed", { baseline });
    expect(judgement.gaps.map(({ kind }) => kind)).toEqual(["unmeasured"]);
    expect(judgement.headline).not.toContain("reset");
  });
});

describe("a rule about `unmeasured`", () => {
  test.each([
    ["unmeasured <= 2", "passed"],
    ["unmeasured = 2", "passed"],
    ["unmeasured <= 1", "incomplete"],
    ["warn: unmeasured <= 2", "incomplete"],
    ["unmeasured >= 1", "incomplete"],
    ["errors <= 2", "incomplete"],
    ["missing_scores <= 20", "incomplete"],
  ])("%s: %s with 2 of 20", async (rule, status) => {
    const { judgement } = await judged(rowsOf(outage(2, 20, "timeout")), `correct >= 0.9\n${rule}`);
    expect(judgement.status).toBe(status);
  });

  test("leaves the others to decide, and the first line says how many there are", async () => {
    const { results: baseline } = await judged(rowsOf(answered(20)), "correct >= 0.5");
    const gates = "correct not regressed\ncorrect >= 0.9\nerrors = 0\nmissing_scores = 0\nunmeasured <= 12";
    const rows = rowsOf([...outage(10, 18), "timeout", "timeout"]);
    const { judgement } = await judged(rows, gates, { baseline });
    expect(judgement.status).toBe("passed");
    expect(judgement.headline).toBe(
      "Passed: correct is as before on 8 of 20 cases; not measured: 10 unreachable and 2 timeout. All 5 rules hold.",
    );
    expect(judgement.now.notBaseline).toEqual([]);
  });

  test("does not hide what the agent did: a regression among the others is shown", async () => {
    const { results: baseline } = await judged(rowsOf(answered(20)), "correct >= 0.5");
    const gates = "newly_failing = 0\nunmeasured <= 2";
    const { judgement } = await judged(
      rowsOf(outage(2, 20), (at) => Number(at > 3)),
      gates,
      { baseline },
    );
    expect(judgement.status).toBe("failed");
    expect(judgement.counts.newlyFailing).toBe(4);
  });

  test("holds for some trials of a case: its others are its measure", async () => {
    const trials = (outcomes: readonly string[]) =>
      Array.from({ length: 10 }, () => rowsOf(outcomes)[0]).flatMap((_, at) =>
        outcomes.map((outcome, repetition): ResultRow => {
          const row = { id: `q-${String(at)}`, inputs: { at }, metadata: { outcome }, repetition };
          return outcome === "answered" ? { ...row, scores: { correct: 1 } } : { ...row, error: "away" };
        }),
      );
    const { results: baseline } = await judged(trials(answered(3)), "correct >= 0.5");
    const gates = "correct not regressed\nmissing_scores = 0\nunmeasured <= 10";
    const { judgement } = await judged(trials(["answered", "answered", UNREACHABLE]), gates, { baseline });
    expect(judgement).toMatchObject({ status: "passed", gaps: [] });
    expect(judgement.counts).toMatchObject({ unmeasured: 10, missing: 0 });
  });
});

describe("a run in which something was not measured", () => {
  const reason = "2 of 20 rows measured nothing (2 unreachable), and no rule allows that";

  test("is no baseline, and its snapshot says so and which rows they are", async () => {
    const { results } = await judged(rowsOf(outage(2, 20)), "correct >= 0.5");
    const stored = parseSnapshot(snapshotText(results));
    expect(stored.run.notBaseline).toEqual([reason]);
    expect([...stored.cases].filter(({ trials }) => trials[0]?.unmeasured === UNREACHABLE)).toHaveLength(2);
    expect(snapshotText(stored)).toBe(snapshotText(results));
    const { judgement } = await judged(rowsOf(answered(20)), "correct not regressed", { baseline: stored });
    expect(judgement).toMatchObject({ status: "bootstrap", baseline: undefined });
    expect(judgement.warnings).toEqual([`run 1 is left out of the baseline: ${reason}.`]);
  });

  test("is one where a rule allowed it: the cases without a measurement are not compared", async () => {
    const { results: baseline } = await judged(rowsOf(outage(2, 20)), "correct >= 0.5\nunmeasured <= 2");
    const { judgement } = await judged(rowsOf(answered(20)), "correct not regressed\nunmatched = 0", { baseline });
    expect(judgement).toMatchObject({ status: "passed", gaps: [] });
    expect(judgement.metrics[0]?.comparison?.cases).toBe(18);
    expect(judgement.baseline?.unmeasured).toEqual([{ outcome: UNREACHABLE, count: 2 }]);
  });
});

test("the latency of a row is how long its run took, where it says so", async () => {
  const startTime = new Date("2026-11-27T10:00:00Z");
  const row = { inputs: {}, startTime, endTime: new Date("2026-11-27T10:00:09Z") };
  const rows = [
    { ...row, id: "asked", metadata: { outcome: "answered", run_ms: 1_500, queued_ms: 7_500 } },
    { ...row, id: "other", metadata: {} },
  ];
  const { results } = await judged(rows, "latency <= 10s");
  expect([...results.cases].map(({ name, trials }) => [name, trials[0]?.values[0]]).toSorted()).toEqual([
    ["asked", 1_500],
    ["other", 9_000],
  ]);
});

test("what differs in each trial is no metadata of its case, and what its dataset says of the case is", async () => {
  const ofTrial = { attempts: 1, in_flight: 3, run_ms: 5, queued_ms: 1, run_id: "a", thread_id: "b", trace_id: "c" };
  const dataset = {
    id: "q",
    tier: "free",
    turns: ["a"],
    metadata: { language: "de", cost: 3, run_id: "of the dataset" },
  };
  const metadata = { outcome: "answered", case_id: "q", ...ofTrial, cluster: "doc-1", dataset_row: dataset };
  const rows = [{ id: "q", inputs: {}, scores: { correct: 1 }, metadata }];
  const { results } = await judged(rows, "correct >= 0.5");
  expect([...results.cases].map((one) => one.metadata)).toEqual([{ cluster: "doc-1", language: "de", tier: "free" }]);
  expect(results.metrics.has("cost")).toBe(false);
});
