import { columnsText } from "../../../front/account/results-words.ts";
import { ColumnNotes } from "../../../src/experiments/rows/columns.ts";
import { Ledger } from "../../../src/experiments/formats/shared/ledger.ts";
import type { FormatContext, ResultFormat } from "../../../src/experiments/formats/shared/format.ts";
import { type FilePlace, DataFileError } from "../../../src/files/json/errors.ts";
import { parseMapping, type Mapping } from "../../../src/experiments/rows/mapping.ts";
import type { ResultFile } from "../../../src/experiments/rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../../src/experiments/rows/source-row.ts";

/** All that a format reads from a file. */
export interface Reading {
  readonly rows: readonly SourceRow[];
  readonly run: SourceRun;
  /** As `2: message` for a line, and `row 2: message`. */
  readonly faults: readonly string[];
  /** What the columns were read as, as the log writes it. */
  readonly columns: string;
  readonly warnings: readonly string[];
  /** The scores that only numbers stand for. */
  readonly numbersOnly: readonly string[];
  readonly ledger: Ledger;
}

/** The mapping that a text holds; the test fails where it holds none. */
export async function mappingOf(text: string): Promise<Mapping> {
  const reading = await parseMapping(text);
  if (!reading.ok) throw new Error(reading.faults.join("\n"));
  return reading.mapping;
}

/** A context for what no file is read with: it has no mapping, and what it is told goes nowhere but into its ledger. */
export function silentContext(): FormatContext {
  const nothing = () => undefined;
  return {
    ...{ mapping: undefined, workspace: "/work", takesVerbatim: false, ledger: new Ledger(), isFaulty: () => false },
    ...{ describeRun: nothing, fault: nothing, columns: nothing, numbersOnly: nothing, warn: nothing },
  };
}

/** Reads a file to its end. */
export async function readAll(
  format: ResultFormat,
  file: ResultFile,
  { workspace = "/work", mapping }: { readonly workspace?: string; readonly mapping?: Mapping } = {},
): Promise<Reading> {
  const [rows, faults, warnings, numbersOnly]: [SourceRow[], string[], string[], string[]] = [[], [], [], []];
  const notes = new ColumnNotes(mapping === undefined ? "names" : "mapping");
  const ledger = new Ledger();
  let run: SourceRun = format.tool === undefined ? {} : { tool: format.tool };
  const context: FormatContext = {
    mapping,
    workspace,
    takesVerbatim: false,
    describeRun: (more) => {
      // No scores are as good as none that are stated.
      const isStated = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
      run = { ...run, ...Object.fromEntries(Object.entries(more).filter(([, value]) => isStated(value))) };
    },
    fault: ({ line, row }: FilePlace, message) => {
      faults.push(`${line ?? (row === undefined ? "-" : `row ${row}`)}: ${message}`);
    },
    isFaulty: () => faults.length > 0,
    numbersOnly: (keys) => {
      numbersOnly.push(...keys);
    },
    columns: (read, unread) => {
      notes.add(read, unread);
    },
    ledger,
    warn: (sentence) => {
      warnings.push(sentence);
    },
  };
  for await (const row of format.rows(file, context)) {
    if ("bytes" in row) throw new Error("a row came as it stands in the file, and nobody asked for that");
    rows.push(row);
  }
  const columns = notes.reading === undefined ? "" : columnsText(notes.reading);
  return { rows, run, faults, columns, warnings, numbersOnly, ledger };
}

/** The message with which a file is refused; anything but a DataFileError is thrown on. */
export async function refusalOf(format: ResultFormat, file: ResultFile, mapping?: Mapping): Promise<string> {
  try {
    await readAll(format, file, mapping === undefined ? {} : { mapping });
  } catch (error) {
    if (error instanceof DataFileError) return error.message;
    throw error;
  }
  throw new Error("the file was read");
}
