import type { Extremes } from "../../statistics/known-range.ts";
import type { Kind } from "../../statistics/level.ts";

import { LATENCY, MEASURES, type CaseSet, type MetricFacts } from "../cases/case-set.ts";
import { mergedFacts, UNKNOWN_METRIC } from "../cases/metric-facts.ts";
import { isAmount } from "../cases/metric-names.ts";
import { valuesIn } from "../cases/stored-case.ts";

/** What is known of a metric on both sides: a range holds the values of both. */
export function factsOf(now: MetricFacts | undefined, baseline: MetricFacts | undefined): MetricFacts {
  return now && baseline ? mergedFacts(now, baseline) : (now ?? baseline ?? UNKNOWN_METRIC);
}

/** What the statistics have to know of the values of a metric; `most` is the most that one may be, where nothing is declared. */
export function kindOf({ kind, low = 0, high, direction }: MetricFacts, metric: string, most?: number): Kind {
  switch (kind) {
    case "binary":
      return { kind };
    case "bounded":
      return { kind, low, high: high ?? 1 };
    case "positive": {
      const end = high ?? most;
      return { kind, range: end === undefined ? undefined : { low, high: end } };
    }
    case "unbounded":
      return { kind, isAmount: direction === "lower" && (MEASURES.has(metric) || isAmount(metric)) };
  }
}

/** The least and the largest value of a metric in the rows of all cases. */
export function seenIn(sets: readonly (CaseSet | undefined)[], metric: string): Extremes {
  let [least, most] = [Infinity, -Infinity];
  for (const set of sets) {
    for (const value of set ? valuesIn(set, metric) : []) {
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return { least, most };
}

/** The most that a time of this run may be, unless one took longer than its timeout. */
export function mostOf(now: CaseSet, metric: string): number | undefined {
  const { timeout } = now.run;
  if (metric !== LATENCY || timeout === undefined) return undefined;
  return seenIn([now], metric).most <= timeout ? timeout : undefined;
}
