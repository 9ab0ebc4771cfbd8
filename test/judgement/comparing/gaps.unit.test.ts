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
    const open = { status: "incomplete", kinds: [] };
    expect(gapsOf([part, YES_NO], [whole, YES_NO], "quality not regressed")).toEqual(open);
    const unjudged = { status: "incomplete", kinds: ["missing-scores"] };
    expect(gapsOf([part, YES_NO], [whole, YES_NO], "errors = 0")).toEqual(unjudged);
  });

  test("are no gap where a rule is about them, where the baseline lacks as many, and where there are fewer trials", () => {
    expect(gapsOf([part, YES_NO], [whole, YES_NO], "missing_scores <= 20").kinds).toEqual([]);
    expect(gapsOf([part, YES_NO], [part, YES_NO], "quality not regressed").kinds).toEqual([]);
    const fewer = cases(Array.from({ length: 8 }, () => [1]));
    expect(gapsOf([fewer, YES_NO], [whole, YES_NO], "quality not regressed").kinds).toEqual([]);
  });
});

describe("scores that are missing", () => {
  const whole = cases([1, 1, 1, 1]);
  const failed = cases([1, 1, 1, null]).map((one, at) => ({ ...one, errors: at === 3 ? 1 : 0, metadata: { at } }));
  const lost = cases([1, 1, null, null]).map((one, at) => ({ ...one, errors: at === 3 ? 1 : 0 }));

  test("in rows with an error are allowed by a rule about errors, and no others are", () => {
    expect(gapsOf([failed, YES_NO], [whole, YES_NO], "errors <= 1")).toEqual({ status: "passed", kinds: [] });
    expect(gapsOf([failed, YES_NO], [whole, YES_NO], "error_rate <= 50%").kinds).toEqual([]);
    expect(gapsOf([lost, YES_NO], [whole, YES_NO], "errors <= 1").kinds).toEqual(["missing-scores"]);
    expect(gapsOf([lost, YES_NO], [whole, YES_NO], "errors <= 1\nmissing_scores <= 2").kinds).toEqual([]);
  });

  test("are allowed in rows with an error beside others that lacked them before", () => {
    const before = cases([[1, null, 1]]);
    const now = cases([[null, null, 1]]).map((one) => ({ ...one, errors: 1 }));
    expect(gapsOf([now, YES_NO], [before, YES_NO], "errors <= 1").kinds).toEqual([]);
    expect(gapsOf([cases([[null, null, 1]]), YES_NO], [before, YES_NO], "errors <= 1").kinds).toEqual([
      "missing-scores",
    ]);
  });

  test("of times and costs are missing only where a rule compares them", () => {
    const of = (latency: number | null) => [
      { name: "a", scores: { quality: 1, latency } },
      { name: "b", scores: { quality: 1, latency: 5 } },
    ];
    const [now, before] = [of(null), of(7)];
    expect(gapsOf([now, YES_NO], [before, YES_NO], "quality not regressed").kinds).toEqual([]);
    expect(gapsOf([now, YES_NO], [before, YES_NO], "p95(latency) <= 3s")).toEqual({ status: "passed", kinds: [] });
    expect(gapsOf([now, YES_NO], [before, YES_NO], "latency rise <= 20%")).toEqual({ status: "incomplete", kinds: [] });
  });

  test("are not allowed by a rule that only warns, or that is about a part", () => {
    for (const rule of ["warn: errors <= 1", "errors [at < 2] = 0", "warn: missing_scores <= 9"]) {
      expect(gapsOf([failed, YES_NO], [whole, YES_NO], rule).kinds).toEqual(["missing-scores"]);
    }
  });
});

describe("cases that cannot be compared", () => {
  const before = cases(Array.from({ length: 10 }, () => 1)).map((one) => ({ ...one, metadata: { lang: "de" } }));
  const changed = (count: number) => before.map((one, at) => (at < count ? { ...one, digest: "other" } : one));

  test("are a gap where most were asked otherwise than in the baseline, unless a rule is about them", () => {
    expect(gapsOf([changed(5), YES_NO], [before, YES_NO], "quality not regressed").kinds).toEqual([]);
    expect(gapsOf([changed(6), YES_NO], [before, YES_NO], "quality not regressed").kinds).toEqual(["changed-cases"]);
    expect(gapsOf([changed(6), YES_NO], [before, YES_NO], "unmatched <= 6")).toEqual({ status: "passed", kinds: [] });
  });

  test("are a gap where they have no row, whatever a rule says of a part", () => {
    for (const rule of ["unmatched [lang = fr] <= 0", "warn: unmatched <= 9", "quality not regressed"]) {
      const others = [...before.slice(1), { name: "new", scores: { quality: 1 }, metadata: { lang: "fr" } }];
      expect(gapsOf([others, YES_NO], [before, YES_NO], rule).kinds).toEqual(["missing-cases"]);
    }
  });
});

describe("rows that are lost", () => {
  const before = cases(Array.from({ length: 8 }, () => [1, 0, 1]));
  const uneven = cases(Array.from({ length: 8 }, (_, at) => (at < 4 ? [1, 1] : [1, 0, 1])));

  test("are a gap where other cases have all of theirs, and a warning where all cases have fewer", () => {
    expect(gapsOf([uneven, YES_NO], [before, YES_NO], "quality not regressed").kinds).toEqual(["missing-trials"]);
    expect(gapsOf([uneven, YES_NO], [before, YES_NO], "missing_scores = 0").kinds).toEqual(["missing-trials"]);
    expect(gapsOf([uneven, YES_NO], [before, YES_NO], "rows >= 20").kinds).toEqual([]);
    expect(gapsOf([before, YES_NO], [uneven, YES_NO], "quality not regressed").kinds).toEqual([]);
  });

  test("are not those of cases that were tried once more, which are another gap", () => {
    const tried = (...places: readonly number[]) =>
      cases(Array.from({ length: 8 }, (_, at) => (places.includes(at) ? [0, 1] : [1])));
    expect(gapsOf([tried(5), YES_NO], [tried(3), YES_NO], "quality not regressed").kinds).toEqual(["more-rows"]);
    const runs = [0, 1, 2, 3, 4].map((at) => caseSet(tried(at)));
    const pooled = cases(Array.from({ length: 8 }, (_, at) => (at < 5 ? [1, 1, 1, 1, 0, 1] : [1, 1, 1, 1, 1])));
    const gates = Gates.parse("quality not regressed");
    const { gaps } = judge({ results: caseSet(tried(6)), baseline: baselineOf(caseSet(pooled), runs), gates });
    expect(gaps.map(({ kind }) => kind)).toEqual(["more-rows"]);
  });

  test("of a baseline that pools runs are counted by run", () => {
    const [one, other] = [caseSet(before), caseSet(before)];
    const six = cases(Array.from({ length: 8 }, () => [1, 0, 1, 1, 0, 1]));
    const baseline = baselineOf(caseSet(six), [one, other]);
    const gates = Gates.parse("quality not regressed");
    expect(judge({ results: caseSet(before), baseline, gates }).gaps).toEqual([]);
    expect(judge({ results: caseSet(uneven), baseline, gates }).gaps).toMatchObject([{ kind: "missing-trials" }]);
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
    expect(gapsOf(percents, shares, "quality >= 0.8").kinds).toEqual(["other-scale"]);
    expect(gapsOf(percents, shares, "quality <= 0.8").kinds).toEqual([]);
    expect(gapsOf(shares, percents, "quality <= 2").kinds).toEqual([]);
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
