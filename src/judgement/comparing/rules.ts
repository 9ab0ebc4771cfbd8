import { isNotWorse, type Comparison } from "../../statistics/comparison.ts";
import { holm } from "../../statistics/exact-tests.ts";
import { countText } from "../../text/number.ts";
import type { Rule, RuleNumber, Statistic } from "../gates/rule.ts";
import type { CaseSet, MetricFacts } from "../cases/case-set.ts";
import type { RuleOutcome, Verdict } from "../judgement.ts";
import {
  changeText,
  comparisonText,
  isShare,
  levelText,
  nameOf,
  pText,
  shareText,
  sizeText,
  valueText,
} from "../words.ts";
import { countOf, type Counted, placesOf } from "./counted.ts";
import { meets } from "./limit.ts";
import { isHarm, type MeasuredMetric } from "./metric.ts";
import { ALPHA } from "../../statistics/interval.ts";
import type { Level } from "../../statistics/level.ts";
import { neededCases, neededPairs, plan, planBounded, type Plan } from "../../statistics/needed.ts";

/** What the rules are judged by. */
export interface Evidence extends Counted {
  /** The metric of a rule in its part; the same object for the same metric and part. */
  readonly metricOf: (rule: Rule) => MeasuredMetric;
}

/** Judges all rules together. */
export function judgeRules(rules: readonly Rule[], evidence: Evidence): readonly RuleOutcome[] {
  const adjusted = adjustedPs(rules, evidence);
  return rules.map((rule) => judgeRule(rule, evidence, adjusted));
}

/** p of each metric that a rule `not regressed` is about, after Holm. */
export function adjustedPs(
  rules: readonly Rule[],
  { metricOf }: Pick<Evidence, "metricOf">,
): ReadonlyMap<MeasuredMetric, number> {
  const asked = rules.filter(({ test }) => test.by === "not-regressed").map(metricOf);
  const compared = [...new Set(asked)].filter(({ comparison }) => comparison !== undefined);
  const adjusted = holm(compared.map(({ comparison }) => comparison?.p ?? 1));
  return new Map(compared.map((metric, index) => [metric, adjusted[index] ?? 1]));
}

type Outcome = Pick<RuleOutcome, "found" | "holds" | "needed" | "verdict">;

function judgeRule(rule: Rule, evidence: Evidence, adjusted: ReadonlyMap<MeasuredMetric, number>): RuleOutcome {
  const outcome = rule.value.of === "counter" ? judgeCount(rule, evidence) : judgeMetric(rule, evidence, adjusted);
  const places = outcome.holds === false ? placesOf(rule, evidence) : [];
  const meant = meantBy(rule, evidence);
  const found = meant === undefined ? outcome.found : `${outcome.found} (did you mean ${meant}?)`;
  return { rule, ...outcome, found, meant, places };
}

/** What a limit without a unit was most likely meant to be, where no share can break it, or reach it. */
function meantBy(rule: Rule, { metricOf }: Evidence): string | undefined {
  const { value, test } = rule;
  if (test.by === "not-regressed") return undefined;
  const isOfShare = value.of === "counter" ? value.counter === "error_rate" : isShare(metricOf(rule).facts);
  const limit = test.by === "number" ? test.number : test.by === "point" ? test.most : test.margin;
  if (!isOfShare || limit.unit !== "" || limit.value > 100) return undefined;
  const isEverything = test.by !== "number" || test.operator === "<=";
  const isBeyond = isEverything ? limit.value >= 1 : limit.value > 1;
  return isBeyond ? `${String(limit.value)}${test.by === "number" ? "%" : "pp"}` : undefined;
}

/** A sentence on a rule that holds whatever the results are: most likely its limit lacks a unit. */
export function limitWarning({ rule: { test, text }, meant, holds }: RuleOutcome): string | undefined {
  const isUpper = test.by !== "number" || test.operator === "<=" || test.operator === "<";
  if (meant === undefined || holds === false || !isUpper) return undefined;
  return `The rule \`${text}\` holds for any results: did you mean ${meant}?`;
}

function judgeCount(rule: Rule, evidence: Evidence): Outcome {
  const { value, test } = rule;
  if (value.of !== "counter" || test.by !== "number") throw new TypeError("a counter is compared with a number");
  const count = countOf(rule, value.counter, evidence);
  if (count === undefined) return notCompared(value.counter);
  const holds = meets(count, test.operator, test.number.value);
  const text = value.counter === "error_rate" ? shareText(count) : countText(count);
  return { holds, verdict: "no rule", found: `${value.counter} is ${text}`, needed: undefined };
}

function judgeMetric(rule: Rule, evidence: Evidence, adjusted: ReadonlyMap<MeasuredMetric, number>): Outcome {
  const { test } = rule;
  const metric = evidence.metricOf(rule);
  if (test.by === "number") return judgeLevel(rule, metric);
  const { comparison, facts } = metric;
  if (comparison === undefined) return uncompared(metric, evidence.baseline);
  if (test.by === "point") return judgePoint(rule, metric, comparison);
  const p = adjusted.get(metric) ?? comparison.p;
  const verdict = verdictOf(comparison, p);
  const size = sizeText(comparison.cases, comparison.cases * metric.trials);
  const found = `${nameOf(metric)} ${comparisonText(facts, comparison)} on ${size}, ${pText(p)}`;
  if (test.by === "not-regressed") {
    const needed = verdict === "inconclusive" ? planFor(metric, comparison, undefined) : undefined;
    return { holds: verdict !== "regressed", verdict, found, needed };
  }
  const { margin: most } = test satisfies { readonly by: "not-worse" };
  const margin = marginOf(most, comparison);
  const isProven = isNotWorse(comparison, margin);
  if (isProven === true) return { holds: true, verdict: "not worse", found, needed: undefined };
  const unproven: Verdict = verdict === "regressed" ? verdict : isProven === undefined ? "too few" : "inconclusive";
  const needed = unproven === "regressed" ? undefined : planFor(metric, comparison, margin);
  return { holds: false, verdict: unproven, found, needed };
}

