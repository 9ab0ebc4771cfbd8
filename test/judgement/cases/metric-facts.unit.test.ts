import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { mergedFacts, metricFacts, type SeenValues } from "../../../src/judgement/cases/metric-facts.ts";
import { MetricValues } from "../../../src/judgement/cases/case-columns.ts";

const YES_NO = { kind: "binary", low: 0, high: 1 } as const;
const NONE = { directions: new Map(), ranges: new Map() };

function seen(...values: readonly number[]): SeenValues {
  const all = new MetricValues();
  for (const [at, value] of values.entries()) all.set(at, value);
  return all.settle(values.length);
}

describe("the kind of a metric follows from its values", () => {
  test.each<[string, readonly number[], Omit<MetricFacts, "direction">]>([
    ["only 0 and 1", [0, 1, 1], { kind: "binary", low: 0, high: 1 }],
    ["within 0 and 1", [0, 0.5], { kind: "bounded", low: 0, high: 1 }],
    ["above 1", [0, 1, 2], { kind: "unbounded" }],
    ["below 0", [-0.1, 1], { kind: "unbounded" }],
  ])("%s", (_what, values, facts) => {
    const assumed = { direction: "higher", directionFrom: "assumed" };
    expect(metricFacts("score", seen(...values), NONE)).toEqual({ ...facts, ...assumed });
  });

  test("times, costs and counts are above 0, or of no range", () => {
    const [measured, named] = [
      { direction: "lower", directionFrom: "measured" },
      { direction: "lower", directionFrom: "name" },
    ];
    expect(metricFacts("latency", seen(0.5, 20), NONE)).toEqual({ kind: "positive", ...measured });
    expect(metricFacts("cost", seen(0, 1), NONE)).toEqual({ kind: "unbounded", ...measured });
    expect(metricFacts('"latency"', seen(0.5, 20), NONE)).toEqual({ kind: "positive", ...named });
    expect(metricFacts("total_cost", seen(0, 0.5), NONE)).toEqual({ kind: "unbounded", ...named });
  });

  test("a declared range counts, and a value outside of it is an error elsewhere", () => {
    const declared = {
      directions: new Map(),
      ranges: new Map([
        ["stars", { low: 1, high: 5 }],
        ["pass", { low: 0, high: 1 }],
      ]),
    };
    expect(metricFacts("stars", seen(1, 3), declared)).toMatchObject({ kind: "bounded", low: 1, high: 5 });
    expect(metricFacts("stars", seen(0, 3), declared)).toMatchObject({ kind: "bounded", low: 1, high: 5 });
    expect(metricFacts("pass", seen(0, 1), declared)).toMatchObject({ kind: "binary", low: 0, high: 1 });
  });
});

