import type { Level } from "../../statistics/level.ts";
import { withoutFullStop } from "../../text/reasons.ts";
import { countText } from "../../text/number.ts";
import { MEASURES, type CaseSet } from "../cases/case-set.ts";
import { trialsOf } from "../cases/trial-list.ts";
import type { Rule } from "../gates/rule.ts";
import { ACCEPT_BY_RESET, type RuleOutcome } from "../judgement.ts";
import { changeText, nameOf, valueText } from "../words.ts";
import { listCases } from "./case-lists.ts";
import { countOf, errorsOf } from "./counted.ts";
import { filledSides, type FilledSides } from "./ends.ts";
import type { Looked } from "./gap.ts";
import { meets } from "../gates/limit.ts";
import { measure, type MeasuredMetric } from "./metric.ts";
import { ALL, looksAt, valuesIn, type SoughtSides } from "./missing-scores.ts";
import { partOf } from "./part.ts";
import { judgeRules, valueOf } from "./rules.ts";

/** What is judged, and the clusters of its cases. */
export interface Judging extends Looked {
  readonly cluster: string | undefined;
}

/**
 * The outcomes of rules whose scores are partly missing, with the missing ones at the worst and at the best end of their
 * range (Manski 1989): where both hold the rule holds, where both break it is broken, and else it is open, unless a rule
 * allows them to be missing.
 */
export function withBothReadings(outcomes: readonly RuleOutcome[], judging: Judging): readonly RuleOutcome[] {
  const { rules, now, baseline } = judging;
  const metrics = new Set([...now.metrics.keys(), ...(baseline?.metrics.keys() ?? [])]);
  const looked = [...metrics].filter((metric) => rules.some((rule) => looksAt(rule, metric, judging)));
  const all = new Readings(judging, looked, ALL);
  if (all.areEqual) return outcomes;
  const sought = soughtBy(judging, all);
  const asked = sought.now === "all" && sought.before === "all" ? all : new Readings(judging, looked, sought);
  return outcomes.map((outcome, index) => {
    const isOpen = outcome.holds === undefined || outcome.verdict === "incomplete" || outcome.verdict === "too few";
    if ((isOpen && outcome.holds !== true) || all.missingFor(outcome.rule).count === 0) return outcome;
    if (asked.missingFor(outcome.rule).count === 0) return { ...outcome, found: all.foundBeside(outcome) };
    const verdict = asked.decide(outcome, index);
    if (verdict !== "open") return { ...outcome, found: asked.foundBeside(outcome) };
    const { places } = asked.missingFor(outcome.rule);
    return {
      ...outcome,
      holds: false,
      verdict: "incomplete",
      needed: undefined,
      places,
      found: asked.foundOpen(outcome),
    };
  });
}

/** The scores whose absence no rule allows. What the baseline lacks has to be within the same limits. */
function soughtBy({ allowances, baseline }: Judging, all: Readings): SoughtSides {
  const { allows, allowsCount } = allowances;
  const before = all.missingBefore;
  const errorsBefore = baseline === undefined ? 0 : errorsOf(baseline.cases);
  return {
    now: allows("missing_scores") ? "none" : allows("errors", "error_rate") ? "unexplained" : "all",
    before: allowsCount("missing_scores", before)
      ? "none"
      : allowsCount("errors", errorsBefore)
        ? "unexplained"
        : "all",
  };
}

/** How many scores are missing for a rule, and where the first ones stand. */
interface MissingFor {
  readonly count: number;
  readonly places: RuleOutcome["places"];
  /** True where only the baseline says that they should be there. */
  readonly isOfBaseline: boolean;
}

const NONE: MissingFor = { count: 0, places: [], isOfBaseline: false };
const MOST_PLACES = 10;

/** The rules as they are judged with missing scores at either end. */
class Readings {
  readonly #judging: Judging;
  readonly #filled: FilledSides;
  readonly #missing = new Map<Rule, MissingFor>();
  #ends: { readonly worst: readonly RuleOutcome[]; readonly best: readonly RuleOutcome[] } | undefined;
  readonly #measured = new Map<Rule, { readonly worst: MeasuredMetric; readonly best: MeasuredMetric }>();

  constructor(judging: Judging, metrics: readonly string[], sought: SoughtSides) {
    this.#judging = judging;
    this.#filled = filledSides(judging, metrics, sought);
  }

  /** True where no score is missing. */
  get areEqual(): boolean {
    return this.#filled.missing.size === 0;
  }

