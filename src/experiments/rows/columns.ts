import type { MappedScore } from "./mapping.ts";

/** The whole of a part of a row, or its value under a key. */
export interface PartRole {
  readonly part: "inputs" | "expected" | "outputs" | "metadata";
  readonly key: string | undefined;
}

/** What a column of a table, or a key of an object, is to a row. */
export type ColumnRole =
  | { readonly part: "id" | "error" | "start" | "end" | "cost" | "skipped" }
  | { readonly part: "latency"; readonly unitMilliseconds: number }
  /** Which repetition of its case the row is; `first` is the number of the first one. */
  | { readonly part: "repetition"; readonly first: 0 | 1 }
  /** Token counts: one of them, or an object of all. */
  | { readonly part: "usage"; readonly key: string | undefined }
  | PartRole
  | {
      readonly part: "score";
      readonly key: string;
      readonly kind?: MappedScore["kind"];
      /** How its cells are written, where all of them are written alike. */
      readonly form?: ScoreForm | undefined;
      /** Undefined for a score by its name, by a rule or by a mapping. */
      readonly grade?: ScoreGrade | undefined;
    }
  /** An object or a list of scores; `isMeasured` where other things that are measured may stand among them. */
  | { readonly part: "scores"; readonly isMeasured?: boolean };

/**
 * What shows that a column of another name holds scores: its values, as far as they were seen; nothing, so that it holds
 * numbers only; nor can later values, because it is the `key` of another column, or counts something by its name.
 */
export type ScoreGrade = "values" | "number" | "key";

/**
 * How scores are written: as numbers, as words such as yes and no, as `90 %`, with a decimal comma, or as the texts of
 * categories, which have no number.
 */
export type ScoreForm = "number" | "word" | "percent" | "comma" | "category";

/** What kind of value it is; a missing one is nothing. */
export type ValueKind =
  | "nothing"
  | "number"
  /** The text of a number, where numbers could stand as such. */
  | "digits"
  | "percent"
  /** A number with a decimal comma. */
  | "comma"
  /** The same, or one with a comma between the thousands. */
  | "unsure"
  /** A verdict, such as yes or failed. */
  | "word"
  | "text"
  | "object"
  | "list";

/** The values of a column, as far as they were seen; missing values do not count. */
export type ColumnKind =
  | Exclude<ValueKind, "unsure">
  | "mixed"
  /** Numbers such as `90 %` or `0,9` beside other numbers or texts. */
  | "notations";

/** A score in the objects or lists of a column. */
export interface InnerScore {
  readonly key: string;
  /** True where its values are texts. */
  readonly isText: boolean;
}

/**
 * Whether texts differ in most rows, as questions do; or stand in many rows, as categories do; or are one, such as the
 * name of a model. Short ones of a few rows may be `either` of the first two. `records` are no texts but lists of objects.
 */
export type TextVariety = "distinct" | "repeated" | "constant" | "either" | "records";

/** A column of a table, or a key of records, and what it was read as. */
export interface NotedColumn {
  /** The name, or the path of a mapping. */
  readonly name: string;
  readonly role: ColumnRole;
  /** What stands in it; undefined for a path of a mapping. */
  readonly kind?: ColumnKind | undefined;
  /** What could be scores in the objects or lists of the column. */
  readonly inner?: readonly InnerScore[] | undefined;
  /** How the texts in it differ; undefined where it holds none. */
  readonly texts?: TextVariety | undefined;
  /** By its name it could be this part of a row as well, for which another column was taken. */
  readonly passedOver?: { readonly part: ColumnRole["part"]; readonly taken: string } | undefined;
}

/** A column of which it may be unknown what it is: without a role where nothing shows one. */
export interface SeenColumn extends Omit<NotedColumn, "role"> {
  readonly role: ColumnRole | undefined;
}

/** A value in a column, as it is compared: as a text without blanks around it, in its own case. */
export interface ColumnValue {
  readonly column: string;
  readonly value: string;
}

/** How the columns of a file were read. */
export interface ColumnReading {
  readonly by: "mapping" | "names";
  readonly columns: readonly NotedColumn[];
  /** The columns that became no part of a row, e.g. those without a value. */
  readonly unread: readonly string[];
}

/** Collects how the columns of one file are read, which may be known bit by bit. */
export class ColumnNotes {
  readonly #by: ColumnReading["by"];
  readonly #columns: NotedColumn[] = [];
  readonly #unread = new Set<string>();

  constructor(by: ColumnReading["by"]) {
    this.#by = by;
  }

  /** Adds columns, some of which may have been unread before. */
  add(columns: readonly NotedColumn[], unread: readonly string[]): void {
    for (const name of unread) this.#unread.add(name);
    for (const column of columns) {
      this.#columns.push(column);
      this.#unread.delete(column.name);
    }
  }

  /** What is known so far; undefined for a file without columns. */
  get reading(): ColumnReading | undefined {
    if (this.#columns.length === 0 && this.#unread.size === 0) return undefined;
    return { by: this.#by, columns: [...this.#columns], unread: [...this.#unread] };
  }
}
