import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { MetricFacts } from "../../../src/judgement/cases/case-set.ts";
import { areOtherScales, isMixed, scaleOf } from "../../../src/judgement/cases/score-scale.ts";
import { caseSet, judged, type GivenCase } from "../rig.ts";

interface ScaleCase {
  readonly id: string;
  readonly what: string;
  readonly input: {
    readonly baseline: readonly number[];
    readonly current: readonly number[];
    readonly values: readonly number[];
  };
  readonly expected: { readonly other_scale?: boolean; readonly mixed?: boolean };
}

const VALUES = JSON.parse(readFileSync(new URL("../../statistics/judgement-values.json", import.meta.url), "utf8")) as {
  readonly cases: readonly ScaleCase[];
};
const ofKind = (kind: string) => VALUES.cases.filter(({ what }) => what === kind);

describe("the values of the reference", () => {
  test.each(ofKind("other-scale"))("$id", ({ input: { baseline, current }, expected }) => {
    expect(areOtherScales(scaleOf(current), scaleOf(baseline))).toBe(expected.other_scale);
    expect(areOtherScales(scaleOf(baseline), scaleOf(current))).toBe(expected.other_scale);
  });
  test.each(ofKind("mixed-scale"))("$id", ({ input: { values }, expected }) => {
    expect(isMixed(scaleOf(values))).toBe(expected.mixed);
  });
});

const HIGHER: MetricFacts = { kind: "unbounded", direction: "higher" };
const LOWER: MetricFacts = { kind: "unbounded", direction: "lower" };
const SHARE: MetricFacts = { kind: "bounded", low: 0, high: 1, direction: "higher" };

type Given = readonly (number | readonly number[])[];

function factsOf(values: Given, facts: MetricFacts): MetricFacts {
  const isWithin = values.flat().every((value) => value >= 0 && value <= 1);
  return isWithin ? { ...SHARE, direction: facts.direction } : facts;
}

function gapsOf(now: Given, before: Given | undefined, gates: string, facts = HIGHER) {
  const setOf = (values: Given) => {
    const cases = values.map((value, at): GivenCase => ({ name: `c${String(at)}`, scores: { m: value } }));
    return caseSet(cases, { m: factsOf(values, facts) });
  };
  return judged(setOf(now), before && setOf(before), gates).gaps;
}

const kindsOf = (...given: Parameters<typeof gapsOf>) => gapsOf(...given).map(({ kind }) => kind);

describe("another scale than the baseline is a gap, and not an improvement", () => {
  test.each([
    ["percent for shares", [85, 90, 70], [0.85, 0.9, 0.7]],
    ["shares for percent", [0.85, 0.9, 0.7], [85, 90, 70]],
    ["a few rows of 100", [0, 0, 0, 100, 100], [0.9, 0.8, 1, 0.7, 0.2]],
    ["marks for yes and no", [4, 5, 3], [1, 0, 1]],
    ["one row of 20", [...Array.from({ length: 19 }, () => 0.5), 80], Array.from({ length: 20 }, () => 0.5)],
  ])("%s", (_what, now, before) => {
    const gates = "m not regressed";
    expect(["other-scale", "mixed-scale"]).toContain(kindsOf(now, before, gates)[0]);
  });

  test.each([
    ["a count that fell from 3 to 1", [1, 1, 0], [3, 2, 1], LOWER],
    ["a count that grew", [0, 2, 1], [0, 0, 1], LOWER],
    ["marks from 1 to 5", [1, 1, 1], [4, 3, 2], HIGHER],
    ["a cosine below 0", [-0.1, 0.3], [0.1, 0.3], HIGHER],
    ["shares that rounding brought over 1", [0.9, 1.000_000_5], [0.9, 0.8], HIGHER],
    ["percentages on both sides", [0, 30, 45], [1, 0, 52], HIGHER],
    [
      "trials of yes and no",
      [
        [1, 0, 1],
        [0, 0, 1],
      ],
      [
        [1, 1, 1],
        [0, 1, 1],
      ],
      HIGHER,
    ],
  ] as const)("and %s is none", (_what, now, before, facts) => {
    expect(kindsOf(now, before, "m not regressed", facts)).toEqual([]);
  });

  test("says how to accept it", () => {
    expect(gapsOf([85, 90], [0.85, 0.9], "m not regressed")[0]?.message).toBe(
      "Scores on two scales cannot be compared: one run has them from 0 to 1, and the other above 1: m. If the scores are right as they are, declare their range, as in `ranges: NAME = LOW..HIGH`, or in the metadata of the experiment: `score_ranges: { NAME: { min: LOW, max: HIGH } }`. To accept this change, run once on the main branch with `baseline: reset`.",
    );
  });
});

