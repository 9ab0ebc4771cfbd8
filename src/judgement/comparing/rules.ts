import { isHarm, isMostlyLost, type Comparison } from "../../statistics/comparison.ts";
import { LEAST_CHANGED } from "../../statistics/family.ts";
import { countText } from "../../text/number.ts";
import { meets, type Rule, type Statistic, COUNTERS, type RuleValue } from "../gates/rule.ts";
import { type CaseSet, MEASURES } from "../cases/case-set.ts";
import type { RuleOutcome, Verdict } from "../judgement.ts";
import {
  basisText,
  boundText,
  differenceBeside,
  comparisonText,
  correctedPText,
  levelText,
  nameOf,
  NOTHING_TO_LOSE,
  shareText,
  sizeText,
  statisticText,
  valueBeside,
  valueText,
} from "../words/numbers.ts";
import { insteadText, reachText } from "../words/outcomes.ts";
import type { Sides } from "./case-lists.ts";
import { countOf, placesOf } from "./counted.ts";
import { meantLimit } from "../gates/vacuous.ts";
import { harmTestsOf, type HarmTest } from "./harm-tests.ts";
import type { MeasuredMetric, MeasuredMetrics } from "./metric.ts";
import { proofOf } from "./not-worse.ts";
import { planFor } from "./plan.ts";
import { ALPHA } from "../../statistics/interval.ts";
import type { Level } from "../../statistics/level.ts";
import { isQuotedScore, scoreKey, scoreName } from "../cases/metric-key.ts";

export function judgeRules(rules: readonly Rule[], metrics: MeasuredMetrics): readonly RuleOutcome[] {
  const { sides } = metrics;
  const tests = harmTestsOf(rules, metrics);
  return rules.map((rule) => {
    const { value, test } = rule;
    const outcome =
      value.of === "counter"
        ? judgeCount(rule, sides)
        : judgeMetric(rule, metrics.ofRule(rule), sides, tests.get(rule));
    const isBroken = outcome.holds === false;
    const isLimit = isBroken && value.of === "metric" && test.by === "number";
    // Where no share can reach the written limit.
    const { low = -Infinity, high = Infinity } = isLimit ? metrics.ofRule(rule).facts : {};
    const meant = meantLimit(value, test, { low, high });
    const notes = [takenOf(value, sides), meant === "" ? "" : `did you mean ${meant}?`];
    const found = [outcome.found, ...notes.flatMap((note) => (note === "" ? [] : `(${note})`))].join(" ");
    const places = isBroken ? placesOf(rule, sides) : [];
    return {
      rule,
      adjustedP: undefined,
      reach: undefined,
      needed: undefined,
      ...outcome,
      found,
      meant: meant || undefined,
      places,
    };
  });
}

type Outcome = Pick<RuleOutcome, "found" | "holds" | "verdict"> &
  Partial<Pick<RuleOutcome, "adjustedP" | "advice" | "needed" | "reach">>;

function judgeCount(rule: Rule, sides: Sides): Outcome {
  const { value, test } = rule;
  if (value.of !== "counter" || test.by !== "number") throw new TypeError("a counter is compared with a number");
  const count = countOf(rule, value.counter, sides);
  if (count === undefined) {
    return { holds: undefined, verdict: "not compared", found: `the rule needs a baseline for ${value.counter}` };
  }
  const holds = meets(count, test.operator, test.number.value);
  const text = value.counter === "error_rate" ? shareText(count) : countText(count);
  return { holds, verdict: "no rule", found: `${value.counter} is ${text}` };
}

function judgeMetric(rule: Rule, metric: MeasuredMetric, { baseline }: Sides, harmTest: HarmTest | undefined): Outcome {
  const { test } = rule;
  if (test.by === "number") return judgeLevel(rule, metric);
  const { comparison, facts } = metric;
  if (!comparison) return uncompared(metric, baseline);
  if (test.by === "point") return judgePoint(rule, metric, comparison);
  const { adjustedP, factor = 1, reach } = harmTest ?? {};
  const verdict = verdictOf(comparison, adjustedP ?? comparison.p);
  const size = sizeText(comparison.cases, comparison.cases * metric.trials, metric.pairsInPart);
  const found = `${nameOf(metric)} ${comparisonText(facts, comparison)} on ${size}, ${correctedPText(comparison.p, adjustedP)}`;
  if (test.by === "not-regressed") {
    const judged = { adjustedP, reach };
    if (verdict === "regressed") return { ...judged, holds: false, verdict, found };
    if (comparison.unitsToLose === 0) return { ...judged, holds: true, verdict, found: `${found}; ${NOTHING_TO_LOSE}` };
    if (reach && isMostlyLost(comparison)) {
      return {
        ...judged,
        holds: false,
        verdict: "incomplete",
        found: `${found}; ${reachText(reach, comparison)}; ${insteadText(reach)} decides on so few`,
      };
    }
    const needed = verdict === "inconclusive" ? planFor(metric, comparison, { margin: undefined, factor }) : undefined;
    return { ...judged, holds: true, verdict, found, needed };
  }
  const worst = boundText(facts, comparison, metric.metric);
  return {
    ...proofOf(rule, metric, { comparison, plain: verdict, factor }),
    found: worst === "" ? found : `${found}; ${worst}`,
  };
}

