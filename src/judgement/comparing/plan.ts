import type { Comparison } from "../../statistics/comparison.ts";
import { neededCases, neededPairs, plan, planBounded, type Goal, type Plan } from "../../statistics/needed.ts";
import type { MetricFacts } from "../cases/case-set.ts";
import type { MeasuredMetric } from "./metric.ts";

// More than any evaluation has; the change is as good as none then.
const MOST_CASES = 1_000_000;

/** What more cases or trials should show. */
export interface Question {
  /** That nothing is worse by so much; undefined: that the measured change is not chance. */
  readonly margin: number | undefined;
  /** By what Holm multiplies the p of the change. */
  readonly factor: number;
}

/** How many cases or trials would decide. Undefined where no number would. */
export function planFor(
  { withinVariance, trials, facts }: Pick<MeasuredMetric, "facts" | "trials" | "withinVariance">,
  comparison: Comparison,
  { margin, factor }: Question,
): Plan | undefined {
  const size = sizeOf(comparison, margin);
  const { spread, cases } = comparison;
  if (size === 0 || spread === undefined || spread === 0) return undefined;
  const goal = margin === undefined ? "change" : "not worse";
  const needed =
    withinVariance === undefined
      ? casesOnly(comparison, spread, { size, goal, factor })
      : plan({ spread, within: withinVariance, cases, trials }, size, goal, factor);
  const range = goal === "not worse" ? imaginedRange(comparison, facts) : undefined;
  const effort = { spread, within: withinVariance ?? 0, cases, trials };
  const whole = range === undefined ? needed : planBounded(needed, effort, { size, range });
  if (whole.cases > MOST_CASES) return undefined;
  // The cases that there are did not decide, though by the formula of large numbers they may.
  return { ...whole, cases: Math.max(whole.cases, cases + 1) };
}

/** The range of the imagined case in the bound of a comparison; undefined where its bound has none. */
function imaginedRange({ scale, test }: Comparison, { kind, low = 0, high = 1 }: MetricFacts): number | undefined {
  const isBounded = scale === "difference" && (kind === "binary" || kind === "bounded");
  return isBounded && test !== "mcnemar" ? high - low : undefined;
}

interface Shown {
  readonly size: number;
  readonly goal: Goal;
  readonly factor: number;
}

function casesOnly(comparison: Comparison, spread: number, { size, goal, factor }: Shown): Plan {
  const isPaired = comparison.test === "mcnemar" && goal === "change";
  const flipping = (comparison.worse + comparison.better) / comparison.cases;
  const cases = isPaired ? neededPairs(flipping, size, factor) : neededCases(spread, size, goal, factor);
  return { cases, trials: undefined };
}

/** On the scale of the spread: logarithms for a ratio. */
function sizeOf({ scale, change, direction }: Comparison, margin: number | undefined): number {
  if (scale === "difference") return margin ?? Math.abs(change);
  if (margin === undefined) return Math.abs(Math.log(change));
  return direction === "lower" ? Math.log1p(margin) : -Math.log1p(-Math.min(margin, 0.99));
}
