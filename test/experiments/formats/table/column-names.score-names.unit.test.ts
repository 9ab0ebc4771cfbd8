import { expect, test } from "vitest";
import { isCountName, isOutcomeName, isScoreName } from "../../../../src/experiments/formats/table/column-names.ts";

test.each([
  ...["score", "Overall Score", "overallScore", "tone-rating", "model_score", "recall_at_5", "recall@5", "ndcg@10"],
  ...["score_mean", "helpfulness", "groundedness", "rubricscore", "Faithfulness", "is_correct", "f1", "exact_match"],
  ...["judge_verdict", "eval_1", "bertscore", "hallucination rate", "feedback.tone", "scores.tone"],
])("%s is the name of a score", (name) => {
  expect(isScoreName(name)).toBe(true);
});

test.each([
  ...[
    "num_contexts",
    "ruleid",
    "query_run",
    "retry_count",
    "answer_length",
    "bemerkt",
    "harness",
    "business",
    "witness",
  ],
  ...["score_threshold", "score_reason", "judge_model", "judge_id", "eval_date", "grade_comment", "score_count"],
  ...["num_passed", "rating_id", "", " ", "42", "評分"],
])("%j is none", (name) => {
  expect(isScoreName(name)).toBe(false);
});

test.each([
  ["status", "pass", true],
  ["run_status", "correct", true],
  ["status", "success", false],
  ["status", "ok", false],
  ["status", undefined, false],
  ["result", "ok", true],
  ["Test Outcome", "success", true],
  ["flag", "truth", false],
] as const)("verdicts in %s of the pair %s are scores: %s", (name, pair, isOne) => {
  expect(isOutcomeName(name, pair)).toBe(isOne);
});

test("a long name is read in time", () => {
  expect(isScoreName(`${"a_".repeat(100_000)}score`)).toBe(false);
});

test.each([
  [true, ["retry_count", "numContexts", "answer length", "num", "step_id", "batch-size"]],
  [false, ["correct", "country", "number1", "accounts", "valid", "resized", "no_errors", ""]],
])("a number of things has %s for such a name: %j", (isCount, names) => {
  expect(names.map(isCountName)).toEqual(names.map(() => isCount));
});
