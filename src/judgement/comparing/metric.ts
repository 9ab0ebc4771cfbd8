import {
  changeWithMissing,
  compare,
  type Comparison,
  equalUnits,
  type MissingChange,
  type PairedScores,
} from "../../statistics/comparison.ts";
import { levelOf } from "../../statistics/level.ts";
import { withinVariance } from "../../statistics/needed.ts";
import { release } from "../../statistics/release.ts";
import type { Extremes } from "../../statistics/known-range.ts";
import type { CaseSet, MetricFacts } from "../cases/case-set.ts";
import { boundsOf } from "../cases/metric-facts.ts";
import { partText, type Rule, type RuleFilter } from "../gates/rule.ts";
import type { MetricJudgement } from "../judgement.ts";
import { factsOf, kindOf, mostOf, seenIn } from "./metric-kind.ts";
import type { Sides } from "./case-lists.ts";
import { pairCases, pairsOf, type Pairs } from "./pairing.ts";
import { countIn, isInPart, partOf } from "./part.ts";
import { columnOf, rowsOf } from "./values.ts";

/** A metric as it was measured, before any rule. */
export interface MeasuredMetric extends Omit<MetricJudgement, "adjustedP" | "verdict"> {
  /** The cases of the part that both sides have, with the metric and without it. */
  readonly pairsInPart: number;
  /** Trials of each case now: their mean. */
  readonly trials: number;
  /** Variance between the trials of a case; undefined where no case has two. */
  readonly withinVariance: number | undefined;
  /** The least and the largest value of all cases of both sides; undefined without a comparison. */
  readonly seen: Extremes | undefined;
  /** How many cases or clusters rule out more harm than a margin, if none of them changed. */
  readonly equalUnits: (margin: number) => number | undefined;
}

export class MeasuredMetrics {
  readonly sides: Sides;
  readonly #measure: typeof measure;
  readonly #known = new Map<string, MeasuredMetric>();

  constructor(sides: Sides, measureMetric = measure) {
    this.sides = sides;
    this.#measure = measureMetric;
  }

