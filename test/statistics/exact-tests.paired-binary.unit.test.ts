import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wilson } from "../../src/statistics/interval.ts";
import { mcnemar, pairedBound, pairedInterval } from "../../src/statistics/exact-tests.ts";
import { propertyRuns } from "../property-runs.ts";

const counts = fc.record({ newlyFailing: fc.nat(60), fixed: fc.nat(60), same: fc.nat(400) }).map((it) => ({
  newlyFailing: it.newlyFailing,
  fixed: it.fixed,
  n: it.newlyFailing + it.fixed + it.same,
}));

const few = { numRuns: propertyRuns(0.3) };

describe("pairs of yes or no", () => {
  it("leave 0 out of the interval exactly when McNemar's p is below 0.05", () => {
    fc.assert(
      fc.property(counts, (flips) => {
        const { low, high } = pairedInterval(flips);
        expect(low > 0 || high < 0).toBe(mcnemar(flips.newlyFailing, flips.fixed) < 0.05);
      }),
      few,
    );
  });

  it("leave 0 out at the edge: 6 of 6, not 5 of 5", () => {
    for (const n of [6, 20, 1000, 100_000]) {
      expect(pairedInterval({ newlyFailing: 6, fixed: 0, n }).high).toBeLessThan(0);
      expect(pairedInterval({ newlyFailing: 5, fixed: 0, n: n - 1 }).high).toBeGreaterThan(0);
    }
  });

  it("mirror when better and worse change places", () => {
    fc.assert(
      fc.property(counts, ({ newlyFailing, fixed, n }) => {
        const one = pairedInterval({ newlyFailing, fixed, n });
        const other = pairedInterval({ newlyFailing: fixed, fixed: newlyFailing, n });
        expect(other).toEqual({ low: -one.high + 0, high: -one.low + 0 });
        expect(mcnemar(newlyFailing, fixed)).toBe(mcnemar(fixed, newlyFailing));
      }),
      few,
    );
  });

  it("hold the change, within −1 and 1, and bound it closer on one side than on two", () => {
    fc.assert(
      fc.property(counts, (flips) => {
        const { newlyFailing, fixed, n } = flips;
        const { low, high } = pairedInterval(flips);
        const change = n === 0 ? 0 : (fixed - newlyFailing) / n;
        expect([-1, low, change, high, 1]).toEqual([-1, low, change, high, 1].toSorted((a, b) => a - b));
        const bound = pairedBound(flips);
        expect(bound).toBeGreaterThanOrEqual(low);
        expect(bound).toBeLessThanOrEqual(change);
      }),
      few,
    );
  });

  it("bound more harm when one more case fails, and less when one more is fixed", () => {
    fc.assert(
      fc.property(counts, ({ newlyFailing, fixed, n }) => {
        const bound = pairedBound({ newlyFailing, fixed, n: n + 1 });
        expect(pairedBound({ newlyFailing: newlyFailing + 1, fixed, n: n + 1 })).toBeLessThanOrEqual(bound);
        expect(pairedBound({ newlyFailing, fixed: fixed + 1, n: n + 1 })).toBeGreaterThanOrEqual(bound - 1e-12);
      }),
      few,
    );
  });

  it("have an interval without cases and with one", () => {
    expect(pairedInterval({ newlyFailing: 0, fixed: 0, n: 0 })).toEqual({ low: -1, high: 1 });
    expect(pairedBound({ newlyFailing: 0, fixed: 0, n: 0 })).toBe(-1);
    expect(pairedInterval({ newlyFailing: 1, fixed: 0, n: 1 })).toEqual({ low: -1, high: expect.closeTo(0.95, 9) });
    expect(pairedInterval({ newlyFailing: 0, fixed: 0, n: 1 }).low).toBeCloseTo(-0.975, 9);
  });

  it("stay exact in the hundred thousands", () => {
    const { low, high } = pairedInterval({ newlyFailing: 5_000, fixed: 5_200, n: 100_000 });
    // As wide as ± 1.96 √(10 200) / 100 000 about 0.002.
    expect(low).toBeCloseTo(0.002 - 1.96 * 0.00101, 4);
    expect(high).toBeCloseTo(0.002 + 1.96 * 0.00101, 4);
    expect(low > 0).toBe(mcnemar(5_000, 5_200) < 0.05);
  });
});

it("Wilson's interval holds the share, and mirrors", () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), (passed, failed) => {
      const n = passed + failed;
      const { low, high } = wilson(passed, n);
      const other = wilson(failed, n);
      expect(low).toBeCloseTo(1 - other.high, 12);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(n === 0 || (low <= passed / n && passed / n <= high)).toBe(true);
    }),
  );
});
