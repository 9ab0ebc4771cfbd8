import { ALPHA, type Interval, wilson } from "./interval.ts";
import { tQuantile, twoSidedTail } from "./student-t.ts";
import { sumEach, sumOf, type Units } from "./ticks.ts";

/** A mean with its standard error. */
export interface MeanEstimate {
  readonly cases: number;
  /** What varies independently: the clusters, or without clusters the cases. */
  readonly units: number;
  readonly mean: number;
  /** Standard error of the mean; undefined with fewer than 2 units. */
  readonly error: number | undefined;
}

/**
 * The mean of at least one case. Its error is √(G/(G−1) · Σ_g (Σ_{i∈g} (d_i − d̄))²) / n over G units (Liang and Zeger
 * 1986, with the factor for few clusters); where each case is a unit, that is s/√n.
 */
export function estimateMean({ sums, sizes, cases, perUnit }: Units): MeanEstimate {
  const units = sums.length;
  const mean = sumOf(sums) / cases;
  const squares = sumEach(units, (place) => ((sums[place] ?? 0) - (sizes?.[place] ?? 1) * mean) ** 2);
  const error = units < 2 ? undefined : Math.sqrt((units / (units - 1)) * squares) / cases / perUnit;
  return { cases, units, mean: mean / perUnit, error };
}

/** The mean ± t·SE with units − 1 degrees of freedom; undefined where nothing varies. Student (1908). */
export function tInterval({ mean, error, units }: MeanEstimate): Interval | undefined {
  if (error === undefined || error === 0) return undefined;
  const half = tQuantile(ALPHA / 2, units - 1) * error;
  return { low: mean - half, high: mean + half };
}

/** Two-sided p of a mean of 0; undefined where nothing varies. */
export function tTest({ mean, error, units }: MeanEstimate): number | undefined {
  return error === undefined || error === 0 ? undefined : twoSidedTail(mean / error, units - 1);
}

/** Scores that lie between two numbers. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * The mean of bounded scores: t on the logit scale by the delta method, so that no end leaves the range; Wilson's interval
 * where all scores are equal, which is the widest for that mean. Undefined with one cluster.
 */
export function boundedInterval(estimate: MeanEstimate, range: Range): Interval | undefined {
  const width = range.high - range.low;
  const share = Math.min(1, Math.max(0, (estimate.mean - range.low) / width));
  const wide = (at: number) => range.low + at * width;
  if (share === 0 || share === 1 || estimate.error === 0) {
    const { low, high } = wilson(share * estimate.units, estimate.units);
    return { low: wide(low), high: wide(high) };
  }
  const logit = Math.log(share / (1 - share));
  const error = estimate.error === undefined ? undefined : estimate.error / width / (share * (1 - share));
  const ends = tInterval({ ...estimate, mean: logit, error });
  const back = (end: number) => wide(1 / (1 + Math.exp(-end)));
  return ends && { low: back(ends.low), high: back(ends.high) };
}
