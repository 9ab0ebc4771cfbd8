import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compare, unitsToLose } from "../../src/statistics/comparison.ts";
import { attainableOf, correctedOf } from "../../src/statistics/family.ts";
import { ALPHA } from "../../src/statistics/interval.ts";
import { neededPairs } from "../../src/statistics/needed.ts";

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
  "paired-with-huge": ({ baseline, current }: Sides) => {
    const sides = { baseline, current, kind: { kind: "unbounded" }, direction: "higher", trials: "single" } as const;
    const { worse, better, p } = compare(sides)!;
    return { worse, better, p };
  },
};

/** What no statistic here computes: rules about rows, scales and missing scores, and procedures that we do not have. */
const ELSEWHERE = new Set([
  ...["not-worse-bound", "not-worse-ratio", "needed-equal-units", "range-known", "smallest-p-unpaired"],
  ...["limit-with-missing", "not-regressed-with-unknown", "other-scale", "mixed-scale", "statistics-of-rows"],
]);

const { cases } = JSON.parse(readFileSync(new URL("judgement-values.json", import.meta.url), "utf8")) as {
  readonly cases: readonly Case[];
};

function expectNear(actual: unknown, expected: unknown, tolerance: number): void {
  if (typeof expected === "number") {
    const off = Math.abs(Number(actual) - expected);
    expect(off).toBeLessThanOrEqual(tolerance);
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
