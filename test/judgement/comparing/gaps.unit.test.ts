import { describe, expect, test } from "vitest";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { baselineOf, caseSet, type GivenCase } from "../rig.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import { judge } from "../../../src/judgement/judge.ts";

type Trials = number | null | readonly (number | null)[];

function cases(scores: readonly Trials[], metric = "quality"): readonly GivenCase[] {
  return scores.map((score, at) => ({ name: `c${String(at)}`, scores: { [metric]: score } }));
}

function gapsOf(
  [now, nowFacts]: readonly [readonly GivenCase[], MetricFacts],
  [before, beforeFacts]: readonly [readonly GivenCase[], MetricFacts],
  gates: string,
) {
  const results = caseSet(now, { quality: nowFacts });
  const baseline = baselineOf(caseSet(before, { quality: beforeFacts }));
  const { gaps, status } = judge({ results, baseline, gates: Gates.parse(gates) });
  return { status, kinds: gaps.map(({ kind }) => kind) };
}

const YES_NO: MetricFacts = { kind: "binary", low: 0, high: 1, direction: "higher" };
const SHARE: MetricFacts = { kind: "bounded", low: 0, high: 1, direction: "higher" };
const NUMBER: MetricFacts = { kind: "unbounded", direction: "higher" };

describe("trials without a score that the baseline has", () => {
  const whole = cases(Array.from({ length: 8 }, () => [1, 0, 1]));
  const part = cases(Array.from({ length: 8 }, () => [1, null, null]));

  test("make the judgement incomplete, and not better", () => {
    expect(gapsOf([part, YES_NO], [whole, YES_NO], "quality not regressed")).toEqual({
      status: "incomplete",
      kinds: ["missing-scores"],
    });
  });

  test("are no gap where a rule is about them, where the baseline lacks as many, and where there are fewer trials", () => {
    for (const rule of ["errors <= 20", "missing_scores <= 20"]) {
      expect(gapsOf([part, YES_NO], [whole, YES_NO], rule).kinds).toEqual([]);
    }
    expect(gapsOf([part, YES_NO], [part, YES_NO], "quality not regressed").kinds).toEqual([]);
    const fewer = cases(Array.from({ length: 8 }, () => [1]));
    expect(gapsOf([fewer, YES_NO], [whole, YES_NO], "quality not regressed").kinds).toEqual([]);
  });
});

describe("a score on another scale than before", () => {
  const shares = [cases([0.5, 0.7, 0.9]), SHARE] as const;
  const percents = [cases([50, 70, 90]), NUMBER] as const;

  test("is not compared, whichever side has it from 0 to 1", () => {
    const both = { status: "incomplete", kinds: ["other-scale"] };
    expect(gapsOf(percents, shares, "quality not regressed")).toEqual(both);
    expect(gapsOf(shares, percents, "quality not worse by 0.02")).toEqual(both);
    expect(gapsOf([cases([4, 5, 3]), NUMBER], [cases([1, 0, 1]), YES_NO], "quality drop <= 0")).toEqual(both);
  });

  test("is no gap where no rule compares it, and of a count that fell to 0 or 1", () => {
    expect(gapsOf(percents, shares, "quality >= 40").kinds).toEqual([]);
    const [fewer, lower] = [cases([1, 0, 1]), { direction: "lower" } as const];
    const counts = [cases([2, 3, 2]), { ...NUMBER, ...lower }] as const;
    expect(gapsOf([fewer, { ...YES_NO, ...lower }], counts, "quality not regressed").kinds).toEqual([]);
  });
});

test("a change is within the range of both sides, and so is the level of the baseline", () => {
  const [before, now] = [Array.from({ length: 20 }, (_, at) => 40 + at), Array.from({ length: 20 }, (_, at) => at % 2)];
  const results = caseSet(cases(now), { quality: YES_NO });
  const baseline = baselineOf(caseSet(cases(before), { quality: NUMBER }));
  const [metric] = judge({ results, baseline, gates: Gates.parse("quality not regressed") }).metrics;
  const { interval } = metric?.comparison ?? {};
  expect(interval?.low).toBeLessThan(-49);
  expect(interval?.high).toBeLessThan(-45);
  expect(metric?.baseline?.interval?.high).toBeLessThan(60);
});
