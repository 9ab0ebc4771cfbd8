import { isJsonList } from "../../files/json-object.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import type { JsonObject } from "../../files/json/value.ts";
import type { IdTable } from "../../files/id-table.ts";
import type { Digests } from "./case-columns.ts";
import type { Case, CaseList, Trial } from "./case-set.ts";

/** Texts of a case, and of a trial, where texts are kept. */
export type CaseText = "expected" | "inputs";
export type TrialText = "error" | "outputs";

/**
 * Columns in which cases and trials stand. Cases are named by their place in the order of their keys, and trials by theirs:
 * those of a case follow one another, in the order of the cases.
 */
export interface StoredColumns {
  readonly ids: IdTable;
  readonly digests: Digests;
  /** Digests of the cases that have more than one. */
  readonly moreDigests: ReadonlyMap<number, unknown>;
  /** How many cases there are. */
  readonly count: number;
  /** The number of a case in `ids`, `digests` and `moreDigests`. */
  readonly numberOf: (place: number) => number;
  readonly key: (place: number) => string;
  readonly name: (place: number) => string;
  readonly digest: (place: number) => string;
  readonly metadata: (place: number) => JsonObject | undefined;
  readonly caseText: (place: number, part: CaseText) => string | undefined;
  /** The first trial of a case; that of the place behind the last case is how many trials there are. */
  readonly firstTrial: (place: number) => number;
  readonly valuesOf: (metric: number) => Float64Array | undefined;
  readonly values: (trial: number) => Float64Array;
  readonly hasError: (trial: number) => boolean;
  /** NaN where it is not known. */
  readonly start: (trial: number) => number;
  /** A JSON list of names; undefined where it is not known. */
  readonly unscored: (trial: number) => string | undefined;
  readonly placeOf: (trial: number) => FilePlace | undefined;
  readonly trialText: (trial: number, part: TrialText) => string | undefined;
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
    return Array.from({ length: this.trialCount }, (_, at) => new StoredTrial(this.#columns, this.#first + at));
  }

  /** The values of one metric over the trials, without missing ones. */
  valuesOf(metric: number): readonly number[] {
    const values = this.#columns.valuesOf(metric)?.subarray(this.#first, this.#end) ?? [];
    return [...values].filter((value) => !Number.isNaN(value));
  }

  get starts(): readonly number[] {
    return Array.from({ length: this.trialCount }, (_, at) => this.#columns.start(this.#first + at));
  }

  get trialCount(): number {
    return this.#end - this.#first;
  }

  get errorCount(): number {
    let count = 0;
    for (let trial = this.#first; trial < this.#end; trial++) if (this.#columns.hasError(trial)) count += 1;
    return count;
  }

  get #first(): number {
    return this.#columns.firstTrial(this.#place);
  }

  get #end(): number {
    return this.#columns.firstTrial(this.#place + 1);
  }

  /** Less than 0 when the key of this case sorts before that of the other. */
  compareKey(other: StoredCase): number {
    const [ours, theirs] = [this.#columns, other.#columns];
    return ours.ids.compare(ours.numberOf(this.#place), theirs.numberOf(other.#place), theirs.ids);
  }

  hasDigestOf(other: StoredCase): boolean {
    const [ours, theirs] = [this.#columns, other.#columns];
    const [one, two] = [ours.numberOf(this.#place), theirs.numberOf(other.#place)];
    if (ours.moreDigests.has(one) || theirs.moreDigests.has(two)) return this.digest === other.digest;
    return ours.digests.isEqual(one, theirs.digests, two);
  }

  get inputs(): string | undefined {
    return this.#columns.caseText(this.#place, "inputs");
  }

  get expected(): string | undefined {
    return this.#columns.caseText(this.#place, "expected");
  }
}

/** All cases that stand in columns. */
export class StoredCases implements CaseList {
  readonly length: number;
  /** What the cases stand in. Not to be written to. */
  readonly columns: StoredColumns;

  constructor(columns: StoredColumns) {
    this.columns = columns;
    this.length = columns.count;
  }

  at(place: number): StoredCase | undefined {
    return place < this.length ? new StoredCase(this.columns, place) : undefined;
  }

  *[Symbol.iterator](): Generator<StoredCase, void> {
    for (let place = 0; place < this.length; place++) yield new StoredCase(this.columns, place);
  }

  /** True where each case has one trial. */
  get areSingle(): boolean {
    return this.columns.firstTrial(this.length) === this.length;
  }

  /** The values of one metric where each case has one trial. Not to be written to. */
  onlyValues(metric: number): Float64Array | undefined {
    return this.areSingle ? this.columns.valuesOf(metric) : undefined;
  }
}

class StoredTrial implements Trial {
  readonly #columns: StoredColumns;
  readonly #trial: number;

  constructor(columns: StoredColumns, trial: number) {
    this.#columns = columns;
    this.#trial = trial;
  }

  get values(): Float64Array {
    return this.#columns.values(this.#trial);
  }

  get hasError(): boolean {
    return this.#columns.hasError(this.#trial);
  }

  get start(): number | undefined {
    const start = this.#columns.start(this.#trial);
    return Number.isNaN(start) ? undefined : start;
  }

  get unscored(): readonly string[] | undefined {
    const names = this.#columns.unscored(this.#trial);
    return names === undefined ? undefined : namesIn(names);
  }

  get place(): FilePlace | undefined {
    return this.#columns.placeOf(this.#trial);
  }

  get outputs(): string | undefined {
    return this.#columns.trialText(this.#trial, "outputs");
  }

  get error(): string | undefined {
    return this.#columns.trialText(this.#trial, "error");
  }
}

const NO_NAMES: readonly string[] = [];

/** The names of a list as a table holds it. */
export function namesIn(text: string): readonly string[] {
  // Most rows name none.
  if (text === "[]") return NO_NAMES;
  const names: unknown = JSON.parse(text);
  return isJsonList(names) ? names.flatMap((name) => (typeof name === "string" ? name : [])) : NO_NAMES;
}

// A look at a trial or a key makes objects, which a walk over 100,000 cases for each metric would feel.

/** The values of the metric at this place of a set over the trials of a case, without missing ones. */
export function trialValues(one: Case, metric: number): readonly number[] {
  if (one instanceof StoredCase) return one.valuesOf(metric);
  return one.trials.map(({ values }) => values[metric] ?? Number.NaN).filter((value) => !Number.isNaN(value));
}

/** The values of the metric where each case has one trial, NaN if one is missing; undefined where that is not known. */
export function onlyValues(cases: CaseList, metric: number): Float64Array | undefined {
  return cases instanceof StoredCases ? cases.onlyValues(metric) : undefined;
}

export function trialCount(one: Case): number {
  return one instanceof StoredCase ? one.trialCount : one.trials.length;
}

/** How many trials the cases of a set usually have: the most common number, of two the larger; 0 without a case. */
export function usualTrials(cases: CaseList): number {
  if (cases instanceof StoredCases && cases.areSingle) return Math.min(1, cases.length);
  const counts = new Map<number, number>();
  for (const one of cases) counts.set(trialCount(one), (counts.get(trialCount(one)) ?? 0) + 1);
  const [[usual] = [0]] = [...counts].sort(([a, often], [b, other]) => other - often || b - a);
  return usual;
}

/** When the trials of a case began, in their order; NaN where that is not known. */
export function trialStarts(one: Case): readonly number[] {
  return one instanceof StoredCase ? one.starts : one.trials.map(({ start = Number.NaN }) => start);
}

/** How many trials some cases have together. */
export function trialsIn(cases: Iterable<Case>): number {
  if (cases instanceof StoredCases) return cases.columns.firstTrial(cases.length);
  let count = 0;
  for (const one of cases) count += trialCount(one);
  return count;
}

/** How many trials of some cases have an error. */
export function errorsIn(cases: Iterable<Case>): number {
  let count = 0;
  if (cases instanceof StoredCases) {
    const trials = trialsIn(cases);
    for (let trial = 0; trial < trials; trial++) if (cases.columns.hasError(trial)) count += 1;
  } else for (const one of cases) count += errorCount(one);
  return count;
}

/** How many trials of a case have an error. */
function errorCount(one: Case): number {
  return one instanceof StoredCase ? one.errorCount : one.trials.filter(({ hasError }) => hasError).length;
}

/** Less than 0 when the key of the one case sorts before that of the other. */
export function compareKeys(one: Case, other: Case): number {
  if (one instanceof StoredCase && other instanceof StoredCase) return one.compareKey(other);
  return one.key < other.key ? -1 : Number(one.key > other.key);
}

export function haveSameDigest(one: Case, other: Case): boolean {
  if (one instanceof StoredCase && other instanceof StoredCase) return one.hasDigestOf(other);
  return one.digest === other.digest;
}
