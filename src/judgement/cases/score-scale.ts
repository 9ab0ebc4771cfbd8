import type { CaseSet } from "./case-set.ts";
import { declaredRange, type Range } from "./metric-facts.ts";
import { isAmount } from "./metric-names.ts";
import { trialValues } from "./stored-case.ts";

/** What the scores of one name in one file show of their scale. */
export interface ScoreScale {
  least: number;
  most: number;
  /** The least above 0. */
  leastAbove: number;
  /** True where one is between 0 and 1. */
  hasFraction: boolean;
  declared?: Range | undefined;
}

export function newScale(): ScoreScale {
  return { least: Infinity, most: -Infinity, leastAbove: Infinity, hasFraction: false };
}

export function takeScore(scale: ScoreScale, value: number): void {
  if (value < scale.least) scale.least = value;
  if (value > scale.most) scale.most = value;
  if (value > 0 && value < scale.leastAbove) scale.leastAbove = value;
  scale.hasFraction ||= value > 0 && value < 1;
}

/** The scales of a set that was read from one file. */
export function scalesOf({ metrics, cases }: CaseSet): ReadonlyMap<string, ScoreScale> {
  const scales = new Map<string, ScoreScale>();
  for (const [at, [metric, facts]] of [...metrics].entries()) {
    if (isAmount(metric)) continue;
    const scale = newScale();
    for (const one of cases) for (const value of trialValues(one, at)) takeScore(scale, value);
    scale.declared = declaredRange(facts);
    scales.set(metric, scale);
  }
  return scales;
}

const NEAR = 1e-6;
/** Whole numbers up to 4 may be counts or marks that begin at 0. */
const SURELY_LARGE = 5;

export function isShare({ least, most, declared }: ScoreScale): boolean {
  const isWithin = declared === undefined || (declared.low >= 0 && declared.high <= 1);
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
