import type { NotedColumn } from "../../rows/columns.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import type { Ledger } from "./ledger.ts";
import type { Mapping } from "../../rows/mapping.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import type { VerbatimRow } from "../../rows/verbatim-row.ts";

/** A row to be read, or one that is sent as it stands. */
export type FoundRow = SourceRow | VerbatimRow;

/** What a format knows before it reads a file, and where it reports what it finds besides rows. */
export interface FormatContext {
  /** How columns and fields are to be read; undefined where they are read by their names. */
  readonly mapping: Mapping | undefined;
  /** Absolute path of the workspace: absolute paths in files become relative to it. */
  readonly workspace: string;
  /** True when rows may come as `VerbatimRow`, which is faster, and nothing will be changed in them. */
  readonly takesVerbatim: boolean;
  /** When the file is read; undefined where that says nothing about its rows. */
  readonly now?: Date;
  /** Takes what the file says about the run, at any time; later fields win. */
  readonly describeRun: (run: SourceRun) => void;
  /**
   * Reports an error of one row; the reading continues, so that one report has all errors. `isUnclear` where the row can be
   * read, and only what it is is not shown.
   */
  readonly fault: (place: FilePlace, message: string, options?: { readonly isUnclear: boolean }) => void;
  /** True once an error of the file was reported: errors that only follow from it are not. */
  readonly isFaulty: () => boolean;
  /** Reports what columns were read as, and which were not read; a column that begins later is reported then. */
  readonly columns: (read: readonly NotedColumn[], unread: readonly string[]) => void;
  /** Names the scores of the file that only numbers stand for: neither their names nor their values show that they are such. */
  readonly numbersOnly: (keys: readonly string[]) => void;
  /** Takes what becomes of the keys of records. */
  readonly ledger: Ledger;
  /** Warns of what a user should check: one sentence. */
  readonly warn: (sentence: string) => void;
}

/** What the reading of records works with, whatever they are of. */
export type RecordContext = Pick<FormatContext, "fault" | "mapping" | "warn">;

/** A kind of result file. */
export interface ResultFormat {
  /** The tool that writes it; undefined where many do, or where the file says which. */
  readonly tool?: string;
  /** True when the content is of this format and could hardly be of another; a mapping may name what its rows hold. */
  readonly detect: (file: ResultFile, mapping?: Mapping) => boolean;
  /** True for a format of rows of any tool: a file is one of these only where it is of no tool's own form. */
  readonly isGeneric?: boolean;
  /** True for a format whose rows a mapping can describe. */
  readonly takesMapping?: boolean;
  /** Describes the run without reading the rows, where row ids depend on a dataset that only the file names; may throw DataFileError. */
  readonly run?: (file: ResultFile, describeRun: FormatContext["describeRun"]) => void;
  /** The rows, in the order of the file. Throws DataFileError for a file that cannot be read to its end. */
  readonly rows: (file: ResultFile, context: FormatContext) => AsyncIterable<FoundRow> | Iterable<FoundRow>;
}