  /** Those of rules first, in their order, and then the others by name. */
  get all(): readonly MeasuredMetric[] {
    return [...this.#known.values()];
  }

  of(metric: string, filters: readonly RuleFilter[]): MeasuredMetric {
    const key = JSON.stringify([metric, filters]);
    const known = this.#known.get(key) ?? this.#measure(this.sides, metric, filters);
    this.#known.set(key, known);
    return known;
  }

  ofRule({ value, filters }: Rule): MeasuredMetric {
    if (value.of !== "metric") throw new TypeError("a counter is not a metric");
    return this.of(value.metric, filters);
  }
}

export function measure(sides: Sides, metric: string, filters: readonly RuleFilter[]): MeasuredMetric {
  const { now, baseline, cluster } = sides;
  const facts = factsOf(now.metrics.get(metric), baseline?.metrics.get(metric));
  const measured = { metric, facts, filters };
  const part = partOf(sides, filters);
  const pairs = pairsIn(sides, filters);
  const places = placesIn(now, metric, part.hasNow);
  const scores = pairedScores(sides, measured, pairs);
  const comparison = scores && compare(scores);
  // What is asked later keeps these, and not the scores.
  const { clusters, seen } = scores ?? {};
  release(scores?.current, scores?.baseline);
  const { counts } = columnOf(now, metric);
  const before = baseline && placesIn(baseline, metric, part.hasBaseline);
  // Of the same cases the level is known from the comparison, but for clusters, which the baseline names itself.
  const isCompared = ({ length }: Uint32Array) => cluster === undefined && length === comparison?.cases;
  return {
    metric,
    part: partText(filters),
    facts,
    cases: countIn(now, part.hasNow),
    now: isCompared(places) ? comparison?.current : levelIn(now, places, measured, cluster),
    baseline: before && (isCompared(before) ? comparison?.baseline : levelIn(baseline, before, measured, cluster)),
    comparison,
    ifMissing: missingRange(sides, pairs, measured),
    noise: baseline && comparison && noiseOf(baseline.runs, measured, comparison.scale),
    pairsInPart: pairs.now.length,
    trials: places.reduce((sum, at) => sum + (counts[at] ?? 0), 0) / places.length,
    seen,
    equalUnits: (margin) => comparison && equalUnits(comparison, margin, clusters),
    withinVariance: withinVariance(Array.from(places, (at) => rowsOf(now, metric, [at])?.values ?? [])),
  };
}

interface Measured {
  readonly metric: string;
  readonly facts: MetricFacts;
  readonly filters: readonly RuleFilter[];
}

function placesIn(set: CaseSet, metric: string, isChosen: (at: number) => boolean): Uint32Array {
  const { means } = columnOf(set, metric);
  const places = new Uint32Array(means.length);
  let count = 0;
  for (let at = 0; at < means.length; at++) {
    if (!Number.isNaN(means[at]) && isChosen(at)) places[count++] = at;
  }
  return places.subarray(0, count);
}

function levelIn(set: CaseSet, places: Uint32Array, { metric, facts }: Measured, cluster: string | undefined) {
  const { means } = columnOf(set, metric);
  const scores = places.length === means.length ? means : chosen(means, places);
  return levelOf(scores, kindOf(facts, metric), clustersOf(set, places, cluster), rowsOf(set, metric, places));
}

function chosen(numbers: Float64Array, places: Uint32Array): Float64Array {
  const taken = new Float64Array(places.length);
  for (let index = 0; index < places.length; index++) taken[index] = numbers[places[index] ?? 0] ?? Number.NaN;
  return taken;
}

function pairsIn(sides: Sides, filters: readonly RuleFilter[]): Pairs {
  const all = sides.pairing.pairs;
  return filters.length === 0 ? all : pairsOf(all, partOf(sides, filters).hasNow);
}

/** The scores of the cases that both sides have in a part; undefined without a baseline. */
export function pairedScores(
  sides: Sides,
  { metric, facts, filters }: Measured,
  pairs = pairsIn(sides, filters),
): PairedScores | undefined {
  const { now, baseline, cluster } = sides;
  if (!baseline) return undefined;
  const [ours, theirs] = [columnOf(now, metric), columnOf(baseline, metric)];
  const isScored = (at: number, from: number) => !Number.isNaN(ours.means[at]) && !Number.isNaN(theirs.means[from]);
  const { now: places, baseline: placesBefore } = pairsOf(pairs, isScored);
  let [isSingle, isEqual] = [true, true];
  for (let index = 0; index < places.length; index++) {
    const count = ours.counts[places[index] ?? 0];
    isEqual &&= count === theirs.counts[placesBefore[index] ?? 0];
    isSingle &&= count === 1;
  }
  return {
    baseline: chosen(theirs.means, placesBefore),
    current: chosen(ours.means, places),
    kind: kindOf(facts, metric, mostOf(now, metric)),
    direction: facts.direction,
    seen: facts.kind === "unbounded" ? seenIn([now, baseline], metric) : undefined,
    trials: !isEqual ? "unequal" : isSingle ? "single" : "equal",
    clusters: clustersOf(now, places, cluster),
    rows: { baseline: rowsOf(baseline, metric, placesBefore), current: rowsOf(now, metric, places) },
  };
}

/** Undefined where no score is missing. */
function missingRange(
  { now: set, baseline }: Sides,
  pairs: Pairs,
  { metric, facts }: Measured,
): MissingChange | undefined {
  const range = boundsOf(facts);
  if (!range || !baseline) return undefined;
  const [ours, theirs] = [columnOf(set, metric).means, columnOf(baseline, metric).means];
  const scored = pairsOf(pairs, (_at, before) => !Number.isNaN(theirs[before]));
  const current = chosen(ours, scored.now);
  return current.some(Number.isNaN) ? changeWithMissing(chosen(theirs, scored.baseline), current, range) : undefined;
}

/**
 * The largest change between two runs of the baseline, on the scale of the comparison: the mean over the cases that both have,
 * of differences, or of logarithms of ratios.
 */
function noiseOf(
  runs: readonly CaseSet[],
  { metric, filters }: Measured,
  scale: Comparison["scale"],
): number | undefined {
  let largest = -Infinity;
  for (const [one, other] of runs.flatMap((run, at) => runs.slice(at + 1).map((later) => [run, later] as const))) {
    const [ours, theirs] = [columnOf(one, metric).means, columnOf(other, metric).means];
    let [n, sum] = [0, 0];
    const { pairs } = pairCases(one, other);
    for (const [index, at] of pairs.now.entries()) {
      const chosenCase = filters.length === 0 ? undefined : one.cases.at(at);
      if (chosenCase && !isInPart(chosenCase, filters)) continue;
      const [after = Number.NaN, before = Number.NaN] = [ours[at], theirs[pairs.baseline[index] ?? 0]];
      const difference = scale === "ratio" ? Math.log(after / before) : after - before;
      if (!Number.isFinite(difference)) continue;
      n += 1;
      sum += difference;
    }
    if (n > 0) largest = Math.max(largest, Math.abs(sum / n));
  }
  if (largest === -Infinity) return undefined;
  return scale === "ratio" ? Math.exp(largest) : largest;
}

/** A case that names no cluster is one of its own. */
function clustersOf(set: CaseSet, places: Uint32Array, key: string | undefined): readonly string[] | undefined {
  if (key === undefined) return undefined;
  return Array.from(places, (at) => {
    const one = set.cases.at(at);
    const value = one?.metadata?.[key];
    return value === undefined || value === null ? `case ${one?.key ?? ""}` : `cluster ${JSON.stringify(value)}`;
  });
}