  /** How many scores the baseline lacks, of all metrics. */
  get missingBefore(): number {
    let count = 0;
    for (const { before } of this.#filled.missing.values()) count += before.length;
    return count;
  }

  missingFor(rule: Rule): MissingFor {
    const known = this.#missing.get(rule) ?? this.#lookFor(rule);
    this.#missing.set(rule, known);
    return known;
  }

  #lookFor(rule: Rule): MissingFor {
    const { now, baseline } = this.#judging;
    const isLevel = rule.value.of === "metric" && rule.test.by === "number";
    const part = partOf(this.#judging, rule.filters);
    let found = NONE;
    for (const [metric, { level, lost, before }] of this.#filled.missing) {
      if (!looksAt(rule, metric, this.#judging)) continue;
      const ours = trialsWhere(isLevel ? level : lost, now, part.hasNow);
      const theirs = isLevel || baseline === undefined ? [] : trialsWhere(before, baseline, part.hasBaseline);
      const places = ours.slice(0, MOST_PLACES).flatMap((trial) => trialsOf(now).placeOf(trial) ?? []);
      found = {
        count: found.count + ours.length + theirs.length,
        places: [...found.places, ...places].slice(0, MOST_PLACES),
        isOfBaseline: found.isOfBaseline || !isLevel || ours.every((trial) => lost.includes(trial)),
      };
    }
    return found;
  }

  decide(outcome: RuleOutcome, index: number): "broken" | "holds" | "open" {
    const { rule, holds } = outcome;
    const { test } = rule;
    if (rule.value.of === "metric" && test.by === "number") {
      const levels = this.#levels(rule);
      if (levels === undefined) return "open";
      const { value } = test.number;
      const meet = [levels.low, levels.high].map((level) => meets(level, test.operator, value));
      // Between the ends there may be a value that is equal.
      const isBetween = test.operator === "=" && levels.low < value && value < levels.high;
      if (meet.every(Boolean) && holds === true) return "holds";
      return meet.some(Boolean) || holds === true || isBetween ? "open" : "broken";
    }
    const { worst, best } = this.#outcomes();
    const all = [outcome, worst[index], best[index]];
    if (all.every((one) => one?.holds === true)) return "holds";
    return all.every((one) => one?.holds === false && one.verdict !== "incomplete") ? "broken" : "open";
  }

  /** What was found without the missing scores, and behind it with them. */
  foundBeside({ rule, found }: RuleOutcome): string {
    const range = this.#range(rule);
    return `${found}${range === undefined ? "" : `; it ${range}`}, as ${this.#missingText(rule)}`;
  }

  /** What may be, and what decides. */
  foundOpen({ rule, found }: RuleOutcome): string {
    const { isOfBaseline } = this.missingFor(rule);
    const { value, text } = rule;
    const range = this.#range(rule);
    const isMeasure = value.of === "metric" && MEASURES.has(value.metric);
    const head =
      range === undefined
        ? found
        : value.of === "metric"
          ? `${nameIn(rule, this.#metricOf(rule))} ${range}`
          : `${value.counter} ${range}`;
    const count = countOf({ ...rule, filters: [] }, "missing_scores", this.#judging) ?? 0;
    const allowing = isMeasure || count === 0 ? "" : `, or \`missing_scores <= ${String(count)}\` allows it`;
    const reset = isOfBaseline ? `. ${withoutFullStop(ACCEPT_BY_RESET)}` : "";
    return `${head}, as ${this.#missingText(rule)}: \`${text}\` is open until they are there${allowing}${reset}`;
  }

  #missingText(rule: Rule): string {
    const { count } = this.missingFor(rule);
    const { now } = this.#judging;
    const { value } = rule;
    const isMeasure = value.of === "metric" && MEASURES.has(value.metric);
    const [noun, nouns] = isMeasure ? ["value", "values"] : ["score", "scores"];
    const be = count === 1 ? "is" : "are";
    if (value.of !== "metric") return `${countText(count)} ${count === 1 ? noun : nouns} ${be} missing`;
    const values = valuesIn(now, trialsOf(now), value.metric);
    const { hasNow } = partOf(this.#judging, rule.filters);
    const scored = trialsWhere(
      placesWhere(values, (each) => !Number.isNaN(each)),
      now,
      hasNow,
    ).length;
    return `${countText(count)} of ${countText(count + scored)} ${nouns} ${be} missing`;
  }

  /** A clause: `is between 0.88 and 0.93`; undefined where nothing can be said. */
  #range(rule: Rule): string | undefined {
    const { value, test } = rule;
    if (value.of === "counter") {
      const counts = [this.#filled.best, this.#filled.worst].map((sides) => {
        const listed = { ...sides, pairing: this.#judging.pairing };
        return countOf(rule, value.counter, { ...listed, entries: listCases(listed) }) ?? 0;
      });
      return `is ${rangeText({ low: Math.min(...counts), high: Math.max(...counts) }, countText)}`;
    }
    if (test.by === "number") {
      const levels = this.#levels(rule);
      return levels && `is ${rangeText(levels, (level) => valueText(value.metric, level))}`;
    }
    const { worst, best } = this.#changes(rule);
    const ends = this.#filled.ends.get(value.metric);
    const direction = this.#metricOf(rule).facts.direction;
    const isWorstKnown = direction === "higher" ? ends?.isLowKnown : ends?.isHighKnown;
    const isBestKnown = direction === "higher" ? ends?.isHighKnown : ends?.isLowKnown;
    const parts = [
      ...(isWorstKnown === true && worst !== undefined ? [`${worst} at worst`] : []),
      ...(isBestKnown === true && best !== undefined ? [`${best} at best`] : []),
    ];
    return parts.length === 0 ? undefined : `changed by ${parts.join(" and ")}`;
  }

  #changes(rule: Rule): { readonly worst: string | undefined; readonly best: string | undefined } {
    this.#outcomes();
    const measured = this.#measured.get(rule);
    const text = (metric: MeasuredMetric | undefined) => {
      if (metric?.comparison === undefined || rule.value.of !== "metric") return undefined;
      const { comparison, facts } = metric;
      const { statistic } = rule.value;
      if (statistic === "mean" && rule.test.by !== "point")
        return changeText(facts, comparison.scale, comparison.change);
      const [now, before] = [valueOf(comparison.current, statistic), valueOf(comparison.baseline, statistic)];
      return now === undefined || before === undefined ? undefined : changeText(facts, "difference", now - before);
    };
    return { worst: text(measured?.worst), best: text(measured?.best) };
  }

  /** The level with the missing scores at both ends; infinite where no end is known. */
  #levels(rule: Rule): { readonly low: number; readonly high: number } | undefined {
    const { value } = rule;
    if (value.of !== "metric") return undefined;
    const ends = this.#filled.ends.get(value.metric);
    const { low: least, high: most } = this.#filled;
    const at = (now: CaseSet) => this.#levelOf(rule, now);
    const [low, high] = [at(least), at(most)].map((level) => level && valueOf(level, value.statistic));
    if (ends === undefined || low === undefined || high === undefined) return undefined;
    const isOfAll = value.statistic === "mean" || value.statistic === "lower" || value.statistic === "upper";
    return {
      low: !ends.isLowKnown && (isOfAll || low <= ends.low) ? -Infinity : low,
      high: !ends.isHighKnown && (isOfAll || high >= ends.high) ? Infinity : high,
    };
  }

  #levelOf({ value, filters }: Rule, now: CaseSet): Level | undefined {
    if (value.of !== "metric") return undefined;
    const { baseline, pairing, cluster } = this.#judging;
    return measure({ now, baseline, pairing, cluster }, value.metric, filters).now;
  }

