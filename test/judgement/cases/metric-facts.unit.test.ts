import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { mergedFacts, metricFacts } from "../../../src/judgement/cases/metric-facts.ts";
import { MetricValues } from "../../../src/judgement/cases/case-columns.ts";

const NONE = { directions: new Map(), ranges: new Map() };

function seen(...values: readonly number[]): MetricValues {
  const all = new MetricValues();
  for (const [at, value] of values.entries()) all.set(at, value);
  return all;
}

describe("the kind of a metric follows from its values", () => {
  test.each<[string, readonly number[], Omit<MetricFacts, "direction">]>([
    ["only 0 and 1", [0, 1, 1], { kind: "binary", low: 0, high: 1 }],
    ["within 0 and 1", [0, 0.5], { kind: "bounded", low: 0, high: 1 }],
    ["above 1", [0, 1, 2], { kind: "unbounded" }],
    ["below 0", [-0.1, 1], { kind: "unbounded" }],
  ])("%s", (_what, values, facts) => {
    expect(metricFacts("score", seen(...values), NONE)).toEqual({ ...facts, direction: "higher" });
  });

  test("times, costs and counts are above 0, or of no range", () => {
    expect(metricFacts("latency", seen(0.5, 20), NONE)).toEqual({ kind: "positive", direction: "lower" });
    expect(metricFacts("cost", seen(0, 1), NONE)).toEqual({ kind: "unbounded", direction: "lower" });
  });

  test("a declared range counts where all values are in it", () => {
    const declared = {
      directions: new Map(),
      ranges: new Map([
        ["stars", { low: 1, high: 5 }],
        ["pass", { low: 0, high: 1 }],
      ]),
    };
    expect(metricFacts("stars", seen(1, 3), declared)).toMatchObject({ kind: "bounded", low: 1, high: 5 });
    expect(metricFacts("stars", seen(0, 3), declared)).toMatchObject({ kind: "unbounded" });
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

  test.each(["accuracy", "cost_effectiveness", "error_handling", "s", "", "p95", "latency_ok", "tokens per second"])(
    "more of %s is better",
    (name) => {
      expect(metricFacts(name, seen(2, 3), NONE).direction).toBe("higher");
    },
  );

  test.each(["toxicity", "Hallucination", "bias_score", "llm.harmfulness", "refusal_rate"])(
    "of %s nobody knows, unless it is declared",
    (name) => {
      expect(metricFacts(name, seen(0, 1), NONE).isDirectionUnsure).toBe(true);
      const declared = { ranges: new Map(), directions: new Map([[name, "higher"]] as const) };
      expect(metricFacts(name, seen(0, 1), declared)).not.toHaveProperty("isDirectionUnsure");
      const [one, other] = [metricFacts(name, seen(0, 1), NONE), metricFacts(name, seen(0, 5), NONE)];
      expect(mergedFacts(one, other).isDirectionUnsure).toBe(true);
    },
  );

  test("a declared one counts", () => {
    const declared = {
      ranges: new Map(),
      directions: new Map([
        ["latency", "higher"],
        ["a", "lower"],
      ] as const),
    };
    expect(metricFacts("latency", seen(2), declared).direction).toBe("higher");
    expect(metricFacts("a", seen(2), declared).direction).toBe("lower");
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
  expect(mergedFacts(one, other)).toEqual({ kind: "bounded", low: 0, high: 5, direction: "higher" });
  expect(mergedFacts({ kind: "positive", direction: "lower" }, one)).toEqual({ kind: "unbounded", direction: "lower" });
});