describe("a metric on two scales is a gap, with a baseline and without one", () => {
  const mixed = [0.9, 0.8, 0.95, 85];
  test.each([
    ["without a baseline", mixed, undefined, "m >= 0.5"],
    ["with a baseline", mixed, [0.9, 0.8, 0.9, 0.9], "m not regressed"],
  ] as const)("%s", (_what, now, before, gates) => {
    expect(kindsOf(now, before, gates)).toEqual(["mixed-scale"]);
  });

  test("where the baseline has it, this run can accept it", () => {
    const [gap] = gapsOf([0.9, 0.8, 0.9, 0.9], mixed, "m not regressed");
    expect(gap?.kind).toBe("other-scale");
    expect(gap?.message).toContain("Some rows of the baseline have scores from 0 to 1");
    expect(gap?.message).toContain("`baseline: reset`");
  });

  test.each([
    ["all are percentages", [30, 45]],
    ["a value is between", [0.5, 4, 30]],
    ["none is a fraction", [0, 1, 30]],
  ])("and is none where %s", (_what, now) => {
    expect(kindsOf(now, undefined, "m <= 50")).toEqual([]);
  });

  test("nor where a range is declared, or the metric is a time", () => {
    const cases = [0.5, 30].map((m, at) => ({ name: `c${String(at)}`, scores: { m, latency: m } }));
    const declared = caseSet(cases, { m: { kind: "bounded", low: 0, high: 100, direction: "higher" } });
    expect(judged(declared, undefined, "m >= 1\np95(latency) <= 3s").gaps).toEqual([]);
  });
});

describe("a limit for shares against scores above 1", () => {
  test.each([["m >= 90%"], ["m >= 0.9"], ["m > 0.9"], ["lower(m) >= 0.8"], ["m <= 90%"]])("is a gap: %s", (rule) => {
    const marks = Array.from({ length: 20 }, (_, at) => 60 + at);
    expect(kindsOf(marks, undefined, rule)).toEqual(["scale-of-limit"]);
    expect(kindsOf(marks, marks, rule)).toEqual(["scale-of-limit"]);
  });

  test("offers both forms", () => {
    expect(gapsOf([60, 85], undefined, "m >= 90%")[0]?.message).toBe(
      "`m >= 90%` is a share of 1, and the scores go up to 85: write `m >= 90` for scores from 0 to 100, or divide the scores by 100 for `m >= 0.9`. If the scores are right as they are, declare their range, as in `ranges: NAME = LOW..HIGH`, or in the metadata of the experiment: `score_ranges: { NAME: { min: LOW, max: HIGH } }`.",
    );
  });

  test.each([["m >= 80"], ["m <= 0.5"], ["m >= 1"], ["m > 0"], ["m drop <= 5%"]])(
    "and not where it is none: %s",
    (rule) => {
      expect(kindsOf([60, 85], [60, 85], rule)).toEqual([]);
    },
  );

  test("and not within shares, nor where a declared range makes a small limit likely", () => {
    expect(kindsOf([0.6, 0.85], undefined, "m >= 90%")).toEqual([]);
    const marks = [2, 4].map((m, at) => ({ name: `c${String(at)}`, scores: { m } }));
    const declared = (high: number) => caseSet(marks, { m: { kind: "bounded", low: 0, high, direction: "higher" } });
    expect(judged(declared(5), undefined, "m >= 0.5").gaps).toEqual([]);
    expect(judged(declared(100), undefined, "m >= 0.5").gaps).toHaveLength(1);
  });
});

