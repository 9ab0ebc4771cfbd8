import { describe, expect, test } from "vitest";
import type { MetricFacts } from "../../src/judgement/cases/case-set.ts";
import { tableOfCases } from "../../src/judgement/report/cases-table.ts";
import { baselineOf, caseSet, judged, yesNo } from "./rig.ts";

const repeat = (value: number, times: number) => new Array<number>(times).fill(value);
const LARGE = [1e10, 2 ** 63, -999_999_999];
const SCORE = { score: { kind: "unbounded", direction: "higher" } } as const;
const set = (values: readonly number[], facts: Readonly<Record<string, MetricFacts>> = SCORE) =>
  caseSet(yesNo(values, Object.keys(facts)[0]), facts);

describe.each(LARGE)("an unchanged score of %d", (value) => {
  const [now, before] = [set([value, ...repeat(20, 99)]), set([value, ...repeat(95, 99)])];

  test("does not hide that all others fell", () => {
    const judgement = judged(now, before, "score not regressed\nscore drop <= 5\nscore not worse by 5");
    expect(judgement).toMatchObject({ status: "failed", verdict: "regressed", counts: { worse: 99 } });
    expect(judgement.rules.map(({ holds }) => holds)).toEqual([false, false, false]);
    expect(judgement.headline).toMatch(/^Regressed: score /);
    expect(judgement.headline).not.toContain("as before");
    expect(judgement.metrics[0]?.comparison?.change).toBeCloseTo(-74.25, 9);
    expect(judgement.rules[0]?.places).toHaveLength(10);
  });

  test("is the only case of the page that is the same", () => {
    const baseline = baselineOf(before);
    const judgement = judged(now, before, "score not regressed");
    const { data } = tableOfCases({ judgement, results: now, baseline, left: [] });
    expect(data.metrics[0]?.harm.filter((harm) => harm === 75)).toHaveLength(99);
    expect(data.metrics[0]?.changeTexts.filter((text) => text === "0")).toHaveLength(1);
  });

  test("is unchanged with all others", () => {
    const judgement = judged(before, before, "score not regressed");
    expect(judgement).toMatchObject({ status: "passed", verdict: "unchanged", counts: { worse: 0 } });
    expect(judgement.headline).toContain("score is as before on 100 cases");
  });
});

test("an unchanged time does not hide that all others doubled", () => {
  const TIMES = { latency: { kind: "positive", direction: "lower" } } as const;
  const [now, before] = [set([1e18, ...repeat(1_600, 99)], TIMES), set([1e18, ...repeat(800, 99)], TIMES)];
  const judgement = judged(now, before, "latency not regressed\nlatency not worse by 10%");
  expect(judgement).toMatchObject({ status: "failed", verdict: "regressed" });
  expect(judgement.metrics[0]?.comparison).toMatchObject({ scale: "ratio", worse: 99 });
});

test("scores of a trillionth are listed by their own size", () => {
  const judgement = judged(set(repeat(1e-12, 20)), set(repeat(2e-12, 20)), "score not regressed");
  expect(judgement).toMatchObject({ status: "failed", verdict: "regressed", counts: { worse: 20 } });
});
