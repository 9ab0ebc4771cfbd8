import type { NotedColumn } from "../../rows/columns.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import type { Mapping } from "../../rows/mapping.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import type { VerbatimRow } from "../../rows/verbatim-row.ts";

/** A row as its tool tells it, or one that needs no reading. */
export type FoundRow = SourceRow | VerbatimRow;

/** What a format tells besides the rows, and what it may go by. */
export interface FormatContext {
  /** How columns and fields are to be read; undefined where they are read by their names. */
  readonly mapping: Mapping | undefined;
  /** Absolute path of the workspace: absolute paths in files become relative to it. */
  readonly workspace: string;
  /** True when rows may come as `VerbatimRow`, which is faster, and nothing will be changed in them. */
  readonly takesVerbatim: boolean;
  /** Tells what the file says about the run, at any time; later fields win. */
  readonly tell: (run: SourceRun) => void;
  /** Tells a fault of one row; the reading goes on, so that all faults stand in one report. */
  readonly fault: (place: FilePlace, message: string) => void;
  /** True once a fault of the file was told: what only follows from it is not told as well. */
  readonly isFaulty: () => boolean;
  /** Reports what columns were read as, and which were not read; a column that begins later is reported then. */
  readonly columns: (read: readonly NotedColumn[], unread: readonly string[]) => void;
  /** Tells what a user should check: one sentence. */
  readonly warn: (sentence: string) => void;
}

/** A kind of result file. */
export interface ResultFormat {
  /** The name, as the input `format` takes it. */
  readonly name: string;
  /** True when the content is of this format and could hardly be of another; a mapping may name what its rows hold. */
  readonly detect: (file: ResultFile, mapping?: Mapping) => boolean;
  /** True for a format of rows of any tool: a file is one of these only where it is of no tool's own form. */
  readonly isGeneric?: boolean;
  /** True for a format whose rows a mapping can describe. */
  readonly takesMapping?: boolean;
  /** Tells the run without the rows, where row ids follow from a dataset that only the file names. */
  readonly run?: ((file: ResultFile, tell: FormatContext["tell"]) => void) | undefined;
  /** The rows, in the order of the file. Throws DataFileError for a file that cannot be read to its end. */
  readonly rows: (file: ResultFile, context: FormatContext) => AsyncIterable<FoundRow> | Iterable<FoundRow>;
}
