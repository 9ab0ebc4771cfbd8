import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare, isNotWorse } from "../../src/statistics/comparison.ts";
import { neededCases, plan, planBounded, withinVariance } from "../../src/statistics/needed.ts";

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

  it("is more cases than the plain bound needs, where one imagined case weighs more than what differs", () => {
    const [effort, goal] = [
      { spread: 0.04, within: 0, cases: 100, trials: 1 },
      { size: 0.02, worst: 1, equal: 149 },
    ];
    const plain = { cases: neededCases(0.04, 0.02, "not worse"), trials: undefined };
    const { cases } = planBounded(plain, effort, goal);
    expect(plain.cases).toBe(25);
    // So many cases that differ as much, and lose nothing, are green; 30 fewer are not.
    const scores = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 0.54 : 0.46));
    const isGreen = (count: number) => {
      const sides = { baseline: Array<number>(count).fill(0.5), current: scores(count) };
      const kind = { kind: "bounded", low: 0, high: 1 } as const;
      return isNotWorse(compare({ ...sides, kind, direction: "higher", trials: "equal" })!, 0.02);
    };
    expect([isGreen(cases), isGreen(cases - 30)]).toEqual([true, false]);
  });

  it("is more trials only where they can outweigh the imagined case", () => {
    const effort = { spread: spreadOf(0, 0.09, 1), within: 0.09, cases: 100, trials: 1 };
    const found = plan(effort, 0.02, "not worse");
    expect(found.trials).toBeDefined();
    expect(planBounded(found, effort, { size: 0.02, worst: 1, equal: 149 }).trials).toBeUndefined();
    const wider = planBounded(plan(effort, 0.08, "not worse"), effort, { size: 0.08, worst: 1, equal: 36 });
    expect(wider.trials).toBeGreaterThanOrEqual(plan(effort, 0.08, "not worse").trials ?? 0);
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
