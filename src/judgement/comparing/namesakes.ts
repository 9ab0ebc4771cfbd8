import { MEASURES, type CaseSet } from "../cases/case-set.ts";
import { isQuotedScore, scoreKey, scoreName } from "../cases/metric-key.ts";
import { COUNTERS, type RuleValue } from "../gates/rule.ts";

/** Which of two that share a name a rule is about, as a clause; undefined where there is only one. */
export function takenOf(value: RuleValue, sides: readonly CaseSet[]): string | undefined {
  const has = (key: string) => sides.some(({ metrics }) => metrics.has(key));
  if (value.of === "counter") {
    return has(value.counter) ? `the counter; the score of this name is \`"${value.counter}"\`` : undefined;
  }
  const { metric } = value;
  if (COUNTERS.some((counter) => counter === metric)) return `the score; the counter is \`${metric}\` without quotes`;
  if (MEASURES.has(metric)) {
    return has(scoreKey(metric)) ? `as measured; the score of this name is \`${scoreKey(metric)}\`` : undefined;
  }
  const measure = isQuotedScore(metric) ? scoreName(metric) : undefined;
  return measure !== undefined && has(measure)
    ? `the score; what was measured is \`${measure}\` without quotes`
    : undefined;
}
