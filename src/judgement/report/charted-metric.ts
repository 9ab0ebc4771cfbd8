import { caseMeans, type CaseMeans } from "../cases/case-means.ts";
import type { CaseSet, MetricFacts } from "../cases/case-set.ts";
import { pairCases } from "../comparing/pairing.ts";
import type { MetricJudgement } from "../judgement.ts";
import type { Judged } from "../run.ts";

/** A metric of all cases with what its charts are drawn from: means over the trials of a case. */
export interface ChartedMetric {
  readonly metric: string;
  readonly facts: MetricFacts;
  readonly judgement: MetricJudgement;
  /** Ascending. */
  readonly now: Float64Array;
  /** Ascending; empty without a baseline. */
  readonly baseline: Float64Array;
  /** Baseline and now of the cases that both sides have, asked alike. */
  readonly pairs: readonly (readonly [baseline: number, now: number])[];
}

/** The metrics of whole sets, in the order of the judgement: parts have no charts. */
export function chartedMetrics({ judgement, results, baseline }: Judged): readonly ChartedMetric[] {
  const [means, others] = [caseMeans(results), baseline && caseMeans(baseline)];
  const places = placesOf(results, baseline);
  return judgement.metrics.flatMap((one): readonly ChartedMetric[] => {
    const { metric, part, facts } = one;
    const [now, before] = [means.get(metric), others?.get(metric)];
    if (part !== undefined || now === undefined) return [];
    const pairs = places.flatMap(([baselineAt, nowAt]) => {
      const [from, to] = [before?.means[baselineAt] ?? Number.NaN, now.means[nowAt] ?? Number.NaN];
      return Number.isNaN(from) || Number.isNaN(to) ? [] : [[from, to] as const];
    });
    return [{ metric, facts, judgement: one, now: sorted(now), baseline: sorted(before), pairs }];
  });
}

function placesOf(now: CaseSet, baseline: CaseSet | undefined): readonly (readonly [number, number])[] {
  if (baseline === undefined) return [];
  const at = (set: CaseSet) => new Map(set.cases.map(({ key }, place) => [key, place]));
  const [ours, theirs] = [at(now), at(baseline)];
  return pairCases(now, baseline).pairs.map(({ now: { key } }) => [theirs.get(key) ?? -1, ours.get(key) ?? -1]);
}

function sorted(column: CaseMeans | undefined): Float64Array {
  return column === undefined ? new Float64Array() : column.means.filter((mean) => !Number.isNaN(mean)).sort();
}
