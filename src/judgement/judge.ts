import { type Baseline, type Case, type CaseSet, LATENCY, type RunOfCases } from "./cases/case-set.ts";
import { countCases, listCases, shownCases } from "./comparing/case-lists.ts";
import { errorsOf, rowsOf } from "./comparing/counted.ts";
import { measure, type MeasuredMetric } from "./comparing/metric.ts";
import { NO_PAIRS, pairCases } from "./comparing/pairing.ts";
import { adjustedPs, judgeRules, verdictOf } from "./comparing/rules.ts";
import type { Gates } from "./gates/gates.ts";
import type { Rule, RuleFilter, Vocabulary, Counter } from "./gates/rule.ts";
import { headlineOf } from "./headline.ts";
import {
  VERDICTS,
  type GateStatus,
  type Gap,
  type Judgement,
  type MeasuredRun,
  type MetricJudgement,
  type RuleOutcome,
  type Verdict,
  type CaseCounts,
  type CaseLists,
  type ListedCase,
} from "./judgement.ts";
import { countOf, countText } from "../text/number.ts";
import { nameList, printable, quoted } from "../text/quoted.ts";

/** What is judged, and by which rules. */
export interface JudgeRequest {
  readonly results: CaseSet;
  /** Undefined where there is none yet: then only rules about the results themselves are judged. */
  readonly baseline: Baseline | undefined;
  readonly gates: Gates;
  /** The key of the metadata that names the cluster of a case, of cases that vary together; undefined without clusters. */
  readonly cluster?: string | undefined;
  /** Whether rules that need a baseline fail without one. */
  readonly failsWithoutBaseline?: boolean | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/**
 * Judges results against a baseline by the gates; reads and writes nothing, and draws no random numbers: the same results
 * in any order give the same judgement. Throws GatesError for rules about what the results do not have.
 */
export function judge(request: JudgeRequest): Judgement {
  const { results: now, baseline, gates, cluster, warnings = [] } = request;
  const rules = gates.rules(vocabularyOf(now, baseline));
  const pairing = baseline && pairCases(now, baseline);
  const sides = { now, baseline, pairs: pairing?.pairs ?? NO_PAIRS, cluster };
  const measured = new MeasuredMetrics((metric, filters) => measure(sides, metric, filters));
  const listed = { now, baseline, pairing };
  const entries = listCases(listed);
  const outcomes = judgeRules(rules, { ...listed, entries, metricOf: (rule) => measured.ofRule(rule) });
  const [lists, counts] = [shownCases(entries, listed), countCases(entries, listed)];
  const gaps = findGaps({ now, baseline, lists, counts, rules, isShared: (pairing?.pairs.now.length ?? 0) > 0 });
  const status = statusOf(outcomes, gaps, request);
  const adjusted = adjustedPs(rules, { metricOf: (rule) => measured.ofRule(rule) });
  for (const metric of [...now.metrics.keys()].toSorted()) measured.of(metric, []);
  const metrics = measured.all.map((metric) => judgeMetric(metric, outcomes, adjusted, measured));
  const judgement = {
    schema: 1 as const,
    status,
    verdict: worstOf(gaps, outcomes, baseline),
    now: { ...now.run, ...sizeOf(now) },
    baseline: baseline && {
      ...baseline.run,
      ...sizeOf(baseline),
      runs: baseline.runs.length,
      sources: baseline.sources,
    },
    metrics,
    rules: outcomes,
    gaps,
    cases: lists,
    counts,
    warnings,
  };
  return { ...judgement, headline: headlineOf(judgement) };
}

/** Measures each metric of each part once. */
class MeasuredMetrics {
  readonly #measure: (metric: string, filters: readonly RuleFilter[]) => MeasuredMetric;
  readonly #known = new Map<string, MeasuredMetric>();

  constructor(measureMetric: (metric: string, filters: readonly RuleFilter[]) => MeasuredMetric) {
    this.#measure = measureMetric;
  }

