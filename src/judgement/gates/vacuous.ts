import type { Range } from "../../statistics/mean.ts";
import { numberText } from "../../text/number.ts";
import { withFullStop } from "../../text/reasons.ts";
import {
  meets,
  numberIn,
  type NamedMetric,
  type Rule,
  type RuleNumber,
  type RuleTest,
  type RuleValue,
} from "./rule.ts";
import { written } from "../cases/metric-key.ts";

/**
 * Why no result can break a rule, a clause that follows it; undefined where one can. `metric` is that of the rule, in the
 * results and the baseline. Certain where the range follows from what is counted or declared, and values do not only show it.
 */
export function vacuityOf({ value, test }: Rule, metric: NamedMetric | undefined) {
  const range =
    value.of === "counter"
      ? { low: 0, high: value.counter === "error_rate" ? 1 : Infinity, isCertain: true }
      : metric && metricRange(metric);
  if (!range || !isVacuous(test, range, metric)) return undefined;
  const name = value.of === "counter" ? value.counter : written(value.metric);
  const [low, high] = [numberText(range.low), numberText(range.high)];
  const limit =
    test.by === "number" && metric?.kind === "binary" && metric.isRangeDeclared !== true ? test.number : undefined;
  // `citations <= 3`, where this run has one or none, may count, and be no share.
  const mayBeCount = limit?.unit === "" && Number.isInteger(limit.value) && limit.value > 1;
  return {
    message: `can be broken by no result, since \`${name}\` is ${range.high === Infinity ? `never below ${low}` : `from ${low} to ${high}`}`,
    hint: hintOf({ value, test }, range),
    isCertain: range.isCertain && !mayBeCount,
  };
}

/** A sentence on each rule that only values could break which no run has shown. */
export function vacuousWarnings(rules: readonly Rule[], metrics: ReadonlyMap<string, NamedMetric>): readonly string[] {
  return rules.flatMap((rule) => {
    const vacuity = vacuityOf(rule, rule.value.of === "metric" ? metrics.get(rule.value.metric) : undefined);
    if (!vacuity || vacuity.isCertain) return [];
    const hint = `${vacuity.hint.charAt(0).toUpperCase()}${vacuity.hint.slice(1)}`;
    return `The rule \`${rule.text}\` ${vacuity.message} here. ${withFullStop(hint)}`;
  });
}

/**
 * Scores that are yes or no are shares. Others from 0 to 1 may be more in another run, unless their range is declared, and
 * so may a count of what is bad: retries of which this run had none or one.
 */
function metricRange({ kind, low = 0, high = 1, ...facts }: NamedMetric) {
  if (kind === "unbounded") return undefined;
  if (kind === "positive") return { low: 0, high: Infinity, isCertain: false };
  // Only the range from 0 to 1 is ever inferred.
  const isOther = low !== 0 || high !== 1;
  const isYesNo = kind === "binary" && facts.direction === "higher" && facts.isDirectionUnsure !== true;
  return { low, high, isCertain: isYesNo || isOther || facts.isRangeDeclared === true };
}

function isVacuous(test: RuleTest, { low, high }: Range, metric: NamedMetric | undefined): boolean {
  switch (test.by) {
    case "number": {
      const { operator, number } = test;
      return meets(low, operator, number.value) && meets(high, operator, number.value);
    }
    case "point":
      return meets(test.most.value, ">=", mostHarm(test.most, { low, high }, metric));
    case "not-worse":
      return meets(test.margin.value, ">=", mostHarm(test.margin, { low, high }, metric));
    case "not-regressed":
      // That depends on the cases that the baseline has.
      return false;
  }
}

/** The most that the mean can lose, or as a part of what it was; infinite where that has no limit. */
function mostHarm({ isRelative }: RuleNumber, { low, high }: Range, metric?: NamedMetric): number {
  if (!isRelative) return high - low;
  const isLower = metric?.direction === "lower";
  if (low < 0 || (isLower && low === 0)) return Infinity;
  if (isLower) return (high - low) / low;
  return high === Infinity ? 1 : (high - low) / high;
}

function hintOf({ value, test }: Pick<Rule, "test" | "value">, range: Range): string {
  const meant = meantLimit(value, test, range);
  if (meant !== "") return `did you mean \`${meant}\`?`;
  if (value.of === "counter") {
    const { counter } = value;
    return `write \`${counter === "rows" ? "rows > 0" : counter === "error_rate" ? "error_rate <= 1%" : `${counter} = 0`}\``;
  }
  if (test.by !== "number") return `write a smaller limit, such as \`${isShareRange(range) ? "5pp" : "5%"}\``;
  return range.high === Infinity ? "write a limit above 0" : "write a limit within this range";
}

const isShareRange = ({ low, high }: Range) => low === 0 && high === 1;

/** The limit of a share as it was most likely meant, where it lacks its unit; empty where that is not likely. */
export function meantLimit(value: RuleValue, test: RuleTest, range: Range): string {
  const limit = numberIn(test);
  if (!limit || !isShareRange(range)) return "";
  if (value.of === "counter" && value.counter !== "error_rate") return "";
  const isUpper = test.by !== "number" || test.operator === "<=" || test.operator === "<";
  if (limit.unit !== "" || limit.value > 100 || limit.value < 1 || (limit.value === 1 && !isUpper)) return "";
  return `${String(limit.value)}${test.by === "number" ? "%" : "pp"}`;
}
