import { describe, expect, test } from "vitest";
import { compare } from "../../../src/statistics/comparison.ts";
import { levelOf } from "../../../src/statistics/level.ts";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import {
  ageText,
  changeText,
  differenceBeside,
  differenceText,
  levelText,
  neededText,
  pText,
  sharedText,
  sizeText,
  valueBeside,
  valueText,
} from "../../../src/judgement/words/numbers.ts";

const SHARE: MetricFacts = { kind: "bounded", low: 0, high: 1, direction: "higher" };
const STARS: MetricFacts = { kind: "bounded", low: 1, high: 5, direction: "higher" };
const TIME: MetricFacts = { kind: "positive", direction: "lower" };

describe("a number of a judgement", () => {
  test("is a time for latencies, and has its limits", () => {
    expect(valueText("latency", 1_234)).toBe("1.2 s");
    // What a fast agent takes is not nothing.
    expect([0, 0.02134, 0.96].map((value) => valueText("latency", value))).toEqual(["0 ms", "0.0213 ms", "0.96 ms"]);
    expect(levelText("accuracy", 0.8667, { low: 0.81, high: 0.91 })).toBe("0.867 [0.81, 0.91]");
    expect(levelText("accuracy", 0.8667, undefined)).toBe("0.867");
  });

  test.each([
    [SHARE, "difference", -0.0204, "−2.0 pp"],
    [SHARE, "difference", 0.0001, "0.0 pp"],
    [SHARE, "difference", -0.0705, "−7.1 pp"],
    [SHARE, "difference", 0.8295 - 0.9, "−7.1 pp"],
    [STARS, "difference", 0.1235, "+0.123"],
    [STARS, "difference", 1.1235 - 1, "+0.123"],
    [TIME, "ratio", 1.0705, "+7.1 %"],
    [STARS, "difference", 0.25, "+0.25"],
    [TIME, "ratio", 1.093, "+9.3 %"],
    [TIME, "ratio", 0.9, "−10.0 %"],
  ] as const)("changes in the unit of its metric: %j, %s, %d", (facts, scale, change, text) => {
    expect(changeText(facts, scale, change)).toBe(text);
  });

  test("differs in its unit, which is a time for latencies", () => {
    expect(differenceText("accuracy", SHARE, -0.02)).toBe("−2.0 pp");
    expect(differenceText("latency", TIME, 318.2)).toBe("+318 ms");
    expect(differenceText("latency", TIME, -1_234)).toBe("−1.2 s");
    expect(differenceText("latency", TIME, 0)).toBe("0 ms");
  });

  test.each([
    ["accuracy", 0.8999, 0.9, "0.8999"],
    ["accuracy", 0.89, 0.9, "0.89"],
    ["accuracy", 0.9, 0.9, "0.9"],
    ["accuracy", 0.9 - 1e-12, 0.9, "0.9"],
    ["cost", 12.3439, 12.3449, "12.344"],
    ["latency", 3_040, 3_000, "3,040 ms"],
    ["latency", 3_000, 3_000, "3 s"],
    ["latency", 3_240, 3_000, "3.2 s"],
  ])("%s of %d beside the limit %d shows which side it is on", (metric, value, limit, text) => {
    expect(valueBeside(metric, value, limit)).toBe(text);
  });

  test.each([
    ["accuracy", SHARE, -0.0504, 0.05, "−5.04 pp"],
    ["accuracy", SHARE, -0.05, 0.05, "−5.0 pp"],
    ["accuracy", SHARE, 0.9 - 0.95, 0.05, "−5.0 pp"],
    ["latency", TIME, 3_040, 3_000, "+3,040 ms"],
    ["stars", STARS, -0.5004, 0.5, "−0.5004"],
  ])("a change of %s beside what is allowed shows which is larger: %j, %d, %d", (metric, facts, change, most, text) => {
    expect(differenceBeside(metric, facts, change, most)).toBe(text);
  });

  test.each([
    [50, 100, "of 50 cases that both runs have, from 0.9 to 0.8"],
    [100, 50, "of 50 cases that both runs have, from 0.9 to 0.8"],
    [50, 50, ""],
  ])("a change says of which cases it is, with %d cases now and %d in the baseline", (now, before, text) => {
    const scores = (count: number, mean: number) =>
      Float64Array.from({ length: count }, (_, at) => Number(at % 10 < mean * 10));
    const level = (count: number, mean: number) => levelOf(scores(count, mean), { kind: "binary" });
    const shared = Math.min(now, before);
    const comparison = compare({
      current: scores(shared, 0.8),
      baseline: scores(shared, 0.9),
      kind: { kind: "binary" },
      direction: "higher",
      trials: "single",
    });
    const judged = { metric: "correct", now: level(now, 0.8), baseline: level(before, 0.9), comparison };
    expect(sharedText(judged)).toBe(text);
  });

  test.each([
    [0.0004, "p < 0.001"],
    [0.0386, "p 0.039"],
    [0.5, "p 0.50"],
  ])("%d is written as a person reads it", (p, text) => {
    expect(pText(p)).toBe(text);
  });
});

describe("how much", () => {
  test("was measured, with trials where there are several", () => {
    expect(sizeText(1, 1)).toBe("1 case");
    expect(sizeText(200, 600)).toBe("200 cases × 3 trials");
    expect(sizeText(200, 500)).toBe("200 cases × about 2.5 trials");
  });

  test.each([
    [{ cases: 7, trials: undefined }, "about 7 cases"],
    [{ cases: 764, trials: 5 }, "about 770 cases or 5 trials of each case"],
    [{ cases: 12_503, trials: undefined }, "about 13,000 cases"],
  ])("would decide, in two digits: %j", (plan, text) => {
    expect(neededText(plan)).toBe(text);
  });

  test.each([
    [34_000, "34 s"],
    [3 * 3_600_000, "3 h"],
    [12 * 24 * 3_600_000 + 1, "12 days"],
  ])("time has passed: %d", (milliseconds, text) => {
    expect(ageText(milliseconds)).toBe(text);
  });
});
