import { MEASURES, type CaseSet, type Unmeasured } from "./case-set.ts";
import { columnsOf, StoredCases } from "./stored-case.ts";

/** What is found out of an object once, for as long as somebody holds the object. */
export function onceFor<Owner extends object, Found extends object>(find: (owner: Owner) => Found) {
  const known = new WeakMap<Owner, Found>();
  return (owner: Owner): Found => {
    let found = known.get(owner);
    if (!found) known.set(owner, (found = find(owner)));
    return found;
  };
}

/** The values of the metric in each trial, NaN for none. Not to be written to. */
export function valuesIn(set: CaseSet, metric: string): Float64Array {
  const { values, first, count } = columnsOf(set);
  return values.get(metric) ?? new Float64Array(first(count)).fill(Number.NaN);
}

/** How many trials of each case measured something. */
export const measuredRows = onceFor((set: CaseSet): Uint32Array => {
  const { first, unmeasured, count } = columnsOf(set);
  return Uint32Array.from({ length: count }, (_, at) => {
    let measured = 0;
    for (let trial = first(at); trial < first(at + 1); trial++) if (unmeasured(trial) === undefined) measured += 1;
    return measured;
  });
});

/** 1 for each trial that has a score, whichever it is. Times, costs and tokens are not scores. */
export const scoredRows = onceFor((set: CaseSet): Uint8Array => {
  const { first, count } = columnsOf(set);
  const marks = new Uint8Array(first(count));
  for (const metric of set.metrics.keys()) {
    if (MEASURES.has(metric)) continue;
    for (const [trial, value] of valuesIn(set, metric).entries()) if (!Number.isNaN(value)) marks[trial] = 1;
  }
  return marks;
});

/** How many rows the cases of a set have, or those that are chosen; how many measured nothing, and how many have an error. */
export function rowCounts(set: CaseSet, isChosen = (_at: number) => true) {
  const { first, hasError, count } = columnsOf(set);
  const measuredIn = measuredRows(set);
  let [rows, errors, measured] = [0, 0, 0];
  for (let at = 0; at < count; at++) {
    if (!isChosen(at)) continue;
    rows += first(at + 1) - first(at);
    measured += measuredIn[at] ?? 0;
    for (let trial = first(at); trial < first(at + 1); trial++) errors += Number(hasError(trial));
  }
  return { rows, unmeasured: rows - measured, errors, errorRate: errors / Math.max(1, measured) };
}

/** How many trials measured nothing, by their outcome, the most frequent first. */
export function unmeasuredIn(set: CaseSet): readonly Unmeasured[] {
  const { first, unmeasured, count: cases } = columnsOf(set);
  const counts = new Map<string, number>();
  for (let trial = 0; trial < first(cases); trial++) {
    const outcome = unmeasured(trial);
    if (outcome !== undefined) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const found = [...counts].map(([outcome, count]) => ({ outcome, count }));
  return found.sort((one, other) => other.count - one.count || (one.outcome < other.outcome ? -1 : 1));
}

/** The metrics that rows of a set name, and that none gives a number: `metrics` has none of them. */
export const unscoredMetrics = onceFor((set: CaseSet): ReadonlySet<string> => {
  const names = new Set<string>();
  const { first, unscored, count } = columnsOf(set);
  for (let trial = 0; trial < first(count); trial++) {
    for (const name of unscored(trial) ?? []) if (!set.metrics.has(name)) names.add(name);
  }
  return names;
});

/** A set with other values of some metrics: one for each trial. */
export function withValues(set: CaseSet, replaced: ReadonlyMap<string, Float64Array>): CaseSet {
  if (replaced.size === 0) return set;
  const columns = columnsOf(set);
  return { ...set, cases: new StoredCases({ ...columns, values: new Map([...columns.values, ...replaced]) }) };
}
