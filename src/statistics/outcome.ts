import type { Range } from "./mean.ts";

/** What the trials of a case that passes or fails say together. */
export type Outcome = "passed" | "failed" | "flaky";

/** Flaky is a case of which some trials passed and some failed. There is at least one trial. */
export function outcomeOf(passed: number, trials: number): Outcome {
  if (passed === trials) return "passed";
  return passed === 0 ? "failed" : "flaky";
}

/**
 * How many cases of an unchanged agent pass all trials of the baseline and fail all of now, and the chance of at least
 * one, where each trial passes with `passProbability`.
 */
export function falselyNewlyFailing(
  passProbability: number,
  cases: number,
  trials: number,
): { readonly expected: number; readonly chance: number } {
  const each = (passProbability * (1 - passProbability)) ** trials;
  return { expected: cases * each, chance: -Math.expm1(cases * Math.log1p(-each)) };
}

/** The change of the mean over all cases, where a missing score is the worst of the range, or the best. */
export interface MissingChange {
  readonly worst: number;
  readonly best: number;
}

/** Higher scores are better; undefined without cases. */
export function changeWithMissing(
  baseline: readonly (number | undefined)[],
  current: readonly (number | undefined)[],
  { low, high }: Range,
): MissingChange | undefined {
  const mean = (scores: readonly (number | undefined)[], missing: number) =>
    scores.reduce<number>((sum, score) => sum + (score ?? missing), 0) / scores.length;
  if (baseline.length === 0) return undefined;
  return { worst: mean(current, low) - mean(baseline, high), best: mean(current, high) - mean(baseline, low) };
}