describe("the direction of a metric follows from its name, unless it is declared", () => {
  test.each([
    ...[
      "latency",
      "latency_ms",
      "p95_latency",
      "latency.p95",
      "totalCost",
      "cost",
      "cost_usd",
      "total_tokens",
      "tokenCount",
    ],
    ...["duration", "duration_s", "error_rate", "errors", "errorRate", "failure rate", "response_time_ms", "ttft"],
    ...["wer", "word_perplexity", "val_loss", "rmse", "edit_distance", "hallucination_rate", "timeouts"],
  ])("less of %s is better", (name) => {
    expect(metricFacts(name, seen(2, 3), NONE).direction).toBe("lower");
  });

  test.each(["accuracy", "cost_effectiveness", "s", "", "p95", "latency_ok", "token_f1"])(
    "more of %s is better",
    (name) => {
      expect(metricFacts(name, seen(2, 3), NONE).direction).toBe("higher");
    },
  );

  test.each(["toxicity", "Hallucination", "bias_score", "llm.harmfulness", "refusal_rate"])(
    "of %s nobody knows, unless it is declared",
    (name) => {
      expect(metricFacts(name, seen(0, 1), NONE).isDirectionUnsure).toBe(true);
      const declared = {
        ranges: new Map(),
        directions: new Map([[name, { direction: "higher", from: "given" }]] as const),
      };
      expect(metricFacts(name, seen(0, 1), declared)).not.toHaveProperty("isDirectionUnsure");
      const [one, other] = [metricFacts(name, seen(0, 1), NONE), metricFacts(name, seen(0, 5), NONE)];
      expect(mergedFacts(one, other).isDirectionUnsure).toBe(true);
    },
  );

  const failures = [
    ...["failed", "fails", "incorrect", "wrong", "invalid", "kl_divergence"],
    ...["ter", "wer", "cer", "mae", "mse", "rmse", "mape", "ece", "perplexity", "logloss", "cross_entropy", "defect"],
    ...["error", "failure", "mistakes", "false_positives", "failed_tests", "wrong_answers", "timed_out", "crashed"],
  ];
  const harms = [
    ...["hallucinated", "refused", "jailbroken", "noise_sensitivity", "noise_sensitivity_irrelevant", "violence"],
    ...["sexual", "sexual/minors", "self_harm", "self-harm/intent", "hate_unfairness", "hate", "protected_material"],
    ...["toxicity", "bias", "attack_success", "harassment/threatening", "maliciousness"],
  ];
  const higher = [
    ...["correct", "correctness", "pass", "passed", "accuracy", "success", "faithfulness", "similarity", "f1", "bleu"],
    ...["not_failed", "notFailed", "no_errors", "never wrong", "without-failures", "zero_defects", "non_failed"],
    ...["pass_fail", "pass/fail", "passed or failed", "correct_or_wrong", "right/wrong", "success_failure"],
    ...["distanced", "outdistance", "water"],
    ...["terse", "computer", "certain", "answer", "power", "message", "phase", "rephrase", "whatever", "chateau"],
  ];
  /** What tools add to a name that does not turn it around. */
  const WRITINGS: readonly ((name: string) => string)[] = [
    (name) => name,
    (name) => name.toUpperCase(),
    (name) => `llm.${name}`,
    (name) => `${name}(mode=relevant)`,
    (name) => `${name} [GEval]`,
    (name) => `${name} (judge) (2)`,
    (name) => `${name}_mean`,
    (name) => `mean(${name})`,
    (name) => name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()),
  ];
  const factsOf = (name: string) => metricFacts(name, seen(0, 1), NONE);

  test.each(failures)("less of %s is better, however it is written", (name) => {
    for (const written of [...WRITINGS.map((write) => write(name)), `${name}_rate`, `${name}_count`]) {
      expect([written, factsOf(written)]).toEqual([written, { ...YES_NO, direction: "lower", directionFrom: "name" }]);
    }
  });

  test("less of a distance is better, except from 0 to 1, where it may be 1 minus the distance", () => {
    for (const name of ["cosine_distance", "levenshtein_distance", "Edit Distance (chars)", "distance_mean"]) {
      expect([name, metricFacts(name, seen(0, 7), NONE).direction]).toEqual([name, "lower"]);
      expect([name, metricFacts(name, seen(0, 0.5), NONE).isDirectionUnsure]).toEqual([name, true]);
    }
    expect(metricFacts("distanced", seen(0, 0.5), NONE).isDirectionUnsure).toBeUndefined();
  });

  test("what noticed a failure may be good, and what is not a harm is", () => {
    for (const name of ["rejects_invalid", "found_defects", "handled_exceptions", "raises_exception"]) {
      expect([name, factsOf(name).isDirectionUnsure]).toEqual([name, true]);
    }
    for (const name of ["not_leaked", "no_hate", "not_hallucinated", "valid_or_invalid", "ok_fail", "cannot_fail"]) {
      expect([name, factsOf(name)]).toEqual([name, { ...YES_NO, direction: "higher", directionFrom: "name" }]);
    }
  });

  test.each(harms)("of %s nobody knows, however it is written", (name) => {
    for (const written of [...WRITINGS.map((write) => write(name)), `${name}_score`, `${name} severity`]) {
      expect([written, factsOf(written).isDirectionUnsure]).toEqual([written, true]);
    }
  });

  test.each(higher)("more of %s is better, however it is written", (name) => {
    for (const written of WRITINGS.map((write) => write(name))) {
      expect([written, factsOf(written)]).toMatchObject([written, { ...YES_NO, direction: "higher" }]);
      expect(factsOf(written)).not.toHaveProperty("isDirectionUnsure");
    }
  });

  test.each([
    ["usage (tokens)", "lower"],
    ["latency [ms]", "lower"],
    ["latency (p95) (warm)", "lower"],
    ["(errors)", "lower"],
    ["p95(wer)", "lower"],
    ["wer_score", "lower"],
    ["accuracy (errors)", "higher"],
    ["factual_correctness(mode=f1)", "higher"],
    ["failed)", "lower"],
    ["()", "higher"],
  ])("what is in the brackets of %s counts only as a unit, or where nothing else is named", (name, direction) => {
    const facts = metricFacts(name, seen(0, 0.5), NONE);
    expect(facts).toMatchObject({ direction });
    expect(facts).not.toHaveProperty("isDirectionUnsure");
  });

  test("a time that is 0 or 1 in one of two sets may be a score for it", () => {
    const [verdicts, none, times] = [seen(0, 1), seen(0, 0), seen(0, 0.02)].map((values) => {
      return metricFacts('"latency"', values, NONE);
    });
    if (verdicts === undefined || none === undefined || times === undefined) throw new Error("none");
    expect(verdicts).toMatchObject({ kind: "binary", isDirectionUnsure: true });
    expect(none).toEqual({ kind: "unbounded", direction: "lower", directionFrom: "name" });
    for (const merged of [mergedFacts(none, verdicts), mergedFacts(verdicts, none)]) {
      expect(merged.isDirectionUnsure).toBe(true);
    }
    expect(mergedFacts(none, times)).toEqual(none);
    const given = {
      directions: new Map([["latency", { direction: "higher", from: "given" }]] as const),
      ranges: new Map(),
    };
    expect(metricFacts("latency_met", seen(0, 1), given)).toMatchObject({ kind: "binary" });
  });

  test("a name of many brackets takes no long time", { tags: "slow" }, () => {
    expect(factsOf("a()".repeat(100_000)).direction).toBe("higher");
    expect(factsOf(`errors${"()".repeat(100_000)}`).direction).toBe("lower");
  });

  test("a declared one counts", () => {
    const declared = {
      ranges: new Map(),
      directions: new Map([
        ["total_cost", { direction: "higher", from: "file" }],
        ["a", { direction: "lower", from: "mapping" }],
      ] as const),
    };
    expect(metricFacts("total_cost", seen(2), declared)).toMatchObject({ direction: "higher", directionFrom: "file" });
    expect(metricFacts("a", seen(2), declared)).toMatchObject({ direction: "lower", directionFrom: "mapping" });
  });
});

