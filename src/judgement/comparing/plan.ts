import { neededCases, neededPairs, plan, type Plan } from "../../statistics/needed.ts";
import type { Comparison } from "../../statistics/comparison.ts";
import type { MeasuredMetric } from "./metric.ts";

// More than any evaluation has; the change is as good as none then.
const MOST_CASES = 1_000_000;

/**
 * How many cases or trials would decide: that nothing is worse by `margin`, or, without one, that the change which was
 * measured is no chance. Undefined where no number would.
 */
export function planFor(
  { withinVariance, trials }: Pick<MeasuredMetric, "trials" | "withinVariance">,
  comparison: Comparison,
  margin: number | undefined,
): Plan | undefined {
  const size = sizeOf(comparison, margin);
  const { spread, cases } = comparison;
  if (size === 0 || spread === undefined || spread === 0) return undefined;
  const goal = margin === undefined ? "change" : "not worse";
  const needed =
    withinVariance === undefined
      ? casesOnly(comparison, spread, size, goal)
      : plan({ spread, within: withinVariance, cases, trials }, size, goal);
  return needed.cases > MOST_CASES ? undefined : needed;
}

function casesOnly(comparison: Comparison, spread: number, size: number, goal: "change" | "not worse"): Plan {
  const isPaired = comparison.test === "mcnemar" && goal === "change";
  const flipping = (comparison.worse + comparison.better) / comparison.cases;
  const cases = isPaired ? neededPairs(flipping, size) : neededCases(spread, size, goal);
  return { cases, trials: undefined };
}

/** On the scale of the spread: logarithms for a ratio. */
function sizeOf({ scale, change, direction }: Comparison, margin: number | undefined): number {
  if (scale === "difference") return margin ?? Math.abs(change);
  if (margin === undefined) return Math.abs(Math.log(change));
  return direction === "lower" ? Math.log1p(margin) : -Math.log1p(-Math.min(margin, 0.99));
}