  /** Those of rules first, in their order, and then the others by name. */
  get all(): readonly MeasuredMetric[] {
    return [...this.#known.values()];
  }

  of(metric: string, filters: readonly RuleFilter[]): MeasuredMetric {
    const key = JSON.stringify([metric, filters]);
    const known = this.#known.get(key) ?? this.#measure(metric, filters);
    this.#known.set(key, known);
    return known;
  }

  ofRule({ value, filters }: Rule): MeasuredMetric {
    if (value.of !== "metric") throw new TypeError("a counter is no metric");
    return this.of(value.metric, filters);
  }
}

function vocabularyOf(now: CaseSet, baseline: CaseSet | undefined): Vocabulary {
  const metrics = new Map([...(baseline?.metrics ?? []), ...now.metrics].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const keys = new Set([now, ...(baseline === undefined ? [] : [baseline])].flatMap(({ cases }) => keysOf(cases)));
  return { metrics, keys };
}

function keysOf(cases: Iterable<Case>): readonly string[] {
  const keys = new Set<string>();
  for (const { metadata } of cases) for (const key in metadata) keys.add(key);
  return [...keys];
}

function sizeOf({ cases }: CaseSet): Pick<MeasuredRun, "cases" | "errors" | "trials"> {
  return { cases: cases.length, trials: rowsOf(cases), errors: errorsOf(cases) };
}

function judgeMetric(
  metric: MeasuredMetric,
  outcomes: readonly RuleOutcome[],
  adjusted: ReadonlyMap<MeasuredMetric, number>,
  measured: MeasuredMetrics,
): MetricJudgement {
  const { trials: _trials, withinVariance: _variance, ...shown } = metric;
  const own = outcomes.filter(({ rule }) => rule.value.of === "metric" && measured.ofRule(rule) === metric);
  const verdicts = own.map(({ verdict }) => verdict).filter((verdict) => verdict !== "no rule");
  return {
    ...shown,
    adjustedP: adjusted.get(metric),
    verdict: verdicts.length === 0 ? plainVerdict(metric) : worst(verdicts),
  };
}

/** Of a metric that no burden of proof is about: never regressed, since nothing was asked. */
function plainVerdict({ comparison }: MeasuredMetric): Verdict {
  if (comparison === undefined) return "not compared";
  const verdict = verdictOf(comparison, comparison.p);
  return verdict === "unchanged" ? verdict : "no rule";
}

function statusOf(
  outcomes: readonly RuleOutcome[],
  gaps: readonly Gap[],
  { baseline, failsWithoutBaseline = false }: JudgeRequest,
): GateStatus {
  const binding = outcomes.filter(({ rule }) => !rule.isWarning);
  if (gaps.length > 0 || binding.some(({ holds, verdict }) => holds === false && verdict === "incomplete")) {
    return "incomplete";
  }
  const isOpen = binding.some(({ holds }) => holds === undefined);
  if (binding.some(({ holds }) => holds === false) || (isOpen && failsWithoutBaseline)) return "failed";
  if (isOpen) return "bootstrap";
  if (outcomes.length === 0) return baseline === undefined ? "bootstrap" : "none";
  return outcomes.some(({ holds }) => holds !== true) ? "warned" : "passed";
}

function worstOf(gaps: readonly Gap[], outcomes: readonly RuleOutcome[], baseline: CaseSet | undefined): Verdict {
  if (gaps.length > 0) return "incomplete";
  if (baseline === undefined) return "not compared";
  const verdicts = outcomes.map(({ verdict }) => verdict).filter((verdict) => verdict !== "no rule");
  return verdicts.length === 0 ? "no rule" : worst(verdicts);
}

function worst(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? "no rule";
}

interface Looked {
  readonly now: CaseSet;
  readonly baseline: CaseSet | undefined;
  readonly lists: CaseLists;
  readonly counts: CaseCounts;
  readonly rules: readonly Rule[];
  /** True where the two sides share a case. */
  readonly isShared: boolean;
}

// The keys of the cases follow from the dataset, so a name on one side only makes all of them differ.
function unnamedDataset({ dataset: now }: RunOfCases, { dataset: before }: RunOfCases): string {
  const isNamed = ({ id, name }: RunOfCases["dataset"]) => id !== undefined || name !== undefined;
  if (isNamed(now) === isNamed(before)) return "";
  const [named, side, other] = isNamed(now) ? [now, "this run", "the baseline"] : [before, "the baseline", "this run"];
  return `: ${side} is of the dataset ${quoted(named.name ?? named.id ?? "")}, and ${other} names none`;
}

/** What keeps a judgement from being whole: rules that need not be written. They fail closed. */
function findGaps({ now, baseline, lists, counts, rules, isShared }: Looked): readonly Gap[] {
  const gaps: Gap[] = [];
  const allows = (...counters: readonly Counter[]) =>
    rules.some(({ value }) => value.of === "counter" && counters.includes(value.counter));
  if (now.cases.length === 0) {
    gaps.push({ kind: "no-rows", message: "The results have no rows." });
    return gaps;
  }
  if (!now.run.isComplete) {
    gaps.push({ kind: "run-not-ended", message: "A result file says that its run did not end." });
  }
  if (baseline === undefined) return gaps;
  if (!isShared) {
    gaps.push({
      kind: "nothing-shared",
      message: `The results and the baseline share no case${unnamedDataset(now.run, baseline.run)}.`,
    });
    return gaps;
  }
  const [atOnce, before] = [now.run.concurrency, baseline.run.concurrency];
  const comparesLatency = rules.some(({ value, test }) => {
    return test.by !== "number" && value.of === "metric" && value.metric === LATENCY;
  });
  if (comparesLatency && atOnce !== undefined && before !== undefined && atOnce !== before) {
    gaps.push({
      kind: "other-concurrency",
      message: `Latencies cannot be compared: the baseline was measured with ${countOf(before, "case")} at once, and this run with ${countText(atOnce)}.`,
    });
  }
  const lost = [...baseline.metrics.keys()].filter((metric) => !now.metrics.has(metric));
  if (lost.length > 0) {
    gaps.push({
      kind: "lost-metric",
      message: `${lost.length === 1 ? "A metric" : countOf(lost.length, "metric")} of the baseline ${lost.length === 1 ? "is" : "are"} missing now: ${nameList(lost)}.`,
    });
  }
  if (counts.removed > 0 && !allows("unmatched")) {
    const verb = counts.removed === 1 ? "has" : "have";
    gaps.push({
      kind: "missing-cases",
      message: `${countOf(counts.removed, "case")} of the baseline ${verb} no row now: ${namesOf(lists.removed, counts.removed)}.`,
    });
  }
  if (counts.missing > 0 && !allows("missing_scores", "errors", "error_rate")) {
    const verb = counts.missing === 1 ? "lacks" : "lack";
    gaps.push({
      kind: "missing-scores",
      message: `${countOf(counts.missing, "case")} ${verb} a score that the baseline has: ${namesOf(lists.missing, counts.missing)}.`,
    });
  }
  return gaps;
}

const MOST_NAMES = 5;

/** The first names, and how many more there are. */
function namesOf(cases: readonly ListedCase[], count: number): string {
  const names = [...new Set(cases.map(({ name }) => printable(name)))].slice(0, MOST_NAMES);
  const more = count - names.length;
  return more > 0 ? `${names.join(", ")} and ${countText(more)} more` : names.join(", ");
}
