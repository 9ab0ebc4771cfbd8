import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { betaPower } from "../../src/statistics/beta.ts";
import { compare, isNotWorse, logMargin, unitsToLose } from "../../src/statistics/comparison.ts";
import { gainsOf } from "../../src/statistics/differences.ts";
import { chanceOfLoss, equalUnitsFor } from "../../src/statistics/dirichlet-bound.ts";
import { attainableOf, correctedOf } from "../../src/statistics/family.ts";
import { ALPHA } from "../../src/statistics/interval.ts";
import { isOutside, knownRange } from "../../src/statistics/known-range.ts";
import { levelOf, type Kind } from "../../src/statistics/level.ts";
import { neededPairs } from "../../src/statistics/needed.ts";
import { toTicks, unitsOf } from "../../src/statistics/ticks.ts";

interface Case {
  readonly id: string;
  readonly what: string;
  // Each `what` has an input of its own.
  readonly input: never;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly tolerance: number;
}

interface Sides {
  readonly baseline: readonly number[];
  readonly current: readonly number[];
  readonly direction: "higher" | "lower";
  readonly range: readonly [low: number, high: number];
}

interface Margin extends Omit<Sides, "range"> {
  readonly margin: number;
  readonly clusters?: readonly string[];
  readonly range?: readonly [low: number, high: number];
  readonly ceiling?: number;
}

interface FamilyRule {
  readonly p: number;
  readonly changed: number;
  readonly warn?: boolean;
}

const JUDGES: Readonly<Record<string, (input: never) => unknown>> = {
  "could-be-red": ({ units_that_can_fall: units }: { readonly units_that_can_fall: readonly number[] }) => ({
    rules: attainableOf(units).map(({ smallestP, adjustedP = null, needs }, rule) => {
      if (units[rule] === 0) return { smallest_p: smallestP, outcome: "holds" };
      const outcome = (adjustedP ?? 1) < ALPHA ? "decidable" : "incomplete";
      return { smallest_p: smallestP, smallest_adjusted_p: adjustedP, outcome, needs };
    }),
  }),
  "units-that-can-fall": ({ baseline, direction, range: [low, high] }: Sides) => ({
    units: unitsToLose({ baseline, direction, kind: { kind: "bounded", low, high } }),
  }),
  // Warnings are a family of their own, of which no rule changed here.
  "holm-family": ({ rules }: { readonly rules: readonly FamilyRule[] }) => {
    const binding = correctedOf(rules.filter(({ warn }) => warn !== true));
    const warning = correctedOf(rules.filter(({ warn }) => warn === true));
    return { adjusted: [...binding, ...warning].map((each) => each?.adjustedP ?? null) };
  },
  "needed-cases-after-holm": (it: {
    readonly flipping: number;
    readonly change: number;
    readonly holm_factor: number;
  }) => ({
    cases: neededPairs(it.flipping, it.change, it.holm_factor),
  }),
  "not-worse-bound": (input: Margin) => {
    const [low, high] = input.range ?? [];
    const values = [...input.baseline, ...input.current];
    const declared = low === undefined || high === undefined ? undefined : { low, high };
    if (declared !== undefined && values.some((value) => isOutside(value, declared))) return { outcome: "error" };
    return notWorse(input, declared === undefined ? { kind: "unbounded" } : { kind: "bounded", ...declared });
  },
  "not-worse-ratio": (input: Margin) => {
    const { ceiling } = input;
    const range = ceiling === undefined ? undefined : { low: 0, high: ceiling };
    if (range !== undefined && input.current.some((value) => isOutside(value, range))) return { outcome: "error" };
    return notWorse(input, { kind: "positive", range });
  },
  "statistics-of-rows": ({ rows }: { readonly rows: readonly (readonly number[])[] }) => {
    const means = rows.map((all) => all.reduce((sum, one) => sum + one, 0) / all.length);
    const counts = Float64Array.from(rows, ({ length }) => length);
    const level = levelOf(means, { kind: "unbounded" }, undefined, { values: rows.flat(), counts })!;
    return { mean: level.mean, ...level.quantiles };
  },
  "needed-equal-units": ({ margin, worst }: { readonly margin: number; readonly worst: number }) => ({
    units: equalUnitsFor(margin, { units: unitsOf(toTicks([0])), worst }),
  }),
  "range-known": ({ values, range }: { readonly values: readonly number[]; readonly range?: readonly number[] }) => {
    const [low = -Infinity, high = Infinity] = range ?? [];
    if (values.some((value) => isOutside(value, { low, high }))) return { kind: "error" };
    const known = knownRange({ least: Math.min(...values), most: Math.max(...values) });
    // Whether values are yes or no is seen of them one by one.
    return values.every((value) => value === 0 || value === 1) ? { ...known, kind: "yes/no" } : known;
  },
  // No procedure here is unpaired; 1 / C(2n, n), twice, from the beta function: B(n + 1, n + 1) · (2n + 1).
  "smallest-p-unpaired": ({ baseline_cases: n }: { readonly baseline_cases: number }) => ({
    p: (2 * (2 * n + 1) * 0.5 ** (2 * n + 2)) / betaPower(n + 1, n + 1, 0.5, 0.5),
  }),
  "paired-with-huge": ({ baseline, current }: Sides) => {
    const sides = { baseline, current, kind: { kind: "unbounded" }, direction: "higher", trials: "single" } as const;
    const { worse, better, p } = compare(sides)!;
    return { worse, better, p };
  },
};

function notWorse(input: Margin, kind: Kind) {
  const { direction, margin, clusters } = input;
  const it = compare({ ...input, kind, trials: "equal" })!;
  const { worst, scale, bound } = it;
  if (worst === undefined) return { outcome: "incomplete" };
  const isRatio = scale === "ratio";
  const units = unitsOf(gainsOf(input, isRatio), clusters);
  const p = chanceOfLoss({ units, worst: worst.loss }, isRatio ? logMargin(margin, direction) : margin);
  const outcome = isNotWorse(it, margin) === true ? "holds" : "broken";
  expect(p < ALPHA).toBe(outcome === "holds");
  const factor = isRatio ? { worst_factor: Math.exp(worst.loss), change: it.change } : { worst: worst.loss };
  return { ...factor, bound, p, outcome };
}

/** What no statistic here computes: rules about scales and missing scores. */
const ELSEWHERE = new Set([...["limit-with-missing", "not-regressed-with-unknown", "other-scale", "mixed-scale"]]);

const { cases } = JSON.parse(readFileSync(new URL("judgement-values.json", import.meta.url), "utf8")) as {
  readonly cases: readonly Case[];
};

function expectNear(actual: unknown, expected: unknown, tolerance: number): void {
  if (typeof expected === "number") {
    const off = Math.abs(Number(actual) - expected);
    // No double holds nine decimals of a number in the millions.
    expect(off).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
    expect(off).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
  } else if (typeof expected === "object" && expected !== null) {
    for (const [name, each] of Object.entries(expected)) {
      expectNear((actual as Readonly<Record<string, unknown>>)[name], each, tolerance);
    }
  } else {
    expect(actual).toBe(expected);
  }
}

describe("judgement-values.json", () => {
  it.each(cases.filter(({ what }) => !ELSEWHERE.has(what)))("$id", ({ what, input, expected, tolerance }) => {
    expectNear(JUDGES[what]!(input), expected, tolerance);
  });

  it("has no kind of values that nothing looks at", () => {
    const known = new Set([...Object.keys(JUDGES), ...ELSEWHERE]);
    expect(cases.filter(({ what }) => !known.has(what))).toEqual([]);
  });
});
