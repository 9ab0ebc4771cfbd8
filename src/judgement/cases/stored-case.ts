import type { FilePlace } from "../../files/json/errors.ts";
import type { JsonObject } from "../../files/json/value.ts";
import type { Case, Trial } from "./case-set.ts";

/** Texts of a case, and of a trial, where texts are kept. */
export type CaseText = "expected" | "inputs";
export type TrialText = "error" | "outputs";

/** Columns in which cases and trials stand, each by its number. */
export interface StoredColumns {
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
  #key: string | undefined;

  constructor(columns: StoredColumns, at: number) {
    this.#columns = columns;
    this.#at = at;
  }

  get key(): string {
    // Those who look cases up keep their keys anyway.
    this.#key ??= this.#columns.key(this.#at);
    return this.#key;
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

/** The values of the metric at this place of a set over the trials of a case, without missing ones. */
export function trialValues(one: Case, metric: number): readonly number[] {
  // A look at a trial makes objects, which a walk over 100,000 cases for each metric would feel.
  if (one instanceof StoredCase) return one.valuesOf(metric);
  return one.trials.map(({ values }) => values[metric] ?? Number.NaN).filter((value) => !Number.isNaN(value));
}