test("the facts of two sets hold for the values of both, in whatever order", () => {
  const values = fc.array(fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }), fc.integer()), {
    minLength: 1,
  });
  const name = fc.constantFrom("score", "cost");
  fc.assert(
    fc.property(name, values, values, (metric, one, other) => {
      const [a, b] = [one, other].map((each) => metricFacts(metric, seen(...each), NONE)) as [MetricFacts, MetricFacts];
      expect(mergedFacts(a, b)).toEqual(mergedFacts(b, a));
      expect(mergedFacts(a, b)).toEqual(metricFacts(metric, seen(...one, ...other), NONE));
    }),
  );
});

test("declared ranges are widened, and the direction is that of the first", () => {
  const [one, other] = [
    { kind: "bounded", low: 1, high: 5, direction: "higher" },
    { kind: "bounded", low: 0, high: 4, direction: "lower" },
  ] as const;
  const declared = { kind: "bounded", isRangeDeclared: true } as const;
  expect(mergedFacts(one, other)).toEqual({ ...declared, low: 0, high: 5, direction: "higher" });
  // That one side does not declare it is no other range.
  const [plain, positive] = [
    { kind: "unbounded", direction: "higher" },
    { kind: "positive", direction: "lower" },
  ] as const;
  for (const merged of [mergedFacts(plain, one), mergedFacts(one, plain)])
    expect(merged).toEqual({ ...declared, low: 1, high: 5, direction: "higher" });
  expect(mergedFacts({ ...positive, low: 0, high: 9, isRangeDeclared: true }, positive)).toEqual({
    ...{ kind: "positive", low: 0, high: 9, direction: "lower", isRangeDeclared: true },
  });
});
