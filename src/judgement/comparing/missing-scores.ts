import { MEASURES } from "../cases/case-set.ts";
import type { Rule } from "../gates/rule.ts";
import { caseOf, type Entry, type EntryList } from "./case-lists.ts";
import type { Counted } from "./counted.ts";
import { columnOf } from "./values.ts";

/**
 * The cases without a score that the baseline has. Times, costs and tokens count where a rule names them; and where errors
 * are allowed, a score that is missing in rows with an error does not.
 */
export function lostScores(
  { now, baseline, pairing, entries }: Counted,
  rules: readonly Rule[],
  allowsErrors: boolean,
): EntryList {
  const named = new Set(rules.flatMap(({ value }) => (value.of === "metric" ? value.metric : [])));
  const places = new Map([...now.metrics.keys()].map((metric, place) => [metric, place]));
  // Where the baseline has a case of now: a map would take as much as the scores.
  const pairOf = new Uint32Array(allowsErrors ? now.cases.length : 0);
  if (allowsErrors && pairing !== undefined) {
    for (const [index, at] of pairing.pairs.now.entries()) pairOf[at] = pairing.pairs.baseline[index] ?? 0;
  }
  const isUnexplained = (metric: string, entry: Entry) => {
    const place = places.get(metric) ?? -1;
    const trials = caseOf(entry, { now, baseline })?.trials ?? [];
    const lacking = trials.filter(({ hasError, values }) => !hasError && Number.isNaN(values[place] ?? Number.NaN));
    const before = baseline && columnOf(baseline, metric).missing?.[pairOf[entry.at] ?? 0];
    return lacking.length / trials.length > (before ?? 0) + SAME;
  };
  return {
    *[Symbol.iterator]() {
      for (const entry of entries.missing) {
        const { metric = "" } = entry;
        const isMeant = !MEASURES.has(metric) || named.has(metric);
        if (isMeant && (!allowsErrors || isUnexplained(metric, entry))) yield entry;
      }
    },
  };
}

// As close as shares are compared: they are stored in 32 bits.
const SAME = 1e-6;
