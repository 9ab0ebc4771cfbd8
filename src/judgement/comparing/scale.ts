import type { CaseSet, MetricFacts } from "../cases/case-set.ts";
import type { Rule } from "../gates/rule.ts";
import { columnOf } from "./values.ts";

/** The metrics of rules that the two sides have on two scales. */
export function otherScales(rules: readonly Rule[], now: CaseSet, baseline: CaseSet): readonly string[] {
  const compared = rules.flatMap((rule) => metricOnScale(rule, baseline) ?? []);
  return [...new Set(compared)].filter((metric) => hasOtherScale(now, baseline, metric));
}

/** The metric of a rule that compares with the baseline, or that any score above 1 would meet, as `accuracy >= 0.9`. */
function metricOnScale({ value, test }: Rule, { metrics }: CaseSet): string | undefined {
  if (value.of !== "metric") return undefined;
  if (test.by !== "number") return value.metric;
  const facts = metrics.get(value.metric);
  const isLeast = (test.operator === ">=" || test.operator === ">") && test.number.value <= 1;
  return isLeast && facts !== undefined && isShare(facts) ? value.metric : undefined;
}

/**
 * True where one run has a score from 0 to 1 and the other has it above 1 in most cases, as where 0.85 became 85. A count
 * may fall from 3 to 1: whole numbers are on another scale only where they grew, and more is better.
 */
function hasOtherScale(now: CaseSet, baseline: CaseSet, metric: string): boolean {
  const [ours, theirs] = [now.metrics.get(metric), baseline.metrics.get(metric)];
  if (ours === undefined || theirs === undefined || isShare(ours) === isShare(theirs)) return false;
  const [small, large] = isShare(ours) ? [now, baseline] : [baseline, now];
  const { means } = columnOf(large, metric);
  const [above, all] = [countWhere(means, (mean) => mean > 1), countWhere(means, (mean) => !Number.isNaN(mean))];
  if (above * 2 <= all) return false;
  const isWhole = columnOf(small, metric).means.every((mean) => Number.isNaN(mean) || Number.isInteger(mean));
  return !isWhole || (large === now && ours.direction === "higher");
}

function isShare({ kind, low = 0, high = 1 }: MetricFacts): boolean {
  return (kind === "binary" || kind === "bounded") && low >= 0 && high <= 1;
}

function countWhere(numbers: Float64Array, test: (number: number) => boolean): number {
  let count = 0;
  for (const number of numbers) if (test(number)) count += 1;
  return count;
}
