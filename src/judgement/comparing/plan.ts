import { equalUnits, logMargin, type Comparison } from "../../statistics/comparison.ts";
import { neededCases, neededPairs, plan, planBounded, type Plan } from "../../statistics/needed.ts";
import type { MeasuredMetric } from "./metric.ts";

// More than any evaluation has; the change is as good as none then.
const MOST_CASES = 1_000_000;

export interface Question {
  /** That nothing is worse by so much; undefined: that the measured change is not chance. */
  readonly margin: number | undefined;
  /** By what Holm multiplies the p of the change. */
  readonly factor: number;
}

/** How many cases or trials would decide. Undefined where no number would. */
export function planFor(
  { withinVariance, trials }: Pick<MeasuredMetric, "trials" | "withinVariance">,
  comparison: Comparison,
  { margin, factor }: Question,
): Plan | undefined {
  const size = sizeOf(comparison, margin);
  const { spread, cases } = comparison;
  if (size === 0 || spread === undefined || spread === 0) return undefined;
  const goal = margin === undefined ? "change" : "not worse";
  const isPaired = comparison.test === "mcnemar" && goal === "change";
  const flipping = (comparison.worse + comparison.better) / cases;
  const casesOnly = isPaired ? neededPairs(flipping, size, factor) : neededCases(spread, size, goal, factor);
  const needed: Plan =
    withinVariance === undefined
      ? { cases: casesOnly, trials: undefined }
      : plan({ spread, within: withinVariance, cases, trials }, size, goal, factor);
  const { worst, units } = comparison;
  const equal = margin === undefined ? undefined : equalUnits(comparison, margin);
  const effort = { spread, within: withinVariance ?? 0, cases, trials };
  const whole =
    equal === undefined || !worst
      ? needed
      : planBounded(needed, effort, { size, worst: worst.loss, equal: Math.ceil((equal * cases) / units) });
  if (whole.cases > MOST_CASES) return undefined;
  // The cases that there are did not decide, though by the formula of large numbers they may.
  return { ...whole, cases: Math.max(whole.cases, cases + 1) };
}

/** On the scale of the spread: logarithms for a ratio. */
function sizeOf({ scale, change, direction }: Comparison, margin: number | undefined): number {
  if (scale === "difference") return margin ?? Math.abs(change);
  if (margin === undefined) return Math.abs(Math.log(change));
  return logMargin(margin, direction);
}