function judgeLevel({ value, test }: Rule, metric: MeasuredMetric): Outcome {
  if (value.of !== "metric" || test.by !== "number") throw new TypeError("a level is compared with a number");
  const { statistic } = value;
  const name = statistic === "mean" ? nameOf(metric) : `${statistic}(${nameOf(metric)})`;
  const { now } = metric;
  if (now === undefined)
    return { holds: false, verdict: "incomplete", found: `${name} has no score`, needed: undefined };
  const level = valueOf(now, statistic);
  if (level === undefined) {
    const found = `${name} has no limits on ${sizeText(now.cases, now.cases)}`;
    return { holds: false, verdict: "too few", found, needed: undefined };
  }
  const text = statistic === "mean" ? levelText(metric.metric, level, now.interval) : valueText(metric.metric, level);
  const holds = meets(level, test.operator, test.number.value);
  const found = `${name} is ${text} on ${sizeText(now.cases, now.cases)}`;
  return { holds, verdict: "no rule", found, needed: undefined };
}

/** The change as it was measured: of the mean, or of a quantile. */
function judgePoint({ value, test }: Rule, metric: MeasuredMetric, comparison: Comparison): Outcome {
  if (value.of !== "metric" || test.by !== "point") throw new TypeError("a change is compared with a number");
  const { statistic } = value;
  const [now, before] = [valueOf(comparison.current, statistic), valueOf(comparison.baseline, statistic)];
  const name = statistic === "mean" ? nameOf(metric) : `${statistic}(${nameOf(metric)})`;
  if (now === undefined || before === undefined) {
    return { holds: false, verdict: "too few", found: `${name} has no limits`, needed: undefined };
  }
  const harm = test.word === "drop" ? before - now : now - before;
  const most = test.most.isRelative ? test.most.value * Math.abs(before) : test.most.value;
  const holds = meets(harm, "<=", most);
  const values = `from ${valueText(metric.metric, before)} to ${valueText(metric.metric, now)}`;
  const change = changeText(metric.facts, "difference", now - before);
  return { holds, verdict: "no rule", found: `${name} went ${values} (${change})`, needed: undefined };
}

/** The verdict on a change with this p. */
export function verdictOf(comparison: Comparison, p: number): Verdict {
  if (comparison.test === "unchanged") return "unchanged";
  if (p < ALPHA) return isHarm(comparison) ? "regressed" : "improved";
  return comparison.changedUnits < LEAST_CHANGED ? "too few" : "inconclusive";
}

// With fewer no test reaches p < 0.05.
const LEAST_CHANGED = 6;

/** As a number on the scale of the comparison: of a ratio it is a part of one. */
export function marginOf({ value, isRelative }: RuleNumber, { scale, baseline }: Comparison): number {
  return isRelative && scale === "difference" ? value * Math.abs(baseline.mean) : value;
}

function notCompared(name: string): Outcome {
  return {
    holds: undefined,
    verdict: "not compared",
    found: `the rule needs a baseline for ${name}`,
    needed: undefined,
  };
}

function uncompared(metric: MeasuredMetric, baseline: CaseSet | undefined): Outcome {
  const name = nameOf(metric);
  if (metric.baseline === undefined) {
    const found = baseline === undefined ? {} : { found: `the baseline has no score for ${name}` };
    return { ...notCompared(name), ...found };
  }
  const found = metric.now === undefined ? `${name} has no score` : `${name} shares no case with the baseline`;
  return { holds: false, verdict: "incomplete", found, needed: undefined };
}

/** A statistic of a level; undefined for a limit that so few cases do not have. */
export function valueOf({ mean, interval, quantiles }: Level, statistic: Statistic): number | undefined {
  switch (statistic) {
    case "mean":
      return mean;
    case "lower":
      return interval?.low;
    case "upper":
      return interval?.high;
    default:
      return quantiles[statistic];
  }
}

// More than any evaluation has; the change is as good as none then.
const MOST_CASES = 1_000_000;

/**
 * How many cases or trials would decide: that nothing is worse by `margin`, or, without one, that the measured change
 * is not chance. Undefined where no number would.
 */
function planFor(
  { withinVariance, trials, facts }: Pick<MeasuredMetric, "facts" | "trials" | "withinVariance">,
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
  const range = goal === "not worse" ? imaginedRange(comparison, facts) : undefined;
  const effort = { spread, within: withinVariance ?? 0, cases, trials };
  const whole = range === undefined ? needed : planBounded(needed, effort, { size, range });
  return whole.cases > MOST_CASES ? undefined : whole;
}

/** The range of the imagined case in the bound of a comparison; undefined where its bound has none. */
function imaginedRange({ scale, test }: Comparison, { kind, low = 0, high = 1 }: MetricFacts): number | undefined {
  const isBounded = scale === "difference" && (kind === "binary" || kind === "bounded");
  return isBounded && test !== "mcnemar" ? high - low : undefined;
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
