import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, type PairedScores } from "../../src/statistics/comparison.ts";
import { firmestHarm } from "../../src/statistics/firmest-harm.ts";
import { propertyRuns } from "../property-runs.ts";

const gain = fc.integer({ min: -300, max: 200 }).map((own) => own / 100);

/** Two readings of cases that had 10: the gains of the first are known, and each other one lies within its limits. */
function readings(
  known: readonly number[],
  limits: readonly (readonly [number, number])[],
  more: Partial<PairedScores>,
) {
  const side = (end: 0 | 1): PairedScores => ({
    ...{ kind: { kind: "unbounded" }, direction: "higher", trials: "unequal" },
    baseline: [...known, ...limits].map(() => 10),
    current: [...known, ...limits.map((limit) => limit[end])].map((own) => 10 + own),
    ...more,
  });
  return [side(0), side(1)] as const;
}

const tOf = (scores: PairedScores) => {
  const { change = 0, spread = 1 } = compare(scores) ?? {};
  return change / spread;
};

describe("the harm that a t test may show with unknown scores", () => {
  it("is clearest between the ends: each of three lost as much as Q/S of the others, and not a million", () => {
    const known = Array.from({ length: 50 }, (_, at) => -0.52 + 2 * Math.SQRT2 * Math.sin(at * 2.1));
    const [worst, best] = readings(known, Array(3).fill([-1e6, 1e6]), { trials: "single" });
    const squares = known.reduce((sum, own) => sum + own ** 2, 0);
    const sum = known.reduce((total, own) => total + own, 0);
    const firmest = firmestHarm(worst, best, false);
    for (const now of [...firmest.current].slice(50)) expect(now - 10).toBeCloseTo(squares / sum, 6);
    const p = (scores: PairedScores) => compare(scores)?.p ?? 1;
    expect(p(firmest)).toBeLessThan(Math.min(p(worst), p(best)));
  });

  it("is as clear as in any reading, whatever the limits, the direction and the scale are", { tags: "slow" }, () => {
    const limit = fc.tuple(gain, gain).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
    fc.assert(
      fc.property(
        fc.array(gain, { minLength: 3, maxLength: 12 }),
        fc.array(limit, { minLength: 1, maxLength: 4 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        (known, limits, shares, isRatio) => {
          const more: Partial<PairedScores> = isRatio ? { kind: { kind: "positive" } } : {};
          const [worst, best] = readings(known, limits, more);
          const between = limits.map(([low, high], at) => low + (shares[at] ?? 0) * (high - low));
          const [some] = readings([...known, ...between], [], more);
          if (tOf(worst) >= 0) return;
          const firmest = compare(firmestHarm(worst, best, isRatio));
          const least = (scores: PairedScores) => {
            const found = compare(scores);
            return found === undefined ? 0 : meanOverSpread(found, isRatio);
          };
          const reached = firmest === undefined ? 0 : meanOverSpread(firmest, isRatio);
          expect(reached).toBeLessThanOrEqual(least(some) + 1e-6);
          expect(reached).toBeLessThanOrEqual(Math.min(least(worst), least(best)) + 1e-6);
        },
      ),
      { numRuns: propertyRuns(4) },
    );
  });

  it("counts clusters, and lower scores that are better", () => {
    const known = Array.from({ length: 20 }, (_, at) => (at % 7) - 4);
    const clusters = [...known.map((_, at) => `k${String(at % 5)}`), "k1", "new"];
    const [worst, best] = readings(known, Array(2).fill([-50, 50]), { clusters });
    const t = (scores: PairedScores) => tOf(scores);
    const firmest = firmestHarm(worst, best, false);
    for (let at = -50; at <= 50; at += 1) {
      const [some] = readings([...known, at, at], [], { clusters });
      expect(t(firmest)).toBeLessThanOrEqual(t(some) + 1e-9);
    }
    const turned = { direction: "lower", clusters } as const;
    const [best2, worst2] = readings(
      known.map((own) => -own),
      Array(2).fill([-50, 50]),
      turned,
    );
    expect(t(firmestHarm(worst2, best2, false))).toBeCloseTo(-t(firmest), 9);
  });
});

function meanOverSpread(
  { change, spread = 1 }: { readonly change: number; readonly spread: number | undefined },
  isRatio: boolean,
): number {
  const mean = isRatio ? Math.log(change) : change;
  return spread === 0 || Number.isNaN(spread) ? mean * 1e9 : mean / spread;
}
