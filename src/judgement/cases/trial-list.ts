import { MEASURES, type CaseSet, type Unmeasured } from "./case-set.ts";
import { columnsOf, namesIn, StoredCases, type StoredColumns } from "./stored-case.ts";

/** The trials of all cases side by side: those of a case follow one another, in the order of the cases. */
export interface TrialList extends Pick<StoredColumns, "first" | "hasError" | "placeOf" | "start" | "unmeasured"> {
  /** The values of the metric at this place of the set; NaN where one is missing. Not to be written to. */
  readonly valuesOf: (metric: number) => Float64Array;
  /** True where the row has a score, whichever it is. */
  readonly isScored: (trial: number) => boolean;
  /** True where the row names the metric and gives no number. */
  readonly isUnscored: (trial: number, metric: string) => boolean;
  /** The metrics that the row names without a number. */
  readonly unscoredIn: (trial: number) => readonly string[];
  readonly measuredIn: (place: number) => number;
}

const PLACES = new WeakMap<CaseSet["metrics"], ReadonlyMap<string, number>>();

/** At which place of the set a metric is, as `TrialList.valuesOf` takes it. The names are numbered once for each set. */
export function metricPlace({ metrics }: CaseSet, metric: string): number | undefined {
  const places = PLACES.get(metrics) ?? new Map([...metrics.keys()].map((name, place) => [name, place]));
  PLACES.set(metrics, places);
  return places.get(metric);
}

const LISTS = new WeakMap<CaseSet, TrialList>();

/** The trials of a set, looked up once. */
export function trialsOf(set: CaseSet): TrialList {
  const known = LISTS.get(set) ?? listOf(set);
  LISTS.set(set, known);
  return known;
}

function listOf(set: CaseSet): TrialList {
  const columns = columnsOf(set);
  const { first, hasError, start, unmeasured, placeOf } = columns;
  const count = first(set.cases.length);
  const valuesOf = (metric: number) => columns.valuesOf(metric) ?? new Float64Array(count).fill(Number.NaN);
  // Most rows name the same ones.
  let last: { readonly text: string; readonly names: readonly string[] } = { text: "", names: [] };
  const unscoredIn = (trial: number) => {
    const text = columns.unscored(trial) ?? "[]";
    if (text !== last.text) last = { text, names: namesIn(text) };
    return last.names;
  };
  return {
    ...{ first, valuesOf, hasError, start, unmeasured, placeOf, unscoredIn },
    isScored: scoredIn(set, count, valuesOf),
    isUnscored: (trial, metric) => unscoredIn(trial).includes(metric),
    measuredIn: measuredIn(columns, set.cases.length),
  };
}

/** The values of the metric in each trial, NaN for none. Not to be written to. */
export function valuesIn(set: CaseSet, metric: string): Float64Array {
  return trialsOf(set).valuesOf(metricPlace(set, metric) ?? -1);
}

/** How many rows the cases of a set have, or those that are chosen; how many measured nothing, and how many have an error. */
export function rowCounts(set: CaseSet, isChosen = (_at: number) => true) {
  const { first, hasError, measuredIn } = trialsOf(set);
  let [rows, errors, measured] = [0, 0, 0];
  for (let at = 0; at < set.cases.length; at++) {
    if (!isChosen(at)) continue;
    rows += first(at + 1) - first(at);
    measured += measuredIn(at);
    for (let trial = first(at); trial < first(at + 1); trial++) errors += Number(hasError(trial));
  }
  return { rows, unmeasured: rows - measured, errors, errorRate: errors / Math.max(1, measured) };
}

/** How many trials measured nothing, by their outcome, the most frequent first. */
export function unmeasuredIn(set: CaseSet): readonly Unmeasured[] {
  const { first, unmeasured } = trialsOf(set);
  const counts = new Map<string, number>();
  for (let trial = 0; trial < first(set.cases.length); trial++) {
    const outcome = unmeasured(trial);
    if (outcome !== undefined) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const found = [...counts].map(([outcome, count]) => ({ outcome, count }));
  return found.sort((one, other) => other.count - one.count || (one.outcome < other.outcome ? -1 : 1));
}

const UNSCORED = new WeakMap<CaseSet, ReadonlySet<string>>();

/** The metrics that rows of a set name, and that none gives a number: `metrics` has none of them. */
export function unscoredMetrics(set: CaseSet): ReadonlySet<string> {
  const known = UNSCORED.get(set);
  if (known) return known;
  const names = new Set<string>();
  const { first, unscoredIn } = trialsOf(set);
  for (let trial = 0; trial < first(set.cases.length); trial++) {
    for (const name of unscoredIn(trial)) if (!set.metrics.has(name)) names.add(name);
  }
  UNSCORED.set(set, names);
  return names;
}

function measuredIn({ first, unmeasured }: StoredColumns, cases: number): TrialList["measuredIn"] {
  let measured: Uint32Array | undefined;
  const count = () => {
    const counts = new Uint32Array(cases);
    for (let at = 0; at < cases; at++) {
      let found = 0;
      for (let trial = first(at); trial < first(at + 1); trial++) if (unmeasured(trial) === undefined) found++;
      counts[at] = found;
    }
    return counts;
  };
  return (place) => (measured ??= count())[place] ?? 0;
}

/** Times, costs and tokens are not scores. */
function scoredIn({ metrics }: CaseSet, trials: number, valuesOf: TrialList["valuesOf"]) {
  let scored: Uint8Array | undefined;
  const look = () => {
    const marks = new Uint8Array(trials);
    for (const [at, metric] of [...metrics.keys()].entries()) {
      if (MEASURES.has(metric)) continue;
      const values = valuesOf(at);
      for (let trial = 0; trial < trials; trial++) if (!Number.isNaN(values[trial])) marks[trial] = 1;
    }
    return marks;
  };
  return (trial: number) => (scored ??= look())[trial] === 1;
}

/** A set with other values of some metrics, by the place of the metric: one value for each trial. */
export function withValues(set: CaseSet, replaced: ReadonlyMap<number, Float64Array>): CaseSet {
  if (replaced.size === 0) return set;
  const columns = columnsOf(set);
  const names = [...set.metrics.keys()];
  const valuesOf = (metric: number) => replaced.get(metric) ?? columns.valuesOf(metric);
  const values = (trial: number) => Float64Array.from(names, (_, at) => valuesOf(at)?.[trial] ?? Number.NaN);
  return { ...set, cases: new StoredCases({ ...columns, valuesOf, values }) };
}
