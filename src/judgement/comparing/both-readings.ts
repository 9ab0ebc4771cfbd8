import type { Range } from "../../statistics/mean.ts";
import { countOf, countText } from "../../text/number.ts";
import { withoutFullStop } from "../../text/reasons.ts";
import { MEASURES } from "../cases/case-set.ts";
import { rowCounts, valuesIn } from "../cases/stored-case.ts";
import { partText, type Rule } from "../gates/rule.ts";
import { ACCEPT_BY_RESET, opened, type RuleOutcome } from "../judgement.ts";
import { changeText, nameOf, statisticText, valueText } from "../words/numbers.ts";
import { allowsCount } from "./allowances.ts";
import { missingCount } from "./counted.ts";
import type { Looked } from "./gap.ts";
import type { MeasuredMetric } from "./metric.ts";
import { ALL, looksAt, mostInOneRun, type SoughtSides } from "./missing-scores.ts";
import { pairsOf } from "./pairing.ts";
import { partOf } from "./part.ts";
import { isLevel, Readings, trialsWhere } from "./readings.ts";
import { valueOf } from "./rules.ts";
import { columnOf } from "./values.ts";

/**
 * The outcomes of rules whose scores are partly missing, with the missing ones at the worst and at the best end of their
 * range (Manski 1989): where both hold the rule holds, where both break it is broken, and else it is open, unless a rule
 * allows them to be missing.
 */
export function withBothReadings(outcomes: readonly RuleOutcome[], looked: Looked): readonly RuleOutcome[] {
  const { rules, now, baseline } = looked;
  const metrics = new Set([...now.metrics.keys(), ...(baseline?.metrics.keys() ?? [])]);
  const asking = [...metrics].filter((metric) => rules.some((rule) => looksAt(rule, metric, looked)));
  const all = new Readings(looked, asking, ALL);
  if (all.areEqual) return outcomes;
  const { missingBefore } = all;
  const sought = soughtBy(looked, all);
  const isAsked = sought.now === "all" && sought.before === "all" && sought.allowsMeasures !== true;
  const asked = isAsked ? all : new Readings(looked, asking, sought);
  return outcomes.map((outcome, index) => {
    const { rule, holds } = outcome;
    const isDecided = holds === true || (holds === false && !UNDECIDED.has(outcome.verdict));
    if (!isDecided || all.missingFor(rule).count === 0) return outcome;
    const { count, places } = asked.missingFor(rule);
    if (count === 0) return { ...outcome, found: foundBeside(outcome, all, looked) };
    if (asked.decide(outcome, index) !== "open") return { ...outcome, found: foundBeside(outcome, asked, looked) };
    const found = foundOpen(outcome, asked, looked, missingBefore);
    return { ...opened(outcome, found), places };
  });
}

const UNDECIDED: ReadonlySet<RuleOutcome["verdict"]> = new Set(["incomplete", "too few"]);

/** The scores whose absence no rule allows. What the baseline lacks has to be within the same limits. */
function soughtBy(looked: Looked, all: Readings): SoughtSides {
  const { rules, baseline } = looked;
  const { allows } = looked.allowances;
  const now = allows("missing_scores") ? "none" : allows("errors", "error_rate") ? "unexplained" : "all";
  if (!baseline) return { now, before: "all" };
  const errors = mostInOneRun(baseline, (run) => rowCounts(run).errors);
  const errorRate = mostInOneRun(baseline, (run) => rowCounts(run).errorRate);
  const allowsErrors = allowsCount(rules, "errors", errors) || allowsCount(rules, "error_rate", errorRate);
  return {
    now,
    before: allowsCount(rules, "missing_scores", all.missingBefore) ? "none" : allowsErrors ? "unexplained" : "all",
    allowsMeasures: all.lostMeasures > 0 && allowsCount(rules, "missing_scores", missingWithMeasures(looked, all)),
  };
}

/** The missing scores, and the times, costs and tokens that are missing too: a limit has to bear both to allow these. */
function missingWithMeasures(looked: Looked, readings: Readings): number {
  return missingCount(looked) + readings.lostMeasures;
}

/** What was found without the missing scores, and behind it with them. */
function foundBeside({ rule, found }: RuleOutcome, readings: Readings, looked: Looked): string {
  const range = rangeOf(rule, readings);
  return `${found}${range === "" ? "" : `; it ${range}`}, as ${missingText(rule, readings, looked)}`;
}

