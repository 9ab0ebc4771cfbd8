import { ALPHA, type Interval } from "./interval.ts";
import { isYesOrNo, type Kind, LEAST_UNITS, type Level, levelOf, rangeOf } from "./level.ts";
import { dirichletBound, equalBound, equalUnitsFor } from "./dirichlet-bound.ts";
import type { Extremes } from "./known-range.ts";
import { estimateMean, type MeanEstimate, type Range, tInterval, tTest } from "./mean.ts";
import type { RowValues } from "./quantiles.ts";
import { release } from "./release.ts";
import { type Flips, pairedBound, pairedInterval, mcnemar, signFlip } from "./exact-tests.ts";
import { gainsOf, isSame } from "./differences.ts";
import { countWhere, largestOf, type Numbers, type Units, toTicks, unitsOf } from "./ticks.ts";
import { type WorstLoss, worstLossOf } from "./worst-loss.ts";

/** The scores of the cases that both sides have, in the same order on both. */
export interface PairedScores {
  /** One finite number a case: the mean of its trials. */
  readonly baseline: Numbers;
  readonly current: Numbers;
  readonly kind: Kind;
  /** Which scores are better. */
  readonly direction: "higher" | "lower";
  /** One trial of each case on both sides, the same number of trials on both, or another number for some case. */
  readonly trials: "single" | "equal" | "unequal";
  /** The name of each case's cluster, of cases that vary together. */
  readonly clusters?: readonly string[] | undefined;
  /** Of all values of both sides, where these are a part of them: what one part does not show the others may. */
  readonly seen?: Extremes | undefined;
  /** What the scores of a side are means of, where a case has several rows. */
  readonly rows?: { readonly baseline?: RowValues | undefined; readonly current: RowValues | undefined };
}

/** Now against the baseline. */
export interface Comparison {
  /** Whether `change`, `interval` and `bound` are current − baseline, or the ratio current / baseline. */
  readonly scale: "difference" | "ratio";
  readonly direction: "higher" | "lower";
  readonly cases: number;
  /** Cases, or clusters where they are given: with fewer than 15 a mean of numbers has no interval. */
  readonly units: number;
  /** Units that changed: with fewer than 6 no p is below 0.05. */
  readonly changedUnits: number;
  /** Those of them that got worse. */
  readonly worseUnits: number;
  /** Units that could get worse: not all of their cases have the worst score of the range in the baseline. */
  readonly unitsToLose: number;
  /** How many cases got worse. For yes or no they fail newly. */
  readonly worse: number;
  /** How many cases got better. For yes or no they are fixed. */
  readonly better: number;
  readonly baseline: Level;
  readonly current: Level;
  /** The mean difference of the cases, or the geometric mean of their ratios. */
  readonly change: number;
  /** 95 % interval of the change; undefined with too few units, or where all cases changed alike. */
  readonly interval: Interval | undefined;
  /** Two-sided p of no change. */
  readonly p: number;
  readonly test: "mcnemar" | "sign flip" | "t" | "unchanged";
  /** How bad the change may be: its one-sided 95 % limit on the side of harm. Undefined where nothing bounds a loss. */
  readonly bound: number | undefined;
  /** The same, had no case changed: no narrower margin can be shown by so many. */
  readonly equalBound: number | undefined;
  /**
   * What one more case, or each case of one more cluster, lost in the bound; undefined for yes or no in one trial, whose bound
   * needs none, and where nothing bounds a loss.
   */
  readonly worst: WorstLoss | undefined;
  /** Standard deviation of the differences, of logarithms for a ratio; undefined with one unit. */
  readonly spread: number | undefined;
}

