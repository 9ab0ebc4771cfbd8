/** What stands in a cell; null is nothing. */
export type Cell = boolean | number | string | null;

/** What a column is in truth: who made the table knows it. */
export type TrueRole =
  | "id"
  | "inputs"
  | "expected"
  | "outputs"
  /** A score without any doubt. */
  | "score"
  /** Numbers or words that are no scores, or of which nobody can know. */
  | "number"
  | "axis"
  | "repetition"
  | "latency"
  | "start"
  | "other";

/** A column of a made table. */
export interface MadeColumn {
  readonly name: string;
  readonly role: TrueRole;
  /** The name of the score, without what stands around it. */
  readonly key: string;
  /** What stands in the file, for each row. */
  readonly cells: readonly Cell[];
  /** What it means: the number of a score, the milliseconds of a latency or a start; undefined where it is missing. */
  readonly truth: readonly (number | undefined)[];
  /** True for a name that nobody can know. */
  readonly isForeign?: boolean | undefined;
  /** Why the table must be refused for this column alone. */
  readonly refused?: string | undefined;
}

/** The ways to put many numbers into one. */
export const STATISTICS = ["mean", "median", "sum", "deviation"] as const;

/** A record with numbers of the whole, above or below the rows. */
export interface MadeSummary {
  readonly isTop: boolean;
  readonly statistic: (typeof STATISTICS)[number];
  readonly digits: number;
  /** A word and the column in which it stands. */
  readonly label: { readonly column: string; readonly word: string } | undefined;
  /** False where its numbers are those of no column. */
  readonly isTrue: boolean;
}

/** How the table is written. */
export interface TableForm {
  readonly kind: "csv" | "jsonl" | "list" | "results" | "columns" | "split";
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly isCrlf: boolean;
  /** Lines before the header. */
  readonly preamble: readonly string[];
  readonly hasMark: boolean;
}

/** A table of which the truth is known. */
export interface MadeTable {
  readonly seed: number;
  /** For each row the number of its case. */
  readonly cases: readonly number[];
  readonly columns: readonly MadeColumn[];
  readonly summaries: readonly MadeSummary[];
  readonly form: TableForm;
}

/** A choice that follows from the seed. */
export interface Chance {
  readonly below: (limit: number) => number;
  readonly is: (share: number) => boolean;
  readonly of: <Value>(values: readonly [Value, ...Value[]]) => Value;
  readonly fraction: () => number;
}
