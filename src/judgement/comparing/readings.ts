import { compare } from "../../statistics/comparison.ts";
import { firmestHarm } from "../../statistics/firmest-harm.ts";
import type { Range } from "../../statistics/mean.ts";

import { MEASURES, type CaseSet } from "../cases/case-set.ts";
import { columnsOf } from "../cases/stored-case.ts";
import { meets, type Rule, type RuleFilter } from "../gates/rule.ts";
import type { RuleOutcome } from "../judgement.ts";
import { countOf } from "./counted.ts";
import type { Looked } from "./gap.ts";
import { measure, MeasuredMetrics, pairedScores, type MeasuredMetric } from "./metric.ts";
import {
  casesOf,
  filledSides,
  looksAt,
  missingInOneRun,
  saysMissing,
  type Ends,
  type FilledSides,
  type SoughtSides,
} from "./missing-scores.ts";
import { partOf } from "./part.ts";
import { judgeRules, valueOf } from "./rules.ts";

/** How many scores are missing for a rule, and where the first ones stand. */
export interface MissingFor {
  readonly count: number;
  /** How many cases lack some of them, on either side. */
  readonly cases: number;
  readonly places: RuleOutcome["places"];
  /** True where only the baseline says of some that they should be there, or lacks them itself. */
  readonly isOfBaseline: boolean;
  /** True where the baseline lacks some. */
  readonly isBefore: boolean;
}

const NONE: MissingFor = { count: 0, cases: 0, places: [], isOfBaseline: false, isBefore: false };
const MOST_PLACES = 10;

/** The rules as they are judged with missing scores at either end. */
export class Readings {
  readonly #looked: Looked;
  readonly #filled: FilledSides;
  readonly #missing = new Map<Rule, MissingFor>();
  readonly #worst: MeasuredMetrics;
  readonly #best: MeasuredMetrics;
  #outcomes?: readonly (readonly RuleOutcome[])[];

  constructor(looked: Looked, metrics: readonly string[], sought: SoughtSides) {
    this.#looked = looked;
    this.#filled = filledSides(looked, metrics, sought);
    this.#worst = new MeasuredMetrics({ ...looked, ...this.#filled.worst });
    this.#best = new MeasuredMetrics({ ...looked, ...this.#filled.best });
  }

  get areEqual(): boolean {
    return this.#filled.missing.size === 0;
  }

