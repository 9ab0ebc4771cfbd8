import { Column } from "../../files/column.ts";
import { IdTable } from "../../files/id-table.ts";
import type { CaseSet } from "./case-set.ts";
import { columnsOf, valuesIn } from "./stored-case.ts";

/**
 * Which cases and scores of runs, the newest first, a later run must have. A run takes away what it lacks only where it
 * states that a rule allowed as many to go: where more are gone, it was compared with fewer, and all of them stay.
 */
export function protectedIn(runs: readonly CaseSet[]) {
  const ids = new IdTable();
  const cases = new Column(Uint8Array);
  // By metric, of each case.
  const scores = new Map<string, Column>();
  const isOne = (marks: Column | undefined, key: string) => {
    const place = ids.get(key);
    return place !== undefined && marks?.get(place) === 1;
  };
  for (const set of runs.toReversed()) {
    const places = placesOf(set, ids);
    const { unmatched, missing_scores: missing } = set.run.allowed ?? {};
    if (unmatched !== undefined) {
      const isHere = new Uint8Array(ids.count);
      for (const place of places) isHere[place] = 1;
      letGo(unmatched, [{ marks: cases, gone: [...isHere.keys()].filter((place) => isHere[place] === 0) }]);
    }
    if (missing !== undefined) {
      letGo(
        missing,
        [...scores].map(([metric, marks]) => {
          const isScored = scoredIn(set, metric);
          return { marks, gone: places.filter((_, at) => !isScored(at)) };
        }),
      );
    }
    if (set !== runs[0] && !set.run.isComplete) continue;
    for (const place of places) cases.set(place, 1);
    for (const metric of set.metrics.keys()) {
      const marks = scores.get(metric) ?? new Column(Uint8Array);
      scores.set(metric, marks);
      const isScored = scoredIn(set, metric);
      for (const [at, place] of places.entries()) if (isScored(at)) marks.set(place, 1);
    }
  }
  return {
    hasCase: (key: string): boolean => isOne(cases, key),
    hasScore: (key: string, metric: string): boolean => isOne(scores.get(metric), key),
    /** True for a metric of which some case must have a score. */
    hasMetric: (metric: string): boolean => {
      const marks = scores.get(metric);
      for (let place = 0; marks && place < ids.count; place++) if (marks.get(place) === 1) return true;
      return false;
    },
  };
}

/** Takes away the marks of what is gone, unless that is more than a rule allowed. */
function letGo(allowed: number, all: readonly { readonly marks: Column; readonly gone: Iterable<number> }[]): void {
  let count = 0;
  for (const { marks, gone } of all) for (const place of gone) count += marks.get(place);
  if (count > allowed) return;
  for (const { marks, gone } of all) for (const place of gone) marks.set(place, 0);
}

/** The places of the cases of a set in a table that has those of all sets. */
function placesOf({ cases }: CaseSet, ids: IdTable): Int32Array {
  const places = new Int32Array(cases.length);
  let at = 0;
  for (const { key } of cases) {
    const place = ids.get(key) ?? ids.count;
    if (place === ids.count) ids.add(key);
    places[at++] = place;
  }
  return places;
}

/** Whether a case of a set has a score of the metric in some row. */
function scoredIn(set: CaseSet, metric: string): (at: number) => boolean {
  const { first } = columnsOf(set);
  const values = valuesIn(set, metric);
  return (at) => {
    for (let trial = first(at); trial < first(at + 1); trial++) if (!Number.isNaN(values[trial])) return true;
    return false;
  };
}
