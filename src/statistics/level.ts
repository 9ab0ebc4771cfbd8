import { type Interval, wilson } from "./interval.ts";
import { boundedInterval, estimateMean, type Range, tInterval } from "./mean.ts";
import { type Quantiles, quantilesIn, quantilesOf, type RowValues } from "./quantiles.ts";
import { release } from "./release.ts";
import { type Numbers, sumOf, toTicks, unitsOf } from "./ticks.ts";

/** What the numbers of a metric may be: a case's score, or the mean of its trials. */
export type Kind =
  /** 0 or 1 in each trial. */
  | { readonly kind: "binary" }
  | ({ readonly kind: "bounded" } & Range)
  /** `isAmount`: times, costs and counts that are not all above 0. */
  | { readonly kind: "unbounded"; readonly isAmount?: boolean }
  /** Above 0, and compared as a ratio: latency, cost, tokens. The high end of a range is the most that they may be. */
  | { readonly kind: "positive"; readonly range?: Range | undefined };

/** With fewer units than this a mean of numbers gets no interval. */
export const LEAST_UNITS = 15;

/** The scores of one side. */
export interface Level {
  readonly cases: number;
  readonly mean: number;
  /** 95 % interval of the mean; undefined with fewer than 15 units, but for yes or no in one trial. */
  readonly interval: Interval | undefined;
  /** How many values the quantiles are of. */
  readonly rows: number;
  /** Of rows, where the rows of a case together weigh as much as those of any other. */
  readonly quantiles: Quantiles;
}

/**
 * Undefined without cases. `clusters` holds the name of each case's cluster; `rows` what the scores are means of, where a case
 * has several.
 */
export function levelOf(
  scores: Numbers,
  kind: Kind,
  clusters?: readonly string[],
  rows?: RowValues,
): Level | undefined {
  const cases = scores.length;
  if (cases === 0) return undefined;
  const sorted = new Float64Array(scores).sort();
  const sum = sumOf(sorted);
  let interval: Interval | undefined;
  if (isYesOrNo(sorted, kind) && !clusters) interval = wilson(sum, cases);
  else {
    const ticks = toTicks(clusters ? scores : sorted);
    const units = unitsOf(ticks, clusters);
    const estimate = estimateMean(units);
    release(ticks.counts, units.sums);
    const range = rangeOf(kind);
    if (estimate.units >= LEAST_UNITS) interval = range ? boundedInterval(estimate, range) : tInterval(estimate);
  }
  const level = {
    cases,
    mean: sum / cases,
    interval,
    rows: rows?.values.length ?? cases,
    quantiles: rows ? quantilesOf(rows) : quantilesIn(sorted, { values: sorted, counts: undefined }),
  };
  release(sorted);
  return level;
}

/** Whether each case has one yes or no. */
export function isYesOrNo(scores: Numbers, { kind }: Kind): boolean {
  if (kind !== "binary") return false;
  for (const score of scores) if (score !== 0 && score !== 1) return false;
  return true;
}

/** Where the scores lie; undefined where nothing bounds them. */
export function rangeOf(kind: Kind): Range | undefined {
  if (kind.kind === "binary") return { low: 0, high: 1 };
  return kind.kind === "bounded" ? kind : undefined;
}
