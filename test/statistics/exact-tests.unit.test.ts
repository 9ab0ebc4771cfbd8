import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holm, mcnemar, signFlip } from "../../src/statistics/exact-tests.ts";
import { ticksPerUnit, toTicks, unitsOf } from "../../src/statistics/ticks.ts";

/** Tries all signs. */
function bruteForce(sums: readonly number[]): number {
  const sizes = sums.filter((sum) => sum !== 0).map(Math.abs);
  const seen = Math.abs(sums.reduce((total, sum) => total + sum, 0));
  const ways = 2 ** sizes.length;
  let far = 0;
  for (let way = 0; way < ways; way += 1) {
    const total = sizes.reduce((sum, size, i) => sum + (way & (1 << i) ? size : -size), 0);
    if (Math.abs(total) >= seen) far += 1;
  }
  return far / ways;
}

const flip = (sums: readonly number[], slack = 0) => signFlip(Float64Array.from(sums), slack);

describe("the sign flip test", () => {
  it("is the share of all signs, to 12 differences", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -6, max: 6 }), { maxLength: 12 }), (sums) => {
        expect(flip(sums)).toBeCloseTo(bruteForce(sums), 12);
      }),
    );
  });

  it("is McNemar's test on differences of one size, however many", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.nat(20), (down, up, same) => {
        const sums = [...Array<number>(down).fill(-1), ...Array<number>(up).fill(1), ...Array<number>(same).fill(0)];
        expect(flip(sums)).toBe(mcnemar(down, up));
      }),
    );
  });

  it("finds the same by halves as by McNemar's test", () => {
    // One difference of another, negligible size keeps the two ways apart.
    expect(flip([...Array<number>(12).fill(-1e6), ...Array<number>(4).fill(1e6), 1], 1)).toBeCloseTo(
      mcnemar(12, 4),
      12,
    );
  });

  it("takes thirds for what they add up to", () => {
    const third = 1 / 3;
    const { counts } = toTicks([1, third, third, third, -2 * third, -third]);
    expect(signFlip(counts)).toBeCloseTo(bruteForce([3, 1, 1, 1, -2, -1]), 12);
  });

  it("is between 0 and 1, the same in any order and for the other direction", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 16 }), (differences) => {
        const { counts } = toTicks(differences);
        const p = signFlip(counts)!;
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(signFlip(counts.toReversed())).toBe(p);
        expect(signFlip(counts.map((count) => -count))).toBe(p);
      }),
    );
  });

  it.each([0, 1, 2, 3, 4, 5])("shows nothing of %i differences", (count) => {
    expect(flip(Array.from({ length: count }, (_, i) => -100 - i))).toBeGreaterThan(0.05);
  });

  it("is exact to 40 differences, and says so beyond", () => {
    const sums = Array.from({ length: 41 }, (_, i) => i + 1);
    expect(flip(sums.slice(0, 40))).toBe(2 / 2 ** 40);
    expect(flip(sums)).toBeUndefined();
    expect(flip([...sums.slice(0, 20), ...Array<number>(1000).fill(0)])).toBe(2 / 2 ** 20);
  });
});

describe("ticks", () => {
  it("are finite for the smallest numbers that there are", () => {
    const { counts, perUnit } = toTicks([5e-324, -1e-310, 0]);
    expect([perUnit, ...counts].every(Number.isFinite)).toBe(true);
    expect(signFlip(counts)).toBe(1);
  });

  it("make ties of what only rounding keeps apart", () => {
    expect([...toTicks([0.8 - 0.7, 0.9 - 0.8, -0]).counts]).toEqual([1e13, 1e13, 0]);
  });

  it.each([
    [[], 1],
    [[0], 1],
    [[0.95, -1], 1e13],
    [[0.004], 1e16],
    [[812, -3], 1e11],
    [[3e12], 10],
    [Array<number>(1000).fill(0.004), 1e13],
    [[1e308, 1e308], 1e-295],
  ])("of %j are %d to one: the sizes of all have 14 digits", (numbers, perUnit) => {
    expect(ticksPerUnit(numbers) / perUnit).toBeCloseTo(1, 12);
  });
});

it("rounding may have moved the sum of all by a tick for each case, where no case says otherwise", () => {
  expect(unitsOf(toTicks([0.1, 0.2, 0.3])).slack).toBe(3);
});

describe("the sum of a cluster", () => {
  const unitsOfPairs = (counts: readonly number[], clusters: readonly string[], slack = 1) =>
    unitsOf(
      { counts: Float64Array.from(counts), perUnit: 10, slacks: new Float64Array(counts.length).fill(slack) },
      clusters,
    );

  it("is 0 where its cases cancel out but for rounding, which one case alone never does", () => {
    const { sums, slack } = unitsOfPairs([5, -4, 7, -5, 1], ["a", "a", "b", "b", "c"]);
    expect([[...sums], slack]).toEqual([[0, 1, 2], 5]);
    expect([...unitsOfPairs([1, 0], ["a", "a"], 2).sums]).toEqual([1]);
  });

  it("stands behind that of a smaller cluster where both are equal, in whatever order they come", () => {
    for (const clusters of [
      ["a", "a", "b"],
      ["b", "a", "a"],
    ]) {
      const counts = clusters.map((name) => (name === "a" ? 2 : 4));
      expect([...(unitsOfPairs(counts, clusters).sizes ?? [])]).toEqual([1, 2]);
    }
  });
});

it("several rules together keep their order, also where two are equal, and without any", () => {
  expect(holm([0.04, 0.01, 0.04])).toEqual([
    { adjustedP: 0.08, factor: 2 },
    { adjustedP: 0.03, factor: 3 },
    { adjustedP: 0.08, factor: 1 },
  ]);
  expect(holm([])).toEqual([]);
});
