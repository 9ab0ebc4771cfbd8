import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { incompleteBeta } from "../../src/statistics/beta.ts";
import { chanceOfLoss, dirichletBound, equalBound, equalUnitsFor } from "../../src/statistics/dirichlet-bound.ts";
import { toTicks, unitsOf } from "../../src/statistics/ticks.ts";

const of = (gains: readonly number[], worst = 1, clusters?: readonly string[]) => ({
  units: unitsOf(toTicks(gains), clusters),
  worst,
});
const equal = (count: number) => new Array<number>(count).fill(0);

test.each([
  [0.2, 14],
  [0.1, 29],
  [0.05, 59],
  [0.02, 149],
  [0.01, 299],
])("a margin of %d of the worst loss is shown by %d equal cases", (margin, cases) => {
  expect(equalUnitsFor(margin, of([0]))).toBe(cases);
  expect(equalUnitsFor(7 * margin, of([0], 7))).toBe(cases);
  expect(chanceOfLoss(of(equal(cases)), margin)).toBeLessThan(0.05);
  expect(chanceOfLoss(of(equal(cases - 1)), margin)).toBeGreaterThanOrEqual(0.05);
});

test("one case is enough for a margin that no case can lose", () => {
  expect(equalUnitsFor(1, of([0]))).toBe(1);
  expect(equalUnitsFor(2, of([0]))).toBe(1);
});

test("for two values the bound is that of Clopper and Pearson, but for what the approximation adds", () => {
  for (const [cases, lost] of [
    [20, 0],
    [60, 1],
    [100, 4],
    [300, 10],
  ] as const) {
    const gains = [...equal(cases - lost), ...new Array<number>(lost).fill(-1)];
    const bound = dirichletBound(of(gains));
    // P(Beta(lost + 1, cases − lost) > −bound) is 5 %.
    expect(1 - incompleteBeta(lost + 1, cases - lost, -bound)).toBeCloseTo(0.05, 2);
  }
});

describe("the bound", () => {
  const gain = fc.integer({ min: -100, max: 100 }).map((hundredths) => hundredths / 100);
  const gains = fc.array(gain, { minLength: 1, maxLength: 60 });

  test("is where the chance of so much harm is 5 %", () => {
    fc.assert(
      fc.property(gains, fc.double({ min: 1, max: 1e6, noNaN: true }), (all, worst) => {
        const given = of(all, worst);
        const bound = dirichletBound(given);
        const near = 1e-9 * Math.max(1, worst);
        expect(chanceOfLoss(given, -bound - near)).toBeGreaterThanOrEqual(0.05 - 1e-6);
        expect(chanceOfLoss(given, -bound + near)).toBeLessThanOrEqual(0.05 + 1e-6);
      }),
    );
  });

  test("is no gain and no more than the worst loss, and below the mean", () => {
    fc.assert(
      fc.property(gains, (all) => {
        const bound = dirichletBound(of(all));
        expect(bound).toBeGreaterThanOrEqual(-1);
        expect(bound).toBeLessThanOrEqual(all.reduce((sum, one) => sum + one, 0) / all.length + 1e-12);
      }),
    );
  });

  test("is the same in any order of the cases, and in any unit", () => {
    fc.assert(
      fc.property(gains, fc.integer({ min: -8, max: 8 }), (all, exponent) => {
        const bound = dirichletBound(of(all));
        expect(dirichletBound(of(all.toReversed()))).toBe(bound);
        const factor = 10 ** exponent;
        const scaled = dirichletBound(
          of(
            all.map((one) => one * factor),
            factor,
          ),
        );
        expect(scaled / factor).toBeCloseTo(bound, 9);
      }),
    );
  });

  test("falls when any case loses more, or the worst loss grows", () => {
    fc.assert(
      fc.property(gains, fc.nat(), (all, place) => {
        const bound = dirichletBound(of(all));
        const at = place % all.length;
        expect(dirichletBound(of(all.with(at, -1)))).toBeLessThanOrEqual(bound + 1e-12);
        expect(dirichletBound(of(all, 2))).toBeLessThanOrEqual(bound + 1e-12);
      }),
    );
  });

  test("with clusters of one case is that without clusters", () => {
    fc.assert(
      fc.property(gains, (all) => {
        const names = all.map((_, at) => String(at));
        expect(dirichletBound(of(all, 1, names))).toBeCloseTo(dirichletBound(of(all)), 12);
      }),
    );
  });

  test("imagines a cluster as large as the largest", () => {
    const sizes = [...new Array<number>(30).fill(1), 6];
    const clusters = sizes.flatMap((size, at) => new Array<string>(size).fill(`d${String(at)}`));
    const bound = dirichletBound(of(equal(clusters.length), 1, clusters));
    // 6 cases of 42 fail as a whole once, so the bound is far below that of 36 cases.
    expect(bound).toBeLessThan(2 * dirichletBound(of(equal(clusters.length))));
    expect(equalUnitsFor(0.05, of(equal(clusters.length), 1, clusters))).toBeGreaterThan(200);
    expect(equalBound(of(equal(clusters.length), 1, clusters))).toBe(bound);
  });

  test.each([
    ["a million equal cases", equal(1_000_000), 1, -2.9957e-6],
    ["one case", [0], 1, -0.95],
    ["all lost", equal(30).map(() => -1), 1, -1],
    ["all gained", equal(30).map(() => 1), 1, 0.812],
    ["a huge worst loss", equal(100), 1e300, -0.0295e300],
    ["a tiny one", equal(100), 1e-300, -0.0295e-300],
  ])("of %s is a number near what it should be", (_what, all, worst, near) => {
    expect(dirichletBound(of(all, worst)) / near).toBeCloseTo(1, 1);
  });
});

test("a chance far out on either side is 0 or 1, and never not a number", () => {
  const given = of([...equal(50), 0.1, -0.1]);
  for (const loss of [-1, -0.5, -1e-3, 0, 1e-12, 0.5, 0.999, 1, 2]) {
    const chance = chanceOfLoss(given, loss);
    expect(chance).toBeGreaterThanOrEqual(0);
    expect(chance).toBeLessThanOrEqual(1);
  }
  expect(chanceOfLoss(given, 1)).toBe(0);
  expect(chanceOfLoss(given, -0.2)).toBe(1);
});
