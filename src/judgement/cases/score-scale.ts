import type { Range } from "../../statistics/mean.ts";
import { NEAR } from "../../statistics/known-range.ts";
import type { CaseSet } from "./case-set.ts";
import { declaredRange } from "./metric-facts.ts";
import { isAmount } from "./metric-names.ts";
import { valuesIn } from "./stored-case.ts";

/** What scores show of their scale: of one name in one file, or in a run. */
export interface ScoreScale {
  least: number;
  most: number;
  /** The least above 0; infinite without one. */
  leastAbove: number;
  /** The least above 1, but for rounding; infinite without one. */
  leastAboveOne: number;
  hasFraction: boolean;
  isWhole: boolean;
  declared?: Range | undefined;
}

export function newScale(): ScoreScale {
  return {
    ...{ least: Infinity, most: -Infinity, leastAbove: Infinity, leastAboveOne: Infinity },
    ...{ hasFraction: false, isWhole: true },
  };
}

/** Takes a score into a scale; NaN is none. */
export function takeScore(scale: ScoreScale, value: number): void {
  if (Number.isNaN(value)) return;
  if (value < scale.least) scale.least = value;
  if (value > scale.most) scale.most = value;
  if (value > 0 && value < scale.leastAbove) scale.leastAbove = value;
  if (value > 1 + NEAR && value < scale.leastAboveOne) scale.leastAboveOne = value;
  scale.hasFraction ||= value > 0 && value < 1;
  scale.isWhole &&= Number.isInteger(value);
}

export function scaleOf(values: Iterable<number>): ScoreScale {
  const scale = newScale();
  for (const value of values) takeScore(scale, value);
  return scale;
}

/** The scales of a set that was read from one file. */
export function scalesOf(set: CaseSet): ReadonlyMap<string, ScoreScale> {
  const scales = new Map<string, ScoreScale>();
  for (const [metric, facts] of set.metrics) {
    if (isAmount(metric)) continue;
    scales.set(metric, { ...scaleOf(valuesIn(set, metric)), declared: declaredRange(facts) });
  }
  return scales;
}

/** Whole numbers up to 4 may be counts or marks that begin at 0. */
const SURELY_LARGE = 5;
export const LARGER_THAN_MARKS = 10;

export function isShare({ least, most, declared }: ScoreScale): boolean {
  const isWithin = !declared || (declared.low >= 0 && declared.high <= 1);
  return isWithin && least >= -NEAR && most <= 1 + NEAR;
}

/**
 * True where a share and other scores are of two scales, as 0.85 and 85: the one has fractions and the other none, or the
 * other has large ones and none up to 1.
 */
export function areApart(share: ScoreScale, other: ScoreScale): boolean {
  if (other.most <= 1 + NEAR) return false;
  if (share.hasFraction) return !other.hasFraction;
  return other.most >= SURELY_LARGE && other.leastAbove > 1 + NEAR;
}

/** True where one run has shares and the other has them in percent: 0.85 became 85. A count may fall from 3 to 1. */
export function areOtherScales(one: ScoreScale, other: ScoreScale): boolean {
  const [small, large] = one.most <= other.most ? [one, other] : [other, one];
  const isWithin = small.least >= -NEAR && small.most <= 1 + NEAR;
  return isWithin && large.most > 1 + NEAR && (small.hasFraction || large.most >= SURELY_LARGE);
}

/** True where shares stand beside values above 10, and none is between them: a part of the rows is in percent. */
export function isMixed({ hasFraction, leastAboveOne }: ScoreScale): boolean {
  return hasFraction && leastAboveOne > LARGER_THAN_MARKS && leastAboveOne < Infinity;
}
