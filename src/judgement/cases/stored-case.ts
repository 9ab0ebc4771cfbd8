import type { FilePlace } from "../../files/json/errors.ts";
import type { JsonObject } from "../../files/json/value.ts";
import type { IdTable } from "../../files/id-table.ts";
import type { Digests } from "./case-columns.ts";
import type { Case, Trial } from "./case-set.ts";

/** Texts of a case, and of a trial, where texts are kept. */
export type CaseText = "expected" | "inputs";
export type TrialText = "error" | "outputs";

/** Columns in which cases and trials stand, each by its number. */
export interface StoredColumns {
  readonly ids: IdTable;
  readonly digests: Digests;
  /** Digests of the cases that have more than one. */
  readonly moreDigests: ReadonlyMap<number, unknown>;
  readonly key: (at: number) => string;
  readonly name: (at: number) => string;
  readonly digest: (at: number) => string;
  readonly metadata: (at: number) => JsonObject | undefined;
  readonly caseText: (at: number, part: CaseText) => string | undefined;
  readonly trials: (at: number) => Uint32Array;
  readonly values: (trial: number) => Float64Array;
  readonly value: (trial: number, metric: number) => number;
  readonly hasError: (trial: number) => boolean;
  readonly place: (trial: number) => FilePlace | undefined;
  readonly trialText: (trial: number, part: TrialText) => string | undefined;
}

/** A case that stands in columns: as an object of its own it would take ten times as much. */
export class StoredCase implements Case {
  readonly #columns: StoredColumns;
  readonly #at: number;

  constructor(columns: StoredColumns, at: number) {
    this.#columns = columns;
    this.#at = at;
  }

  get key(): string {
    return this.#columns.key(this.#at);
  }

  get name(): string {
    return this.#columns.name(this.#at);
  }

  get digest(): string {
    return this.#columns.digest(this.#at);
  }

  get metadata(): JsonObject | undefined {
    return this.#columns.metadata(this.#at);
  }

  get trials(): readonly Trial[] {
    const trials: Trial[] = [];
    for (const trial of this.#columns.trials(this.#at)) trials.push(new StoredTrial(this.#columns, trial));
    return trials;
  }

  /** The values of one metric over the trials, without missing ones. */
  valuesOf(metric: number): readonly number[] {
    const values: number[] = [];
    for (const trial of this.#columns.trials(this.#at)) {
      const value = this.#columns.value(trial, metric);
      if (!Number.isNaN(value)) values.push(value);
    }
    return values;
  }

  get trialCount(): number {
    return this.#columns.trials(this.#at).length;
  }

  get errorCount(): number {
    let count = 0;
    for (const trial of this.#columns.trials(this.#at)) if (this.#columns.hasError(trial)) count += 1;
    return count;
  }

  /** The value of one metric where there is one trial; undefined with several. */
  onlyValue(metric: number): number | undefined {
    const trials = this.#columns.trials(this.#at);
    return trials.length === 1 ? this.#columns.value(trials[0] ?? 0, metric) : undefined;
  }

  /** Less than 0 when the key of this case sorts before that of the other. */
  compareKey(other: StoredCase): number {
    return this.#columns.ids.compare(this.#at, other.#at, other.#columns.ids);
  }

  hasDigestOf(other: StoredCase): boolean {
    const [ours, theirs] = [this.#columns, other.#columns];
    if (ours.moreDigests.has(this.#at) || theirs.moreDigests.has(other.#at)) return this.digest === other.digest;
    return ours.digests.isEqual(this.#at, theirs.digests, other.#at);
  }

  get inputs(): string | undefined {
    return this.#columns.caseText(this.#at, "inputs");
  }

  get expected(): string | undefined {
    return this.#columns.caseText(this.#at, "expected");
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

  get place(): FilePlace | undefined {
    return this.#columns.place(this.#trial);
  }

  get outputs(): string | undefined {
    return this.#columns.trialText(this.#trial, "outputs");
  }

  get error(): string | undefined {
    return this.#columns.trialText(this.#trial, "error");
  }
}

// A look at a trial or a key makes objects, which a walk over 100,000 cases for each metric would feel.

/** The values of the metric at this place of a set over the trials of a case, without missing ones. */
export function trialValues(one: Case, metric: number): readonly number[] {
  if (one instanceof StoredCase) return one.valuesOf(metric);
  return one.trials.map(({ values }) => values[metric] ?? Number.NaN).filter((value) => !Number.isNaN(value));
}

/** The value of the metric where the case has one trial, NaN if it is missing; undefined with several. */
export function onlyValue(one: Case, metric: number): number | undefined {
  if (one instanceof StoredCase) return one.onlyValue(metric);
  return one.trials.length === 1 ? (one.trials[0]?.values[metric] ?? Number.NaN) : undefined;
}

export function trialCount(one: Case): number {
  return one instanceof StoredCase ? one.trialCount : one.trials.length;
}

/** How many trials of a case have an error. */
export function errorCount(one: Case): number {
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