function judgeLevel({ value, test }: Rule, metric: MeasuredMetric): Outcome {
  if (value.of !== "metric" || test.by !== "number") throw new TypeError("a level is compared with a number");
  const { statistic } = value;
  const name = statisticText(statistic, nameOf(metric));
  const { now } = metric;
  if (!now) return { holds: false, verdict: "incomplete", found: `${name} has no score` };
  const level = valueOf(now, statistic);
  if (level === undefined) {
    const found = `${name} has no limits on ${sizeText(now.cases, now.cases, metric.cases)}`;
    return { holds: false, verdict: "too few", found };
  }
  const holds = meets(level, test.operator, test.number.value);
  const alone = valueBeside(metric.metric, level, test.number.value);
  const text = statistic === "mean" ? levelText(metric.metric, level, now.interval, alone) : alone;
  const found = `${name} is ${text} on ${basisText(now, statistic, metric.cases)}`;
  return { holds, verdict: "no rule", found };
}

/** The change as it was measured: of the mean, or of a quantile. */
function judgePoint({ value, test }: Rule, metric: MeasuredMetric, comparison: Comparison): Outcome {
  if (value.of !== "metric" || test.by !== "point") throw new TypeError("a change is compared with a number");
  const { statistic } = value;
  const [now, before] = [valueOf(comparison.current, statistic), valueOf(comparison.baseline, statistic)];
  const name = statisticText(statistic, nameOf(metric));
  if (now === undefined || before === undefined) {
    return { holds: false, verdict: "too few", found: `${name} has no limits` };
  }
  // Of a mean the change is more exact than the difference of two that a large value may have rounded.
  const change = statistic === "mean" && comparison.scale === "difference" ? comparison.change : now - before;
  const harm = test.word === "drop" ? -change : change;
  const most = test.most.isRelative ? test.most.value * Math.abs(before) : test.most.value;
  const holds = meets(harm, "<=", most);
  const values = `from ${valueText(metric.metric, before)} to ${valueText(metric.metric, now)}`;
  const text = differenceBeside(metric.metric, metric.facts, change, most);
  const found = `${name} went ${values} (${text}) on ${basisText(comparison.current, statistic)}`;
  return { holds, verdict: "no rule", found };
}

function verdictOf(comparison: Comparison, p: number): Verdict {
  if (comparison.test === "unchanged") return "unchanged";
  if (p < ALPHA) return isHarm(comparison) ? "regressed" : "improved";
  return comparison.changedUnits < LEAST_CHANGED ? "too few" : "inconclusive";
}

function uncompared(metric: MeasuredMetric, baseline: CaseSet | undefined): Outcome {
  const name = nameOf(metric);
  if (metric.now && !metric.baseline) {
    const found = baseline ? `the baseline has no score for ${name}` : `the rule needs a baseline for ${name}`;
    return { holds: undefined, verdict: "not compared", found };
  }
  // Where no row of either side has it, no baseline would help.
  const found = metric.now ? `${name} shares no case with the baseline` : `${name} has no score`;
  return { holds: false, verdict: "incomplete", found };
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

/** Which of two that share a name a rule is about, as a clause; empty where there is only one. */
function takenOf(value: RuleValue, { now, baseline }: Sides): string {
  const has = (key: string) => now.metrics.has(key) || baseline?.metrics.has(key) === true;
  if (value.of === "counter") {
    return has(value.counter) ? `the counter; the score of this name is \`"${value.counter}"\`` : "";
  }
  const { metric } = value;
  if (COUNTERS.some((counter) => counter === metric)) return `the score; the counter is \`${metric}\` without quotes`;
  if (MEASURES.has(metric)) {
    return has(scoreKey(metric)) ? `as measured; the score of this name is \`${scoreKey(metric)}\`` : "";
  }
  const measure = scoreName(metric);
  const isBoth = isQuotedScore(metric) && has(measure);
  return isBoth ? `the score; what was measured is \`${measure}\` without quotes` : "";
}
