import type { ColumnRole, ValueKind } from "../../rows/columns.ts";
import { isMissing, type JsonValue } from "../../../files/json/value.ts";
import type { FormatContext } from "../shared/format.ts";
import type { ReadValue } from "./column-reader.ts";
import { ColumnRoles, type DecidedColumns } from "./column-roles.ts";
import { kindOfJson, type ColumnSample } from "./column-sample.ts";

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
