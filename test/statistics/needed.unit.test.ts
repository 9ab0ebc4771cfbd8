import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { neededCases, plan, withinVariance } from "../../src/statistics/needed.ts";

const spreadOf = (between: number, within: number, trials: number) => Math.sqrt(between + (2 * within) / trials);

describe("what more data need", () => {
  it("is more cases, or more trials: 628 cases with 1 show what 252 show with 3", () => {
    const now = { spread: spreadOf(0.02, 0.09, 1), within: 0.09, cases: 252, trials: 1 };
    expect(plan(now, 0.05, "change")).toEqual({ cases: 628, trials: 3 });
  });

  it("is more cases only, where no number of trials is enough", () => {
    const now = { spread: spreadOf(0.2, 0.01, 1), within: 0.01, cases: 100, trials: 1 };
    expect(plan(now, 0.05, "not worse")).toEqual({ cases: 545, trials: undefined });
  });

  it("never needs fewer runs with more trials than with more cases", () => {
    const part = fc.double({ min: 0, max: 0.3, noNaN: true });
    const count = fc.integer({ min: 1, max: 10 });
    fc.assert(
      fc.property(part, part, count, fc.integer({ min: 10, max: 2000 }), (between, within, trials, cases) => {
        const found = plan({ spread: spreadOf(between, within, trials), within, cases, trials }, 0.05, "change");
        if (found.trials === undefined || found.cases <= cases) return;
        expect(found.cases * trials).toBeLessThanOrEqual(cases * found.trials + trials);
      }),
    );
  });

  it("is fewer cases to rule out harm than to show a change", () => {
    expect(neededCases(0.25, 0.05, "not worse")).toBeLessThan(neededCases(0.25, 0.05, "change"));
  });

  it("takes the variance within cases from those with two trials or more", () => {
    expect(withinVariance([[1], [], [0, 1], [1, 1, 1]])).toBeCloseTo(0.5 / 3, 12);
    expect(withinVariance([[1], [0]])).toBeUndefined();
    expect(withinVariance([])).toBeUndefined();
  });
});
