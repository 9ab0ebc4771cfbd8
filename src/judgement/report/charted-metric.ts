import type { MetricFacts } from "../cases/case-set.ts";
import { pairCases } from "../comparing/pairing.ts";
import { columnOf, type MetricColumn } from "../comparing/values.ts";
import type { MetricJudgement } from "../judgement.ts";
import type { Judged } from "../judge-results.ts";
import type { Badge } from "../../pages/names.ts";
import { badgesOf } from "../words/standing.ts";

/** A metric of all cases with what its charts are drawn from: means over the trials of a case. */
export interface ChartedMetric {
  readonly metric: string;
  readonly facts: MetricFacts;
  readonly judgement: MetricJudgement;
  readonly badges: readonly Badge[];
  /** Ascending. */
  readonly now: Float64Array;
  /** Ascending; empty without a baseline. */
  readonly baseline: Float64Array;
  /** Baseline and now of the cases that both sides have, asked alike. */
  readonly pairs: readonly (readonly [baseline: number, now: number])[];
}

/** The metrics of whole sets, in the order of the judgement: parts have no charts. */
export function chartedMetrics({ judgement, results, baseline }: Judged): readonly ChartedMetric[] {
  const places = pairCases(results, baseline).pairs;
  return judgement.metrics.flatMap((one): readonly ChartedMetric[] => {
    const { metric, part, facts } = one;
    if (part !== undefined || !results.metrics.has(metric)) return [];
    const [now, before] = [columnOf(results, metric), baseline && columnOf(baseline, metric)];
    const pairs = [...places.now].flatMap((at, index) => {
      const [from, to] = [before?.means[places.baseline[index] ?? 0] ?? Number.NaN, now.means[at] ?? Number.NaN];
      return Number.isNaN(from) || Number.isNaN(to) ? [] : [[from, to] as const];
    });
    return [
      {
        metric,
        facts,
        judgement: one,
        badges: badgesOf(one, judgement.rules),
        now: sorted(now),
        baseline: sorted(before),
        pairs,
      },
    ];
  });
}

function sorted(column: MetricColumn | undefined): Float64Array {
  return column ? column.means.filter((mean) => !Number.isNaN(mean)).sort() : new Float64Array();
}
