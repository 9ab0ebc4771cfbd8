import type { FilePlace } from "../../files/json/errors.ts";
import type { JsonObject } from "../../files/json/value.ts";
import type { IdTable } from "../../files/id-table.ts";
import type { Digests } from "./case-columns.ts";
import { MEASURES, type Case, type CaseList, type CaseSet, type Trial, type Unmeasured } from "./case-set.ts";

/**
 * Columns in which cases and trials stand. Cases are named by their place in the order of their keys, and trials by theirs:
 * those of a case follow one another, in the order of the cases.
 */
export interface StoredColumns {
  readonly ids: IdTable;
  readonly digests: Digests;
  /** Digests of the cases that have more than one. */
  readonly moreDigests: ReadonlyMap<number, unknown>;
  readonly count: number;
  /** The number of a case in `ids`, `digests` and `moreDigests`. */
  readonly numberOf: (place: number) => number;
  readonly key: (place: number) => string;
  readonly name: (place: number) => string;
  readonly digest: (place: number) => string;
  readonly metadata: (place: number) => JsonObject | undefined;
  /** Where texts are kept. */
  readonly caseText: (place: number, part: "expected" | "inputs") => string | undefined;
  /** The first trial of a case; that of the place behind the last case is how many trials there are. */
  readonly first: (place: number) => number;
  /** By metric, in the order of the set: a value for each trial, NaN where one is missing. Not to be written to. */
  readonly values: ReadonlyMap<string, Float64Array>;
  readonly hasError: (trial: number) => boolean;
  /** NaN where it is not known. */
  readonly start: (trial: number) => number;
  readonly unscored: (trial: number) => readonly string[] | undefined;
  readonly unmeasured: (trial: number) => string | undefined;
  readonly placeOf: (trial: number) => FilePlace | undefined;
  readonly trialText: (trial: number, part: "error" | "outputs") => string | undefined;
}

/** A case that stands in columns: as an object of its own it would take ten times as much. */
class StoredCase implements Case {
  readonly #columns: StoredColumns;
  readonly #place: number;

  constructor(columns: StoredColumns, place: number) {
    this.#columns = columns;
    this.#place = place;
  }

  get key(): string {
    return this.#columns.key(this.#place);
  }

  get name(): string {
    return this.#columns.name(this.#place);
  }

  get digest(): string {
    return this.#columns.digest(this.#place);
  }

  get metadata(): JsonObject | undefined {
    return this.#columns.metadata(this.#place);
  }

  get trials(): readonly Trial[] {
    const begin = this.#columns.first(this.#place);
    const length = this.#columns.first(this.#place + 1) - begin;
    return Array.from({ length }, (_, at) => trialAt(this.#columns, begin + at));
  }

  get inputs(): string | undefined {
    return this.#columns.caseText(this.#place, "inputs");
  }

  get expected(): string | undefined {
    return this.#columns.caseText(this.#place, "expected");
  }
}

export class StoredCases implements CaseList {
  readonly length: number;
  /** What the cases stand in. Not to be written to. */
  readonly columns: StoredColumns;

  constructor(columns: StoredColumns) {
    this.columns = columns;
    this.length = columns.count;
  }

  at(place: number): StoredCase | undefined {
    return place >= 0 && place < this.length ? new StoredCase(this.columns, place) : undefined;
  }

  *[Symbol.iterator](): Generator<StoredCase, void> {
    for (let place = 0; place < this.length; place++) yield new StoredCase(this.columns, place);
  }
}

/** What the cases of a set stand in. `storedSet` makes columns of an array of cases. */
export function columnsOf({ cases }: Pick<CaseSet, "cases">): StoredColumns {
  if (!(cases instanceof StoredCases)) throw new TypeError("the cases stand in no columns");
  return cases.columns;
}

function trialAt(columns: StoredColumns, trial: number): Trial {
  const start = columns.start(trial);
  return {
    values: Float64Array.from(columns.values.values(), (each) => each[trial] ?? Number.NaN),
    hasError: columns.hasError(trial),
    start: Number.isNaN(start) ? undefined : start,
    unscored: columns.unscored(trial),
    unmeasured: columns.unmeasured(trial),
    place: columns.placeOf(trial),
    outputs: columns.trialText(trial, "outputs"),
    error: columns.trialText(trial, "error"),
  };
}

/** The values of a trial that are not missing, each with its metric. */
export function knownValues(
  { values }: Pick<Trial, "values">,
  metrics: readonly string[],
): readonly (readonly [metric: string, value: number])[] {
  return metrics.flatMap((metric, at) => {
    const value = values[at] ?? Number.NaN;
    return Number.isNaN(value) ? [] : [[metric, value] as const];
  });
}

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
