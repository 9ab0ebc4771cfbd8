import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeWithMissing, compare, isNotWorse, type PairedScores } from "../../src/statistics/comparison.ts";
import { type Kind, levelOf } from "../../src/statistics/level.ts";

const UNIT: Kind = { kind: "bounded", low: 0, high: 1 };

const kinds: readonly Kind[] = [{ kind: "binary" }, UNIT, { kind: "unbounded" }, { kind: "positive" }];

/** Scores from few levels, as judges give, or from any; of 0 to 90 cases. */
const scores: fc.Arbitrary<PairedScores> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    direction: fc.constantFrom("higher" as const, "lower" as const),
    trials: fc.constantFrom("single" as const, "equal" as const, "unequal" as const),
    levels: fc.constantFrom(1, 2, 3, 4, 1000),
    isClustered: fc.boolean(),
    rows: fc.array(fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(30)), { maxLength: 90 }),
  })
  // 2^20 sums take a while: keep to what is quick.
  .map(({ levels, isClustered, rows, ...rest }) => ({
    ...rest,
    baseline: rows.map(([was]) => (was % (levels + 1)) / levels),
    current: rows.map(([was, now], i) => ((i % 3 ? was : now) % (levels + 1)) / levels),
    ...(isClustered && { clusters: rows.map(([, , cluster]) => `doc-${cluster}`) }),
  }));

function reordered<T extends PairedScores>(it: T, order: readonly number[]): T {
  const pick = <V>(list: ArrayLike<V>) => order.map((i) => list[i]!);
  const { clusters } = it;
  return {
    ...it,
    baseline: pick(it.baseline),
    current: pick(it.current),
    ...(clusters && { clusters: pick(clusters) }),
  };
}

const numbersOf = (value: unknown): number[] => {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
};

