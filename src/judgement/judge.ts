import type { Baseline, Case, CaseSet } from "./cases/case-set.ts";
import { allowancesOf, allowedToGo } from "./comparing/allowances.ts";
import { withBothReadings } from "./comparing/both-readings.ts";
import { countCases, shownCases } from "./comparing/shown-cases.ts";
import { withCoverage } from "./comparing/coverage.ts";
import { MeasuredMetrics, type MeasuredMetric } from "./comparing/metric.ts";
import { pairCases } from "./comparing/pairing.ts";
import { judgeRules } from "./comparing/rules.ts";
import { unsureCountWarnings, type Gates } from "./gates/gates.ts";
import type { RuleFilter, Vocabulary } from "./gates/rule.ts";
import { vacuousWarnings } from "./gates/vacuous.ts";
import { notBaselineText, reasonsAgainst } from "./comparing/not-baseline.ts";
import { blindSpots, findGaps } from "./comparing/gaps.ts";
import { isInPart, metadataText } from "./comparing/part.ts";
import { mergedMetrics } from "./cases/joined.ts";
import { rowCounts, unmeasuredIn, unscoredMetrics } from "./cases/stored-case.ts";
import { withWarnedScales } from "./comparing/scale.ts";
import { uncomparedOf } from "./comparing/survivors.ts";
import { headlineOf } from "./words/headline.ts";
import { reachWarnings } from "./words/outcomes.ts";
import {
  VERDICTS,
  type GateStatus,
  type Gap,
  type Judgement,
  type MeasuredRun,
  type MetricJudgement,
  type RuleOutcome,
  type Verdict,
} from "./judgement.ts";
import { compareTexts } from "../text/compare.ts";

export interface JudgeRequest {
  readonly results: CaseSet;
  /** Undefined where there is none yet: then only rules about the results themselves are judged. */
  readonly baseline: Baseline | undefined;
  readonly gates: Gates;
  /** The key of the metadata that names the cluster of a case, of cases that vary together; undefined without clusters. */
  readonly cluster?: string | undefined;
  /** Whether rules that need a baseline fail without one. */
  readonly failsWithoutBaseline?: boolean;
  readonly warnings?: readonly string[];
  /** Rules that do not hold against the anchor: sentences. */
  readonly anchor?: readonly string[];
  /** Why runs that were given are no baseline, where none is left: sentences. */
  readonly leftOut?: readonly string[];
  /** What was missing before the cases were compared. */
  readonly gaps?: readonly Gap[];
}

/**
 * Judges results against a baseline by the gates; reads and writes nothing, and draws no random numbers: the same results
 * in any order give the same judgement. Throws GatesError for rules about what the results do not have.
 */
export function judge(request: JudgeRequest): Judgement {
  const {
    results: now,
    baseline,
    gates,
    cluster,
    warnings = [],
    anchor = [],
    gaps: gapsBefore = [],
    leftOut = [],
  } = request;
  // A row without a measurement may have had any metric: a rule about one that no row shows is open, and no mistake.
  const named =
    rowCounts(now).unmeasured === 0
      ? []
      : gates.written.flatMap(({ value }) => (value.of === "metric" ? value.metric : []));
  const vocabulary = vocabularyOf(now, baseline, named);
  const rules = gates.rules(vocabulary);
  const pairing = pairCases(now, baseline);
  const sides = { now, baseline, pairing, cluster };
  const measured = new MeasuredMetrics(sides);
  const looked = { ...sides, rules, allowances: allowancesOf(rules, sides) };
  const plain = judgeRules(rules, measured);
  const gaps = [...gapsBefore, ...findGaps(looked)];
  const judged = withCoverage(withBothReadings(plain, looked), looked);
  const outcomes = withoutScale(withWarnedScales(judged, looked), gaps);
  const status = statusOf(outcomes, gaps, request);
  for (const metric of [...now.metrics.keys()].toSorted()) measured.of(metric, []);
  const ofMetrics = outcomes.filter(({ rule }) => rule.value.of === "metric");
  const rulesOf = Map.groupBy(ofMetrics, ({ rule }) => measured.ofRule(rule));
  const metrics = measured.all.map((metric) => judgeMetric(metric, rulesOf.get(metric) ?? []));
  const notBaseline = reasonsAgainst(now, rules);
  const judgement = {
    schema: 1 as const,
    status,
    verdict: worstOf(gaps, outcomes, baseline),
    now: { ...now.run, ...sizeOf(now), allowed: allowedToGo(sides, looked.allowances), notBaseline },
    baseline: baseline && {
      ...baseline.run,
      ...sizeOf(baseline),
      runs: baseline.runs.length,
      sources: baseline.sources,
    },
    ...(!baseline && leftOut.length > 0 ? { leftOut } : {}),
    metrics,
    rules: outcomes,
    gaps,
    cases: shownCases(sides),
    counts: countCases(sides),
    anchor,
    uncompared: uncomparedOf(looked),
    warnings: [
      ...warnings,
      ...anchor,
      ...vacuousWarnings(rules, vocabulary.metrics),
      ...unsureCountWarnings(rules, vocabulary.metrics),
      ...outcomes.flatMap(reachWarnings),
      ...outcomes.flatMap(({ holds, advice }) => (holds === true && advice !== undefined ? [advice] : [])),
      ...blindSpots(looked),
      ...(notBaseline.length === 0 ? [] : [notBaselineText(notBaseline)]),
    ],
  };
  return { ...judgement, ...headlineOf(judgement) };
}