describe("a rule that only warns", () => {
  const marks = (large: number) =>
    caseSet(
      Array.from({ length: 20 }, (_, at): GivenCase => ({
        name: `c${String(at)}`,
        scores: { ok: 1, m: at < large ? 50 + at : 0.5 },
      })),
      { m: large > 0 ? HIGHER : SHARE },
    );

  test.each([
    ["another scale than the baseline", 20, "warn: m not regressed", "Scores on two scales cannot be compared"],
    ["two scales", 5, "warn: m >= 0.4", "Some rows have scores from 0 to 1"],
    ["a limit of another scale", 20, "warn: m <= 90%", "`warn: m <= 90%` is a share of 1"],
  ])("is a warning for %s, and says why", (_what, large, gates, why) => {
    const both = [judged(marks(large), marks(0), `ok >= 0.9\n${gates}`)];
    if (!gates.includes("regressed")) both.push(judged(marks(large), undefined, `ok >= 0.9\n${gates}`));
    for (const { status, gaps, rules, headline } of both) {
      expect([status, gaps, rules[1]?.verdict]).toEqual(["warned", [], "incomplete"]);
      expect(rules[1]?.found).toContain(why);
      expect(headline).toContain(why);
    }
  });

  test("leaves a rule that binds as it is, and one that binds is a gap for both", () => {
    const { status, rules } = judged(marks(20), marks(0), "m <= 90\nwarn: m not regressed");
    expect([status, rules[0]?.holds, rules[1]?.holds]).toEqual(["warned", true, false]);
    expect(judged(marks(20), marks(0), "m not regressed\nwarn: m not regressed").status).toBe("incomplete");
  });
});

describe("a count that grew is not on another scale", () => {
  const of = (name: string, now: number, before: number) => {
    const setOf = (most: number) =>
      caseSet(
        Array.from({ length: 20 }, (_, at): GivenCase => ({
          name: `c${String(at)}`,
          scores: { [name]: at === 3 ? most : at % 2 },
        })),
        { [name]: factsOf([most], LOWER) },
      );
    return judged(setOf(now), setOf(before), `${name} rise <= 5`).gaps.map(({ kind }) => kind);
  };

  test.each([
    ["retries", 7, []],
    ["steps", 70, []],
    ["tool_calls", 12, []],
    ["retries", 0.5, []],
    ["retries", 70, ["other-scale"]],
    ["steps", 7.5, ["other-scale"]],
    ["tone", 7, ["other-scale"]],
  ])("%s of 0 or 1, and one of %d: %j", (name, most, kinds) => {
    expect(of(name, most, 1)).toEqual(kinds);
    expect(of(name, 1, most)).toEqual(kinds);
  });
});

describe("a range that is declared ends a gap about the scale", () => {
  const cases = (values: readonly number[]) =>
    values.map((m, at): GivenCase => ({ name: `c${String(at)}`, scores: { m } }));
  const RANGE: MetricFacts = { kind: "bounded", low: 0, high: 20, direction: "higher", isRangeDeclared: true };

  test.each([
    ["another scale than the baseline", [2, 14, 3], [0.2, 0.4, 0.3], "m drop <= 1"],
    ["two scales", [0.2, 14, 0.3], undefined, "m >= 0.3"],
    ["two scales in the baseline alone", [0.2, 0.4, 0.3], [0.2, 14, 0.3], "m >= 0.1\nm rise <= 9"],
    ["a limit", [1.5, 2, 1.2], undefined, "m >= 0.9"],
  ] as const)("%s", (_what, now, before, gates) => {
    const facts = (values: readonly number[]) => ({ m: factsOf(values, gates.includes("rise") ? LOWER : HIGHER) });
    const direction = gates.includes("rise") ? "lower" : "higher";
    const baseline = before && caseSet(cases(before), facts(before));
    const [gap, ...more] = judged(caseSet(cases(now), facts(now)), baseline, gates).gaps;
    expect(more).toEqual([]);
    expect(gap?.message).toContain("`score_ranges: { NAME: { min: LOW, max: HIGH } }`");
    expect(judged(caseSet(cases(now), { m: { ...RANGE, direction } }), baseline, gates).gaps).toEqual([]);
  });
});