describe("a comparison", () => {
  it("is the same bytes in any order of the cases", () => {
    fc.assert(
      fc.property(scores, fc.infiniteStream(fc.nat()), (it, keys) => {
        const order = Array.from(it.baseline, (_, i) => ({ i, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ i }) => i);
        expect(JSON.stringify(compare(reordered(it, order)))).toBe(JSON.stringify(compare(it)));
      }),
    );
  });

  it("holds finite numbers only, p from 0 to 1, and the change in its interval", () => {
    fc.assert(
      fc.property(scores, (it) => {
        const found = compare(it);
        expect(found === undefined).toBe(it.baseline.length === 0);
        if (!found) return;
        expect(numbersOf(found).filter((number) => !Number.isFinite(number))).toEqual([]);
        expect(found.p).toBeGreaterThan(0);
        expect(found.p).toBeLessThanOrEqual(1);
        expect(found.changedUnits >= 6 || found.p > 0.05).toBe(true);
        const { interval, change } = found;
        expect(!interval || (interval.low <= change && change <= interval.high)).toBe(true);
        for (const { interval: each, mean } of [found.baseline, found.current]) {
          expect(!each || (each.low <= mean + 1e-9 && mean - 1e-9 <= each.high)).toBe(true);
        }
      }),
    );
  });

  it("turns with the direction and not with its sign: harm is on the other side", () => {
    fc.assert(
      fc.property(scores, (it) => {
        const higher = compare({ ...it, direction: "higher" });
        const lower = compare({ ...it, direction: "lower" });
        if (!higher || !lower) return;
        expect(lower.p).toBe(higher.p);
        expect(lower.change).toBeCloseTo(higher.change, 12);
        expect(lower.worse).toBe(higher.better);
        expect(lower.interval?.low ?? 0).toBeCloseTo(higher.interval?.low ?? 0, 9);
        if (higher.bound === undefined || lower.bound === undefined) return;
        expect(higher.bound).toBeLessThanOrEqual(higher.change);
        expect(lower.bound).toBeGreaterThanOrEqual(lower.change);
      }),
    );
  });

  it("bounds more harm the worse a case gets", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 15, maxLength: 60 }),
        fc.nat(),
        (rows, pick) => {
          const baseline = rows.map((row) => row / 10);
          const current = baseline.map((score, i) => (i % 4 ? score : 1 - score));
          const at = pick % rows.length;
          const rest = { baseline, kind: { kind: "binary" } as const, direction: "higher", trials: "equal" } as const;
          const before = compare({ ...rest, current })!;
          const after = compare({ ...rest, current: current.with(at, 0) })!;
          expect(after.change).toBeLessThanOrEqual(before.change);
          expect(after.worse).toBeGreaterThanOrEqual(before.worse);
        },
      ),
    );
  });

  it.each(kinds)("has no interval of few numbers, and a bound: $kind", (kind) => {
    const it = compare({
      ...{ baseline: [0.3, 0.5, 0.7], current: [0.4, 0.1, 0.2], kind, direction: "higher", trials: "equal" },
    })!;
    expect(it).toMatchObject({ cases: 3, interval: undefined, bound: expect.any(Number), test: "sign flip" });
    expect(isNotWorse(it, 0.5)).toBe(false);
  });

  it("calls equal sides unchanged, and bounds the harm by one imagined case", () => {
    const side = Array.from({ length: 100 }, (_, i) => (i % 10) / 10);
    const it = compare({ baseline: side, current: side, kind: UNIT, direction: "higher", trials: "equal" })!;
    expect(it).toMatchObject({ change: 0, p: 1, test: "unchanged", worse: 0, better: 0, interval: undefined });
    expect(it).toMatchObject({ bound: it.equalBound, worst: { loss: 1, from: "range" } });
    // The exact one, of which this is an approximation, is 1 − 0.05^(1/100).
    expect(it.bound).toBeCloseTo(-0.0295, 3);
    expect([isNotWorse(it, 0.03), isNotWorse(it, 0.02)]).toEqual([true, false]);
  });

  it("has the bound of a lower score above the change", () => {
    const [was, is] = [Array<number>(100).fill(0), Array<number>(100).fill(0)];
    const it = compare({ baseline: was, current: is, kind: UNIT, direction: "lower", trials: "equal" })!;
    expect(it.bound).toBeCloseTo(0.0295, 3);
    expect([isNotWorse(it, 0.03), isNotWorse(it, 0.02)]).toEqual([true, false]);
  });

  it("compares latencies as a ratio, and as a difference where one is 0", () => {
    const baseline = Array.from({ length: 20 }, (_, i) => 100 + 17 * i);
    const current = baseline.map((time, i) => time * (i % 2 ? 1.1 : 1.2));
    const rest = { baseline, kind: { kind: "positive" }, direction: "lower", trials: "equal" } as const;
    const ratio = compare({ ...rest, current })!;
    expect(ratio).toMatchObject({ scale: "ratio", change: expect.closeTo(Math.sqrt(1.32), 6), worse: 20 });
    // As if one more case had taken 100 times as long, which 20 cases do not outweigh.
    expect(ratio.worst).toEqual({ loss: Math.log(100), from: "factor" });
    expect([isNotWorse(ratio, 1.5), isNotWorse(ratio, 0.9)]).toEqual([true, false]);
    expect(compare({ ...rest, current: current.with(3, 0) })).toMatchObject({ scale: "difference", bound: undefined });
  });

  it("counts clusters and not cases", () => {
    const baseline = Array<number>(60).fill(0.5);
    const current = baseline.map((_, i) => (i < 40 ? 0.4 : 0.6));
    const rest = { baseline, current, kind: UNIT, direction: "higher", trials: "equal" } as const;
    const alone = compare(rest)!;
    const three = compare({ ...rest, clusters: baseline.map((_, i) => `doc-${i % 3}`) })!;
    const each = compare({ ...rest, clusters: baseline.map((_, i) => `doc-${i}`) })!;
    expect(alone.p).toBeLessThan(0.05);
    expect(three).toMatchObject({ units: 3, cases: 60, interval: undefined });
    expect(three.p).toBeGreaterThan(0.05);
    expect(each.interval).toEqual(alone.interval);
    expect(each.bound).toBe(alone.bound);
  });

  it("does not take the same trials on both sides for granted", () => {
    const baseline = Array.from({ length: 20 }, (_, i) => (i % 5) / 5);
    const current = baseline.map((score, i) => score + (i % 3) / 100);
    const rest = { baseline, current, kind: UNIT, direction: "higher" } as const;
    expect(compare({ ...rest, trials: "equal" })!.test).toBe("sign flip");
    expect(compare({ ...rest, trials: "unequal" })!.test).toBe("t");
  });

  it.each([
    [[1], [1, 0], undefined],
    [[1, 0], [1, 0], ["a"]],
    [[1, Number.NaN], [1, 1], undefined],
    [[1, 0], [1, Infinity], undefined],
  ])("refuses lists that do not fit: %j and %j", (baseline, current, clusters) => {
    expect(() =>
      compare({ baseline, current, clusters, kind: { kind: "unbounded" }, direction: "higher", trials: "equal" }),
    ).toThrow(RangeError);
  });
});

describe("a level", () => {
  it("has quantiles by nearest rank", () => {
    const level = levelOf(
      Array.from({ length: 100 }, (_, i) => 100 - i),
      { kind: "unbounded" },
    );
    expect(level?.quantiles).toEqual({ min: 1, max: 100, p50: 50, p90: 90, p95: 95, p99: 99 });
    expect(levelOf([3], { kind: "unbounded" })?.quantiles).toEqual({ min: 3, max: 3, p50: 3, p90: 3, p95: 3, p99: 3 });
    expect(levelOf([], UNIT)).toBeUndefined();
  });

  it("keeps its interval in the range, also where all scores are at one end", () => {
    for (const score of [1, 5]) {
      const { interval } = levelOf(Array<number>(40).fill(score), { kind: "bounded", low: 1, high: 5 })!;
      expect(interval!.low).toBeGreaterThanOrEqual(1);
      expect(interval!.high).toBeLessThanOrEqual(5);
      expect(interval!.high - interval!.low).toBeGreaterThan(0.2);
    }
  });
});

it("missing scores leave the change open on both sides", () => {
  expect(changeWithMissing([Number.NaN, 1], [0, Number.NaN], { low: 0, high: 1 })).toEqual({ worst: -1, best: 0 });
  expect(changeWithMissing([], [], { low: 0, high: 1 })).toBeUndefined();
});
