import { compare, type Comparison } from "../../statistics/comparison.ts";
import { levelOf, type Kind } from "../../statistics/level.ts";
import { withinVariance } from "../../statistics/needed.ts";
import { changeWithMissing } from "../../statistics/outcome.ts";
import type { Baseline, Case, CaseSet, MetricFacts } from "../cases/case-set.ts";
import type { RuleFilter } from "../gates/rule.ts";
import type { MetricJudgement, MissingRange } from "../judgement.ts";
import type { Pair } from "./pairing.ts";
import { isInPart, partText } from "./part.ts";
import { meanOf, valuesOf } from "./values.ts";

/** What two sides are compared over. */
export interface Sides {
  readonly now: CaseSet;
  readonly baseline: Baseline | undefined;
  readonly pairs: readonly Pair[];
  /** The key of the metadata that names a case's cluster; undefined without clusters. */
  readonly cluster: string | undefined;
}

/** A metric as it was measured, before any rule. */
export interface MeasuredMetric extends Omit<MetricJudgement, "adjustedP" | "verdict"> {
  /** Trials of each case now: their mean. */
  readonly trials: number;
  /** Variance between the trials of a case; undefined where no case has two. */
  readonly withinVariance: number | undefined;
}

/** Measures a metric over the cases that the filters choose. */
export function measure(sides: Sides, metric: string, filters: readonly RuleFilter[]): MeasuredMetric {
  const { now, baseline, cluster } = sides;
  const facts = now.metrics.get(metric) ?? baseline?.metrics.get(metric) ?? UNKNOWN;
  const measured = { metric, facts, filters };
  const pairs = sides.pairs.filter((pair) => isInPart(pair.now, filters));
  const comparison = baseline && compareIn({ ...sides, baseline, pairs }, metric, facts);
  const values = valuesIn(now, measured);
  return {
    metric,
    part: partText(filters),
    facts,
    now: levelIn(values, facts, cluster),
    baseline: baseline && levelIn(valuesIn(baseline, measured), facts, cluster),
    comparison,
    ifMissing: baseline && missingRange({ ...sides, baseline, pairs }, metric, facts),
    noise: baseline && comparison && noiseOf(baseline.runs, measured, comparison.scale),
    trials: values.trials.reduce((sum, { length }) => sum + length, 0) / values.cases.length,
    withinVariance: withinVariance(values.trials),
  };
}

const UNKNOWN: MetricFacts = { kind: "unbounded", direction: "higher" };

interface Measured {
  readonly metric: string;
  readonly facts: MetricFacts;
  readonly filters: readonly RuleFilter[];
}

/** The cases that have a metric, in a part. */
interface Values {
  readonly cases: readonly Case[];
  /** For each case those of its trials. */
  readonly trials: readonly (readonly number[])[];
}

function valuesIn(set: CaseSet, { metric, filters }: Measured): Values {
  const [cases, trials]: [Case[], (readonly number[])[]] = [[], []];
  for (const one of set.cases) {
    if (!isInPart(one, filters)) continue;
    const values = valuesOf(set, one, metric);
    if (values.length === 0) continue;
    cases.push(one);
    trials.push(values);
  }
  return { cases, trials };
}

function levelIn({ cases, trials }: Values, facts: MetricFacts, cluster: string | undefined) {
  return levelOf(trials.map(mean), kindOf(facts), clustersOf(cases, cluster));
}

type BothSides = Sides & { readonly baseline: Baseline };

function compareIn({ now, baseline, pairs, cluster }: BothSides, metric: string, facts: MetricFacts) {
  const [current, before, cases]: [number[], number[], Case[]] = [[], [], []];
  let [isSingle, isEqual] = [true, true];
  for (const pair of pairs) {
    const [after, ahead] = [valuesOf(now, pair.now, metric), valuesOf(baseline, pair.baseline, metric)];
    if (after.length === 0 || ahead.length === 0) continue;
    isEqual &&= after.length === ahead.length;
    isSingle &&= after.length === 1;
    current.push(mean(after));
    before.push(mean(ahead));
    cases.push(pair.now);
  }
  return compare({
    baseline: before,
    current,
    kind: kindOf(facts),
    direction: facts.direction,
    trials: !isEqual ? "unequal" : isSingle ? "single" : "equal",
    clusters: clustersOf(cases, cluster),
  });
}

/** Undefined where no score is missing. */
function missingRange(
  { now, baseline, pairs }: BothSides,
  metric: string,
  facts: MetricFacts,
): MissingRange | undefined {
  const range = boundsOf(facts);
  if (range === undefined) return undefined;
  const before: number[] = [];
  const current: (number | undefined)[] = [];
  for (const pair of pairs) {
    const ahead = meanOf(baseline, pair.baseline, metric);
    if (Number.isNaN(ahead)) continue;
    const after = meanOf(now, pair.now, metric);
    before.push(ahead);
    current.push(Number.isNaN(after) ? undefined : after);
  }
  return current.includes(undefined) ? changeWithMissing(before, current, range) : undefined;
}

/** The largest change between two runs of the baseline, on the scale of the comparison. */
function noiseOf(runs: readonly CaseSet[], measured: Measured, scale: Comparison["scale"]): number | undefined {
  let largest: number | undefined;
  for (const [index, run] of runs.entries()) {
    for (const other of runs.slice(index + 1)) {
      const change = changeBetween(run, other, measured, scale);
      if (change !== undefined) largest = Math.max(largest ?? 0, Math.abs(change));
    }
  }
  if (largest === undefined) return undefined;
  return scale === "ratio" ? Math.exp(largest) : largest;
}

/** The mean over the cases that both have: of differences, or of logarithms of ratios. */
function changeBetween(
  one: CaseSet,
  other: CaseSet,
  { metric, filters }: Measured,
  scale: Comparison["scale"],
): number | undefined {
  const theirs = new Map(other.cases.map((each) => [each.key, each]));
  let [n, sum] = [0, 0];
  for (const mine of one.cases) {
    const their = theirs.get(mine.key);
    if (their?.digest !== mine.digest || !isInPart(mine, filters)) continue;
    const [ours, others] = [meanOf(one, mine, metric), meanOf(other, their, metric)];
    const difference = scale === "ratio" ? Math.log(ours / others) : ours - others;
    if (!Number.isFinite(difference)) continue;
    n += 1;
    sum += difference;
  }
  return n === 0 ? undefined : sum / n;
}

function kindOf({ kind, low = 0, high = 1 }: MetricFacts): Kind {
  return kind === "bounded" ? { kind, low, high } : { kind };
}

function boundsOf({ kind, low = 0, high = 1 }: MetricFacts) {
  return kind === "binary" || kind === "bounded" ? { low, high } : undefined;
}

/** A case that names no cluster is one of its own. */
function clustersOf(cases: readonly Case[], key: string | undefined): readonly string[] | undefined {
  if (key === undefined) return undefined;
  return cases.map((one) => {
    const value = one.metadata?.[key];
    return value === undefined || value === null ? `case ${one.key}` : `cluster ${JSON.stringify(value)}`;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** True where the two sides differ by harm. */
export function isHarm({ change, scale, direction }: Comparison): boolean {
  const difference = scale === "ratio" ? change - 1 : change;
  return direction === "higher" ? difference < 0 : difference > 0;
}