/** Compares the scores of two runs, case by case. Undefined without cases. Throws RangeError for lists that do not fit. */
export function compare(scores: PairedScores): Comparison | undefined {
  const { kind, direction, clusters } = scores;
  check(scores);
  const baseline = levelOf(scores.baseline, kind, clusters, scores.rows?.baseline);
  const current = levelOf(scores.current, kind, clusters, scores.rows?.current);
  if (!baseline || !current) return undefined;
  const isRatio = kind.kind === "positive" && baseline.quantiles.min > 0 && current.quantiles.min > 0;
  const turn = direction === "higher" ? 1 : -1;
  const gains = gainsOf(scores, isRatio);
  const units = unitsOf(gains, clusters);
  const estimate = estimateMean(units);
  const worse = countWhere(gains.counts, (gain) => gain < 0);
  const better = countWhere(gains.counts, (gain) => gain > 0);
  const isSingle = scores.trials === "single" && !clusters;
  const isPairs = isSingle && isYesOrNo(scores.baseline, kind) && isYesOrNo(scores.current, kind);
  const flips = isPairs ? { newlyFailing: worse, fixed: better, n: estimate.cases } : undefined;
  const [was, is] = [baseline.quantiles, current.quantiles];
  const worst = flips
    ? undefined
    : worstLossOf(kind, {
        direction,
        seen: scores.seen ?? { least: Math.min(was.min, is.min), most: Math.max(was.max, is.max) },
        baseline: { least: was.min, most: was.max },
        largestRatio: isRatio ? largestOf(gains.counts) / gains.perUnit : undefined,
      });
  const limits = flips
    ? {
        interval: pairedInterval(flips),
        bound: pairedBound(flips),
        equalBound: pairedBound({ newlyFailing: 0, fixed: 0, n: flips.n }),
      }
    : meanLimits(units, estimate, isRatio ? undefined : rangeOf(kind), worst);
  const outside = (gain: number) => (isRatio ? Math.exp(turn * gain) : turn * gain + 0);
  const [low, high] = direction === "higher" ? (["low", "high"] as const) : (["high", "low"] as const);
  const comparison: Comparison = {
    scale: isRatio ? "ratio" : "difference",
    direction,
    cases: estimate.cases,
    units: estimate.units,
    changedUnits: changedOf(units),
    worseUnits: countWhere(units.sums, (sum) => sum < 0),
    unitsToLose: unitsToLose(scores),
    worse,
    better,
    baseline,
    current,
    change: outside(estimate.mean),
    interval: limits.interval && { low: outside(limits.interval[low]), high: outside(limits.interval[high]) },
    ...(worse + better === 0 ? { p: 1, test: "unchanged" } : testOf(scores, units, estimate, flips)),
    bound: limits.bound === undefined ? undefined : outside(limits.bound),
    equalBound: limits.equalBound === undefined ? undefined : outside(limits.equalBound),
    worst,
    spread: estimate.error === undefined ? undefined : estimate.error * Math.sqrt(estimate.cases),
  };
  release(gains.counts, gains.slacks, units.sums);
  return comparison;
}

function check({ baseline, current, clusters }: PairedScores): void {
  const lengths = new Set([baseline.length, current.length, clusters?.length ?? current.length]);
  if (lengths.size > 1) throw new RangeError(`lists of ${[...lengths].join(", ")} cases do not fit`);
  for (let i = 0; i < baseline.length; i += 1) {
    if (!Number.isFinite(baseline[i]) || !Number.isFinite(current[i])) throw new RangeError(`case ${i} has no score`);
  }
}

/** How many units do not have the worst score of the range in all of their cases of the baseline. */
export function unitsToLose({
  baseline,
  kind,
  direction,
  clusters,
}: Pick<PairedScores, "baseline" | "clusters" | "direction" | "kind">): number {
  const range = rangeOf(kind);
  const worst = direction === "higher" ? range?.low : range?.high;
  if (worst === undefined && !clusters) return baseline.length;
  const found = new Set<string>();
  let count = 0;
  for (let i = 0; i < baseline.length; i += 1) {
    if (worst !== undefined && isSame(baseline[i] ?? worst, worst)) continue;
    if (!clusters) count += 1;
    else found.add(clusters[i] ?? "");
  }
  return clusters ? found.size : count;
}

