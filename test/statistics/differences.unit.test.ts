import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, type PairedScores } from "../../src/statistics/comparison.ts";
import { gainsOf, isSame } from "../../src/statistics/differences.ts";
import { mcnemar } from "../../src/statistics/exact-tests.ts";
import { levelOf } from "../../src/statistics/level.ts";
import { unitsOf } from "../../src/statistics/ticks.ts";
import { propertyRuns } from "../property-runs.ts";

const fallen = (cases: number, before: number, now: number) => ({
  baseline: Array<number>(cases).fill(before),
  current: Array<number>(cases).fill(now),
});
const SCORES = { kind: { kind: "unbounded" }, direction: "higher", trials: "single" } as const;
const TIMES = { kind: { kind: "positive" }, direction: "lower", trials: "single" } as const;

/** The same with one more case, which did not change. */
function withUnchanged<T extends PairedScores>(scores: T, value: number, cluster?: string): T {
  return {
    ...scores,
    baseline: [...scores.baseline, value],
    current: [...scores.current, value],
    ...(scores.clusters && { clusters: [...scores.clusters, cluster ?? "alone"] }),
  };
}

describe("a case that did not change hides no other", () => {
  it.each([1e10, 2 ** 63, -999_999_999, 1e308, -1e308, 5e-324, 0])(
    "of %d, where 99 others fell from 95 to 20",
    (value) => {
      const found = compare(withUnchanged({ ...SCORES, ...fallen(99, 95, 20) }, value))!;
      expect(found).toMatchObject({ worse: 99, better: 0, changedUnits: 99, test: "sign flip", p: mcnemar(99, 0) });
      expect(found.change).toBeCloseTo(-74.25, 9);
    },
  );

  it.each([1e10, 2 ** 63, 1e308, 1e-300])("of %d, where 99 times doubled", (value) => {
    const found = compare(withUnchanged({ ...TIMES, ...fallen(99, 800, 1600) }, value))!;
    expect(found).toMatchObject({ scale: "ratio", worse: 99, changedUnits: 99, p: mcnemar(99, 0) });
    expect(found.change).toBeCloseTo(2 ** 0.99, 9);
  });

  it("in its cluster", () => {
    const clusters = Array.from({ length: 99 }, (_, at) => `doc-${String(at % 11)}`);
    const found = compare(withUnchanged({ ...SCORES, ...fallen(99, 95, 20), clusters }, 1e18, "doc-3"))!;
    expect(found).toMatchObject({ units: 11, changedUnits: 11, worseUnits: 11, worse: 99 });
  });

  const score = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: -5, max: 5 }),
    fc.constantFrom(1e10, 2 ** 63, -999_999_999, 1e-12, 0),
  );
  const pair = fc.oneof(
    fc.tuple(score, score),
    score.map((value) => [value, value] as const),
  );
  const kinds = fc.constantFrom<PairedScores["kind"]>({ kind: "unbounded" }, { kind: "positive" });

  it("whatever its size is, and whatever the others are", () => {
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 14 }),
        score,
        kinds,
        fc.boolean(),
        (pairs, value, kind, isClustered) => {
          const sized =
            kind.kind === "positive"
              ? pairs.map(([was, now]) => [Math.abs(was) || 1, Math.abs(now) || 1] as const)
              : pairs;
          const scores: PairedScores = {
            ...{ kind, direction: "higher", trials: "single" },
            baseline: sized.map(([was]) => was),
            current: sized.map(([, now]) => now),
            clusters: isClustered ? sized.map((_, at) => `doc-${String(at % 4)}`) : undefined,
          };
          const without = compare(scores)!;
          const beside = compare(withUnchanged(scores, kind.kind === "positive" ? Math.abs(value) || 1 : value))!;
          const { worse, better, changedUnits, worseUnits, p, test } = without;
          expect(beside).toMatchObject({ worse, better, changedUnits, worseUnits, p, test });
          expect(worse + better).toBe(sized.filter(([was, now]) => !isSame(now, was)).length);
        },
      ),
      { numRuns: propertyRuns(4) },
    );
  });
});

describe("a case changed", () => {
  it.each([
    [0.1 + 0.2, 0.3, true],
    [1e10, 1e10 + 1, true],
    [1e10, 1e10 + 100, false],
    [1e-12, 2e-12, false],
    [0, 1e-300, true],
    [0, 2 ** -52, true],
    [-2.7e-17, 1.3e-17, true],
    [0, 2e-15, false],
    [0, -0, true],
    [-1e308, 1e308, false],
    [95, 95.000_000_05, true],
    [95, 95.000_001, false],
  ])("from %d to %d: not %s", (before, now, isEqual) => {
    expect(isSame(now, before)).toBe(isEqual);
    expect(isSame(before, now)).toBe(isEqual);
    const { counts } = gainsOf({ baseline: [before, 5], current: [now, 1], direction: "higher" }, false);
    expect(counts[0] === 0).toBe(isEqual);
  });

  it("not by what rounding leaves of 0, which is neither harm nor a gain that hides some", () => {
    const distances = Array.from({ length: 40 }, (_, at) => (at < 10 ? 0 : 0.1 + at / 100));
    const rounded = distances.map((distance) => distance || 2 ** -52);
    const noise = compare({ ...SCORES, direction: "lower", baseline: distances, current: rounded });
    expect(noise).toMatchObject({ test: "unchanged", p: 1, worse: 0 });
    const fallen5 = { baseline: [0.9, 0.9, 0.9, 0.9, 0.9, 0], current: [0.1, 0.1, 0.1, 0.1, 0.1, 2 ** -52] };
    expect(compare({ ...SCORES, ...fallen5 })).toMatchObject({ worse: 5, better: 0, changedUnits: 5 });
  });

  it("by what only rounding keeps apart: all of one size", () => {
    const baseline = [0.8, 0.9, 0.3, 95.1, 1000.1, 1];
    const current = [0.7, 0.8, 0.2, 95, 1000, 0.9];
    const gains = gainsOf({ baseline, current, direction: "higher" }, false);
    expect(new Set(gains.counts).size).toBe(1);
    const clusters = ["a", "a", "b", "b", "c", "c"];
    const turned = gainsOf(
      { baseline: [0.8, 0.8, 95.1, 95, 0.3, 0.3], current: [0.7, 0.9, 95, 95.1, 0.2, 0.4], direction: "higher" },
      false,
    );
    expect([...unitsOf(turned, clusters).sums]).toEqual([0, 0, 0]);
  });

  it("and its mean is exact beside a change of any size", () => {
    const found = compare({
      ...SCORES,
      baseline: [1e12, ...Array<number>(20).fill(1)],
      current: [2e12, ...Array<number>(20).fill(0.5)],
    })!;
    expect(found).toMatchObject({ worse: 20, better: 1 });
  });
});

it("a level has finite numbers beside the largest that there are, and an interval of its own size beside small ones", () => {
  for (const value of [1e308, -(2 ** 63), 1e10]) {
    const level = levelOf([...Array<number>(99).fill(20), value], { kind: "unbounded" })!;
    expect(Number.isFinite(level.mean)).toBe(true);
    expect(level.interval!.high).toBeGreaterThan(level.interval!.low);
  }
  const small = levelOf(
    Array.from({ length: 99 }, (_, at) => (at % 9) * 1e-12),
    { kind: "unbounded" },
  )!;
  expect(small.interval!.high - small.interval!.low).toBeCloseTo(1.03e-12, 13);
});
