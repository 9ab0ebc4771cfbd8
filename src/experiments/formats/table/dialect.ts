import type { ColumnRole, ValueKind } from "../../rows/columns.ts";
import { isMissing, type JsonValue } from "../../../files/json/value.ts";
import type { FormatContext } from "../shared/format.ts";
import { ColumnRoles, type DecidedColumns } from "./column-roles.ts";
import { type ColumnSample, kindOfJson } from "./column-sample.ts";
import { arePointed, withoutPoint } from "./ids.ts";
import { scoreReader, verdictOf } from "./score-cell.ts";

/** What differs between kinds of tables. */
export interface TableDialect {
  /** Decides what columns are, given what stands in the first records. */
  readonly decide: (samples: readonly ColumnSample[]) => DecidedColumns;
  readonly kindOf: (value: JsonValue) => ValueKind;
  /** True where every value is a text, so that some of them may be literals of lists and objects. */
  readonly isOfTexts?: boolean;
  /** True where no comma separates the values of a record, so that one may be the decimal mark of the whole table. */
  readonly mayHaveCommas?: boolean;
  /** Reads values other than numbers. */
  readonly readerOf: (role: ColumnRole) => ReadValue;
}

/** What a table is read with. */
export interface TableOptions {
  /** The name of the file. */
  readonly file: string;
  readonly dialect: TableDialect;
  readonly context: FormatContext;
}

/** Decides by the names of the columns and by their values. */
export const decideByNames: TableDialect["decide"] = (samples) => new ColumnRoles(samples);

/** How the values of JSON are read. */
export const jsonDialect: TableDialect = {
  decide: decideByNames,
  kindOf: kindOfJson,
  // As Python writes what is missing, null and NaN are nothing.
  readerOf: () => (value) => (isMissing(value) ? undefined : value),
};

/** Reads what stands in a column; undefined is nothing. */
export type ReadValue = (value: JsonValue) => JsonValue | undefined;

/** How a column with the values of `sample` is read; `other` reads what is neither a number nor an error. */
export function columnReader(role: ColumnRole, sample: ColumnSample, other: ReadValue): ReadValue {
  switch (role.part) {
    case "score": {
      const read = scoreReader(role.form ?? "number", sample.pair, sample.areGrouped);
      // An empty cell may stand in each row that has no such score; null, NaN and N/A say that one is missing.
      return (value) => (typeof value === "string" && value.trim() === "" ? undefined : read(value));
    }
    case "id":
      if (!arePointed(sample)) return other;
      return (value) => {
        const read = other(value);
        return read === undefined ? undefined : withoutPoint(read);
      };
    case "latency":
    case "cost":
    case "repetition":
      return scoreReader(sample.form ?? "number", sample.pair, sample.areGrouped);
    case "usage":
      return sample.kind === "object" ? other : scoreReader(sample.form ?? "number", sample.pair, sample.areGrouped);
    case "inputs":
    case "expected":
    case "outputs":
      // In CSV an empty cell is a text among texts; in one of several columns of a part, without a text, it is nothing.
      if (role.key === undefined || ["text", "word", "mixed", "notations"].includes(sample.kind)) return other;
      return (value) => (value === "" ? undefined : other(value));
    case "error":
      // The code of each error, of which 0 is none; or of each row whether there was one.
      if (sample.least === undefined && !sample.isBoolean && sample.pair !== "agreement") return other;
      return (value) => {
        const read = other(value);
        if (sample.least !== undefined) return read === 0 || read === "0" ? undefined : read;
        return typeof read === "string" ? (verdictOf(read) ?? read) : read;
      };
    default:
      return other;
  }
}