function meanLimits(units: Units, estimate: MeanEstimate, range: Range | undefined, worst: WorstLoss | undefined) {
  const given = worst && { units, worst: worst.loss };
  const interval = estimate.units < LEAST_UNITS ? undefined : tInterval(estimate);
  const width = range ? range.high - range.low : Infinity;
  return {
    interval: interval && { low: Math.max(-width, interval.low), high: Math.min(width, interval.high) },
    bound: given && dirichletBound(given),
    equalBound: given && equalBound(given),
  };
}

const changedOf = (units: Units) => countWhere(units.sums, (sum) => sum !== 0);

function testOf(
  { trials }: PairedScores,
  units: Units,
  estimate: MeanEstimate,
  flips: Flips | undefined,
): Pick<Comparison, "p" | "test"> {
  if (flips) return { p: mcnemar(flips.newlyFailing, flips.fixed), test: "mcnemar" };
  const byT = tTest(estimate);
  // With other trials than the baseline a case is not as likely to move up as down by the same amount.
  const byFlip = trials === "unequal" && byT !== undefined ? undefined : signFlip(units.sums, units.slack);
  if (byFlip !== undefined) return { p: byFlip, test: "sign flip" };
  // Never less than what signs alone can show.
  return { p: Math.max(byT ?? 1, 2 ** (1 - changedOf(units))), test: "t" };
}

export function isHarm({ change, scale, direction }: Comparison): boolean {
  const difference = scale === "ratio" ? change - 1 : change;
  return direction === "higher" ? difference < 0 : difference > 0;
}

/** True where half of what can get worse did, and nothing got better: more than a green rule can stand for. */
export function isMostlyLost({ worseUnits, changedUnits, unitsToLose: toLose }: Comparison): boolean {
  return worseUnits > 0 && worseUnits === changedUnits && 2 * worseUnits >= toLose;
}

/** Whether more harm than `margin` is ruled out; the margin is a share of the baseline for a ratio. Undefined without a bound. */
export function isNotWorse({ bound, scale, direction }: Comparison, margin: number): boolean | undefined {
  if (bound === undefined) return undefined;
  const change = scale === "ratio" ? bound - 1 : bound;
  return direction === "higher" ? change > -margin : change < margin;
}

/**
 * How many units rule out more harm than `margin` if none of them changed, with clusters as large as those that are given.
 * Undefined without a bound, or where no number does.
 */
export function equalUnits(
  { equalBound: equal, worst, scale, direction }: Pick<Comparison, "direction" | "equalBound" | "scale" | "worst">,
  margin: number,
  clusters?: readonly string[],
): number | undefined {
  if (equal === undefined || !(margin > 0)) return undefined;
  if (!worst) return margin >= 1 ? 1 : Math.floor(Math.log(ALPHA) / Math.log1p(-margin)) + 1;
  const most = scale === "difference" ? margin : logMargin(margin, direction);
  const none = toTicks(new Float64Array(clusters?.length ?? 1));
  return equalUnitsFor(most, { units: unitsOf(none, clusters), worst: worst.loss });
}

export function logMargin(margin: number, direction: Comparison["direction"]): number {
  return direction === "lower" ? Math.log1p(margin) : -Math.log1p(-Math.min(margin, 0.99));
}

/** The change of the mean over all cases, where a missing score is the worst of the range, or the best. */
export interface MissingChange {
  readonly worst: number;
  readonly best: number;
}

/** Higher scores are better, and NaN is one that is missing; undefined without cases. */
export function changeWithMissing(
  baseline: Numbers,
  current: Numbers,
  { low, high }: Range,
): MissingChange | undefined {
  const mean = (scores: Numbers, missing: number) => {
    let sum = 0;
    for (const score of scores) sum += Number.isNaN(score) ? missing : score;
    return sum / scores.length;
  };
  if (baseline.length === 0) return undefined;
  return { worst: mean(current, low) - mean(baseline, high), best: mean(current, high) - mean(baseline, low) };
}
