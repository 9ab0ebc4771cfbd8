import { expect, test } from "vitest";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { caseSet, judged, yesNo, type GivenCase } from "../rig.ts";

const GRADED: MetricFacts = { kind: "bounded", low: 0, high: 1, direction: "higher" };
const graded = (scores: readonly number[]) => caseSet(yesNo(scores), { correct: GRADED });

test("rows with an error and without a time get a warning, where no rule limits errors", () => {
  const rows = yesNo([1, 1, 1, 1]).map((one, at): GivenCase => ({
    ...one,
    scores: { correct: 1, latency: at < 2 ? 300 : null },
    errors: at < 2 ? 0 : 1,
  }));
  const now = caseSet(rows);
  const judgement = judged(now, undefined, "p95(latency) <= 3s");
  expect(judgement.status).toBe("passed");
  expect(judgement.warnings.slice(0, 1)).toEqual([
    "2 rows with an error have no latency, which `p95(latency) <= 3s` does not see: add `errors = 0` or `error_rate <= 5%`.",
  ]);
  expect(judged(now, caseSet(yesNo([1, 1, 1, 1])), "p95(latency) <= 3s").warnings).toEqual(judgement.warnings);
  expect(judged(now, undefined, "p95(latency) <= 3s\nerrors <= 2").warnings).toEqual([]);
  for (const rules of ["rows >= 1", "correct >= 0.9"]) {
    expect(judged(now, undefined, rules).warnings).toEqual([expect.stringContaining("This run is no baseline")]);
  }
});

test("a rule about newly failing cases gets a warning where no score is yes/no", () => {
  const [before, now] = [graded([1, 1, 0.5]), graded([0, 1, 0.5])];
  expect(judged(now, before, "newly_failing = 0\nnewly_flaky = 0").warnings).toEqual([
    "The rule `newly_failing = 0` holds for any results: no score has only the values 0 and 1.",
    "The rule `newly_flaky = 0` holds for any results: no score has only the values 0 and 1.",
  ]);
  expect(judged(now, caseSet(yesNo([1, 1, 1])), "newly_failing = 0").warnings).toEqual([]);
});

test("a partial score does not hide a case that failed outright", () => {
  const before = caseSet(yesNo([1, 1, 1, 1]));
  const judgement = judged(graded([0, 0, 0.5, 1]), before, "newly_failing = 0");
  expect(judgement).toMatchObject({ status: "failed", counts: { newlyFailing: 2, newlyFlaky: 0, worse: 1 } });
});

test("a run with fewer rows of each case than the baseline gets a warning", () => {
  const of = (trials: readonly number[]) => caseSet([{ name: "a", scores: { correct: trials } }]);
  expect(judged(of([1]), of([1, 0, 1]), "rows >= 1").warnings).toEqual([
    "Most cases of the baseline have 3 rows, and of this run 1: make sure that no rows were lost.",
  ]);
  expect(judged(of([1, 1, 1]), of([1, 0, 1]), "rows >= 1").warnings).toEqual([]);
});