/** On another scale a metric seems to have improved: what a rule about it found is shown, and not judged. */
function withoutScale(outcomes: readonly RuleOutcome[], gaps: readonly Gap[]): readonly RuleOutcome[] {
  const unscaled = new Set(gaps.flatMap(({ metrics = [] }) => metrics));
  return outcomes.map((outcome) => {
    const { value } = outcome.rule;
    if (value.of !== "metric" || !unscaled.has(value.metric)) return outcome;
    return { ...outcome, holds: undefined, verdict: "incomplete", needed: undefined };
  });
}

function vocabularyOf(now: CaseSet, baseline: CaseSet | undefined, named: readonly string[]): Vocabulary {
  const sides = [now, ...(baseline ? [baseline] : [])];
  const metrics = new Map([...mergedMetrics(sides)].toSorted(([a], [b]) => compareTexts(a, b)));
  const keys = new Set<string>();
  // Cases whose metadata are equal mostly share them.
  const seen = new WeakSet<object>();
  for (const { cases } of sides) {
    for (const { metadata } of cases) {
      if (!metadata || seen.has(metadata)) continue;
      seen.add(metadata);
      for (const key in metadata) keys.add(key);
    }
  }
  const isInSome = (filters: readonly RuleFilter[], { cases }: CaseSet) =>
    Iterator.from(cases).some((one) => isInPart(one, filters));
  const unscored = new Set(
    [...sides.flatMap((side) => [...unscoredMetrics(side)]), ...named].filter((name) => !metrics.has(name)),
  );
  return {
    metrics,
    unscored,
    keys,
    isEmpty: (filters) => filters.length > 0 && !sides.some((side) => isInSome(filters, side)),
    valuesOf: (key) => [...new Set(sides.flatMap(({ cases }) => valuesOf(cases, key)))],
  };
}

// A hint names few of them.
const MOST_VALUES = 1_000;

function valuesOf(cases: Iterable<Case>, key: string): readonly string[] {
  const values = new Set<string>();
  for (const { metadata } of cases) {
    const value = metadata?.[key];
    if (value !== undefined && value !== null) values.add(metadataText(value));
    if (values.size === MOST_VALUES) break;
  }
  return [...values].toSorted();
}

function sizeOf(set: CaseSet): Pick<MeasuredRun, "cases" | "errors" | "trials" | "unmeasured"> {
  const { rows: trials, errors } = rowCounts(set);
  return { cases: set.cases.length, trials, errors, unmeasured: unmeasuredIn(set) };
}

function judgeMetric(metric: MeasuredMetric, own: readonly RuleOutcome[]): MetricJudgement {
  const { trials: _1, withinVariance: _2, pairsInPart: _3, seen: _4, equalUnits: _5, ...shown } = metric;
  const verdicts = own.map(({ verdict }) => verdict).filter((verdict) => verdict !== "no rule");
  // Of a metric that no burden of proof is about: never regressed, since nothing was asked.
  const alone = metric.comparison?.test === "unchanged" ? "unchanged" : "no rule";
  const plain = metric.comparison ? alone : "not compared";
  const bindingFirst = own.toSorted((one, other) => Number(one.rule.isWarning) - Number(other.rule.isWarning));
  return {
    ...shown,
    adjustedP: bindingFirst.find(({ adjustedP }) => adjustedP !== undefined)?.adjustedP,
    verdict: verdicts.length === 0 ? plain : worst(verdicts),
  };
}

function statusOf(
  outcomes: readonly RuleOutcome[],
  gaps: readonly Gap[],
  { baseline, failsWithoutBaseline = false, anchor = [] }: JudgeRequest,
): GateStatus {
  const binding = outcomes.filter(({ rule }) => !rule.isWarning);
  if (gaps.length > 0 || binding.some(({ holds, verdict }) => holds === false && verdict === "incomplete")) {
    return "incomplete";
  }
  const isOpen = binding.some(({ holds }) => holds === undefined);
  if (binding.some(({ holds }) => holds === false) || (isOpen && failsWithoutBaseline)) return "failed";
  if (anchor.length > 0) return "warned";
  if (isOpen) return "bootstrap";
  if (outcomes.length === 0) return baseline ? "none" : "bootstrap";
  return outcomes.some(({ holds }) => holds !== true) ? "warned" : "passed";
}

function worstOf(gaps: readonly Gap[], outcomes: readonly RuleOutcome[], baseline: CaseSet | undefined): Verdict {
  const isIncomplete = outcomes.some(({ rule, verdict }) => !rule.isWarning && verdict === "incomplete");
  if (gaps.length > 0 || isIncomplete) return "incomplete";
  if (!baseline) return "not compared";
  // What only a warning lacks does not make the judgement incomplete.
  const verdicts = outcomes
    .map(({ verdict }) => verdict)
    .filter((verdict) => verdict !== "no rule" && verdict !== "incomplete");
  return verdicts.length === 0 ? "no rule" : worst(verdicts);
}

function worst(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? "no rule";
}
