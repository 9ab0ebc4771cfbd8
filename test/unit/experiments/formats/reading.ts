import type { FormatContext, ResultFormat } from "../../../../src/experiments/format.ts";
import type { ResultPlace } from "../../../../src/experiments/json/errors.ts";
import { ResultFileError } from "../../../../src/experiments/json/errors.ts";
import type { Mapping } from "../../../../src/experiments/mapping.ts";
import type { ResultFile } from "../../../../src/experiments/result-file.ts";
import type { SourceRow, SourceRun } from "../../../../src/experiments/source-row.ts";

/** All that a format tells of a file. */
export interface Reading {
  readonly rows: readonly SourceRow[];
  readonly run: SourceRun;
  /** As `line: message`. */
  readonly faults: readonly string[];
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads a file to its end. */
export async function readAll(
  format: ResultFormat,
  file: ResultFile,
  { workspace = "/work", mapping }: { readonly workspace?: string; readonly mapping?: Mapping } = {},
): Promise<Reading> {
  const [rows, faults, notes, warnings]: [SourceRow[], string[], string[], string[]] = [[], [], [], []];
  let run: SourceRun = {};
  const context: FormatContext = {
    mapping,
    workspace,
    tell: (more) => {
      run = { ...run, ...more };
    },
    fault: ({ line }: ResultPlace, message) => {
      faults.push(`${line ?? "-"}: ${message}`);
    },
    note: (sentence) => {
      notes.push(sentence);
    },
    warn: (sentence) => {
      warnings.push(sentence);
    },
  };
  for await (const row of format.rows(file, context)) rows.push(row);
  return { rows, run, faults, notes, warnings };
}

/** The message with which a file is refused; anything but a ResultFileError is thrown on. */
export async function refusalOf(format: ResultFormat, file: ResultFile): Promise<string> {
  try {
    await readAll(format, file);
  } catch (error) {
    if (error instanceof ResultFileError) return error.message;
    throw error;
  }
  throw new Error("the file was read");
}