  /** How many scores one run of the baseline lacks at most, of all metrics. */
  get missingBefore(): number {
    const { baseline } = this.#looked;
    return baseline ? missingInOneRun(baseline, this.#filled.missing) : 0;
  }

  /** How many times, costs and tokens of the baseline this run lacks. */
  get lostMeasures(): number {
    const lost = [...MEASURES].map((metric) => this.#filled.missing.get(metric)?.lost.length ?? 0);
    return lost.reduce((sum, count) => sum + count, 0);
  }

  endsOf(metric: string): Ends | undefined {
    return this.#filled.ends.get(metric);
  }

  missingFor(rule: Rule): MissingFor {
    const known = this.#missing.get(rule) ?? this.#lookFor(rule);
    this.#missing.set(rule, known);
    return known;
  }

  #lookFor(rule: Rule): MissingFor {
    const { now, baseline } = this.#looked;
    const isOfNow = isLevel(rule);
    const part = partOf(this.#looked, rule.filters);
    let found = NONE;
    for (const [metric, { level, lost, before }] of this.#filled.missing) {
      if (!looksAt(rule, metric, this.#looked)) continue;
      const ours = trialsWhere(isOfNow ? level : lost, now, part.hasNow);
      const theirs = isOfNow || !baseline ? [] : trialsWhere(before, baseline, part.hasBaseline);
      const places = ours.slice(0, MOST_PLACES).flatMap((trial) => columnsOf(now).placeOf(trial) ?? []);
      found = {
        count: found.count + ours.length + theirs.length,
        cases: found.cases + casesOf(ours, now).size + (baseline ? casesOf(theirs, baseline).size : 0),
        places: [...found.places, ...places].slice(0, MOST_PLACES),
        isOfBaseline: found.isOfBaseline || theirs.length > 0 || ours.some((trial) => !saysMissing(now, trial, metric)),
        isBefore: found.isBefore || theirs.length > 0,
      };
    }
    return found;
  }

  decide(outcome: RuleOutcome, index: number): "broken" | "holds" | "open" {
    const { rule, holds } = outcome;
    const { test } = rule;
    if (test.by === "number") {
      const between = rule.value.of === "metric" ? this.levels(rule) : this.counts(rule);
      if (!between) return "open";
      const { value } = test.number;
      const meet = [between.low, between.high].map((end) => meets(end, test.operator, value));
      // Between the ends there may be a value that is equal.
      const isBetween = test.operator === "=" && between.low < value && value < between.high;
      if (meet.every(Boolean) && holds === true) return "holds";
      return meet.some(Boolean) || holds === true || isBetween ? "open" : "broken";
    }
    const all = [outcome, ...this.#judged().map((outcomes) => outcomes[index])];
    if (all.every((one) => one?.holds === true)) return "holds";
    return all.every((one) => one?.holds === false && one.verdict !== "incomplete") ? "broken" : "open";
  }

  /** The level with the missing scores at both ends; infinite where no end is known. */
  levels(rule: Rule): Range | undefined {
    const { value } = rule;
    if (value.of !== "metric") return undefined;
    const ends = this.endsOf(value.metric);
    const sides = [this.#filled.low, this.#filled.high];
    const [low, high] = sides.map((now) => {
      const level = measure({ ...this.#looked, now }, value.metric, rule.filters).now;
      return level && valueOf(level, value.statistic);
    });
    if (!ends || low === undefined || high === undefined) return undefined;
    const isOfAll = value.statistic === "mean" || value.statistic === "lower" || value.statistic === "upper";
    return {
      low: !ends.isLowKnown && (isOfAll || low <= ends.low) ? -Infinity : low,
      high: !ends.isHighKnown && (isOfAll || high >= ends.high) ? Infinity : high,
    };
  }

  /** How many cases a counter of scores counts at both ends. */
  counts(rule: Rule): Range | undefined {
    const { value } = rule;
    if (value.of !== "counter") return undefined;
    const [one = 0, other = 0] = [this.#best, this.#worst].map(({ sides }) => countOf(rule, value.counter, sides));
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    // Of several rows that lack a score some may have passed, and others not.
    return { low, high: value.counter === "newly_flaky" ? Math.max(high, low + this.#lostWithSeveral(rule)) : high };
  }

  /** How many cases of several rows lost scores that a rule looks at. */
  #lostWithSeveral(rule: Rule): number {
    const { first } = columnsOf(this.#looked.now);
    const part = partOf(this.#looked, rule.filters);
    const cases = new Set<number>();
    for (const [metric, { lost }] of this.#filled.missing) {
      if (!looksAt(rule, metric, this.#looked)) continue;
      for (const at of casesOf(lost, this.#looked.now)) {
        if (first(at + 1) - first(at) > 1 && part.hasNow(at)) cases.add(at);
      }
    }
    return cases.size;
  }

  measured(rule: Rule): BothEnds {
    return { worst: this.#worst.ofRule(rule), best: this.#best.ofRule(rule) };
  }

  /** The outcomes of all rules at both ends, and where a t test decides with what may show harm most clearly. */
  #judged(): readonly (readonly RuleOutcome[])[] {
    if (!this.#outcomes) {
      const { rules } = this.#looked;
      const ends = [this.#worst, this.#best];
      if (rules.some((rule) => rule.test.by === "not-regressed" && isByT(this.measured(rule)))) {
        ends.push(new MeasuredMetrics(this.#worst.sides, (_, metric, filters) => this.#firmest(metric, filters)));
      }
      this.#outcomes = ends.map((metrics) => judgeRules(rules, metrics));
    }
    return this.#outcomes;
  }

  /** A t test shows harm most clearly somewhere between the ends. */
  #firmest(metric: string, filters: readonly RuleFilter[]): MeasuredMetric {
    const [worst, best] = [this.#worst.of(metric, filters), this.#best.of(metric, filters)];
    if (!isByT({ worst, best })) return worst;
    const bad = pairedScores(this.#worst.sides, { ...worst, filters });
    const good = pairedScores(this.#best.sides, { ...best, filters });
    if (!bad || !good) return worst;
    return { ...worst, comparison: compare(firmestHarm(bad, good, worst.comparison?.scale === "ratio")) };
  }
}

type BothEnds = Readonly<Record<"best" | "worst", MeasuredMetric>>;

function isByT({ worst, best }: BothEnds): boolean {
  return worst.comparison?.test === "t" || best.comparison?.test === "t";
}

/** The trials of the cases that are chosen. They are in order. */
export function trialsWhere(
  trials: readonly number[],
  set: CaseSet,
  isChosen: (at: number) => boolean,
): readonly number[] {
  const { first } = columnsOf(set);
  let at = 0;
  return trials.filter((trial) => {
    while (first(at + 1) <= trial) at += 1;
    return isChosen(at);
  });
}

/** True of a rule about this run alone. */
export function isLevel({ value, test }: Rule): boolean {
  return value.of === "metric" && test.by === "number";
}