function foundOpen({ rule, found }: RuleOutcome, readings: Readings, looked: Looked, missingBefore: number): string {
  const { isOfBaseline } = readings.missingFor(rule);
  const range = rangeOf(rule, readings);
  // A measured change is shown, too: what is missing may hide no loss.
  const isChange = rule.value.of === "metric" && !isLevel(rule);
  const { value, filters } = rule;
  const name =
    value.of === "counter"
      ? value.counter
      : statisticText(value.statistic, nameOf({ metric: value.metric, part: partText(filters) }));
  const head = range === "" ? found : isChange ? `${found}; it ${range}` : `${name} ${range}`;
  const countNow = missingCount(looked);
  // What the baseline lacks has to be within the limit, too.
  const scores = isLevel(rule) ? countNow : Math.max(countNow, missingBefore);
  const count = isMeasure(rule) ? missingWithMeasures(looked, readings) : scores;
  const allowing = count === 0 ? "" : `, or \`missing_scores <= ${String(count)}\` allows it`;
  const reset = isOfBaseline ? `. ${withoutFullStop(ACCEPT_BY_RESET)}` : "";
  return `${head}, as ${missingText(rule, readings, looked)}: \`${rule.text}\` is open until they are there${allowing}${reset}`;
}

function missingText(rule: Rule, readings: Readings, looked: Looked): string {
  const { count, cases } = readings.missingFor(rule);
  const { now } = looked;
  const noun = isMeasure(rule) ? "value" : "score";
  const be = count === 1 ? "is" : "are";
  if (rule.value.of !== "metric") return `${countText(count)} ${noun}${count === 1 ? "" : "s"} ${be} missing`;
  if (!isLevel(rule)) {
    const pairs = scoredPairs(rule.value.metric, rule, looked);
    return `${countText(cases)} of ${countOf(pairs, "pair")} ${cases === 1 ? "lacks" : "lack"} a ${noun}`;
  }
  const scored: number[] = [];
  for (const [trial, value] of valuesIn(now, rule.value.metric).entries()) {
    if (!Number.isNaN(value)) scored.push(trial);
  }
  const all = count + trialsWhere(scored, now, partOf(looked, rule.filters).hasNow).length;
  return `${countText(count)} of ${countText(all)} ${noun}s ${be} missing`;
}

/** How many pairs of cases have a score on one side at least. */
function scoredPairs(metric: string, { filters }: Rule, looked: Looked): number {
  const { now, baseline, pairing } = looked;
  if (!baseline) return 0;
  const [ours, theirs] = [columnOf(now, metric).means, columnOf(baseline, metric).means];
  const { hasNow } = partOf(looked, filters);
  return pairsOf(pairing.pairs, (at, before) => {
    return hasNow(at) && !(Number.isNaN(ours[at]) && Number.isNaN(theirs[before]));
  }).now.length;
}

function isMeasure({ value }: Rule): boolean {
  return value.of === "metric" && MEASURES.has(value.metric);
}

/** A clause: `is between 0.88 and 0.93`; empty where nothing can be said. */
function rangeOf(rule: Rule, readings: Readings): string {
  const { value, test } = rule;
  if (value.of === "counter") {
    const counts = readings.counts(rule);
    return counts ? `is ${rangeText(counts, countText)}` : "";
  }
  if (test.by === "number") {
    const levels = readings.levels(rule);
    return levels ? `is ${rangeText(levels, (level) => valueText(value.metric, level))}` : "";
  }
  const [measured, ends] = [readings.measured(rule), readings.endsOf(value.metric)];
  if (!ends) return "";
  const isHigher = measured.best.facts.direction === "higher";
  // What the baseline lacks is put at the other end.
  const isKnown = ends.isLowKnown && ends.isHighKnown;
  const [low, high] = readings.missingFor(rule).isBefore ? [isKnown, isKnown] : [ends.isLowKnown, ends.isHighKnown];
  const [worst, best] = [changeIn(rule, measured.worst), changeIn(rule, measured.best)];
  const parts = [
    ...((isHigher ? low : high) && worst !== "" ? [`${worst} at worst`] : []),
    ...((isHigher ? high : low) && best !== "" ? [`${best} at best`] : []),
  ];
  return parts.length === 0 ? "" : `changed by ${parts.join(" and ")}`;
}

/** A change; empty where it is not known. */
function changeIn({ value, test }: Rule, { comparison, facts }: MeasuredMetric): string {
  if (!comparison || value.of !== "metric") return "";
  const { statistic } = value;
  if (statistic === "mean" && test.by !== "point") return changeText(facts, comparison.scale, comparison.change);
  const [now, before] = [valueOf(comparison.current, statistic), valueOf(comparison.baseline, statistic)];
  return now === undefined || before === undefined ? "" : changeText(facts, "difference", now - before);
}

function rangeText({ low, high }: Range, text: (value: number) => string): string {
  if (low === -Infinity) return high === Infinity ? "not known" : `at most ${text(high)}`;
  if (high === Infinity) return `at least ${text(low)}`;
  return text(low) === text(high) ? text(low) : `between ${text(low)} and ${text(high)}`;
}