  #outcomes() {
    const { worst, best } = this.#filled;
    this.#ends ??= { worst: this.#judge(worst, "worst"), best: this.#judge(best, "best") };
    return this.#ends;
  }

  #judge(sides: FilledSides["best"], end: "best" | "worst"): readonly RuleOutcome[] {
    const { rules, pairing, cluster } = this.#judging;
    const listed = { ...sides, pairing };
    const measured = new Map<string, MeasuredMetric>();
    const metricOf = (rule: Rule): MeasuredMetric => {
      if (rule.value.of !== "metric") throw new TypeError("a counter is not a metric");
      const { metric } = rule.value;
      const key = JSON.stringify([metric, rule.filters]);
      const known = measured.get(key) ?? measure({ ...listed, cluster }, metric, rule.filters);
      measured.set(key, known);
      const both = this.#measured.get(rule) ?? { worst: known, best: known };
      this.#measured.set(rule, { ...both, [end]: known });
      return known;
    };
    return judgeRules(rules, { ...listed, entries: listCases(listed), metricOf });
  }

  #metricOf(rule: Rule): MeasuredMetric {
    this.#outcomes();
    const measured = this.#measured.get(rule);
    if (measured === undefined) throw new TypeError("a counter is not a metric");
    return measured.best;
  }
}

function nameIn({ value }: Rule, metric: MeasuredMetric): string {
  const name = nameOf(metric);
  return value.of !== "metric" || value.statistic === "mean" ? name : `${value.statistic}(${name})`;
}

function rangeText(
  { low, high }: { readonly low: number; readonly high: number },
  text: (value: number) => string,
): string {
  if (low === -Infinity) return high === Infinity ? "not known" : `at most ${text(high)}`;
  if (high === Infinity) return `at least ${text(low)}`;
  return text(low) === text(high) ? text(low) : `between ${text(low)} and ${text(high)}`;
}

/** The trials of the cases that are chosen. They are in order. */
function trialsWhere(trials: readonly number[], set: CaseSet, isChosen: (at: number) => boolean): readonly number[] {
  const { first } = trialsOf(set);
  let at = 0;
  return trials.filter((trial) => {
    while (first(at + 1) <= trial) at += 1;
    return isChosen(at);
  });
}

function placesWhere(values: Float64Array, test: (value: number) => boolean): readonly number[] {
  const places: number[] = [];
  for (const [at, value] of values.entries()) if (test(value)) places.push(at);
  return places;
}
