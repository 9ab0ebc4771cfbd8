import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../http/clock.ts";
import { quotedName } from "../../text/quoted.ts";
import { DataFileError } from "../../files/json/errors.ts";
import type { Emit, ReadFile } from "../events.ts";
import type { FormatContext, FoundRow } from "../formats/shared/format.ts";
import { Ledger } from "../formats/shared/ledger.ts";
import type { ResultsRequest } from "../request.ts";
import { ColumnNotes } from "../rows/columns.ts";
import { mapsColumns } from "../rows/mapped-paths.ts";
import type { ResultFile } from "../rows/result-file.ts";
import {
  holdTexts,
  misspeltColumns,
  overlookedColumns,
  overlookedOutput,
  scoresMapping,
  unreadScores,
} from "./overlooked-columns.ts";
import type { NamedFormat } from "./formats.ts";
import type { ResultFaults } from "./result-faults.ts";
import type { RowParts } from "./row-parts.ts";
import type { RunFacts } from "./run-facts.ts";

/** What the reading works with. */
export interface ReadingDeps {
  /** An existing directory for the rows while they are read; undefined keeps them in memory. */
  readonly spoolDirectory: string | undefined;
  /** The time; `systemClock` outside of tests. */
  readonly clock: Clock;
  /** Cancels the reading and the upload. */
  readonly signal: AbortSignal;
  /** Called with each event, in order. */
  readonly emit: Emit;
}

const ROWS_PER_TURN = 256;
const OUTPUT_ADVICE =
  "Rename it to `output`, or name the columns in a mapping; one without `outputs` says that there are none.";

/** What the files of an evaluation are read into. */
export interface Reading {
  readonly deps: ReadingDeps;
  readonly run: RunFacts;
  readonly rows: RowParts;
  readonly faults: ResultFaults;
  /** The files in which a row has an output: to be filled. */
  readonly outputs: Set<string>;
  /** To be filled. */
  readonly shownScores: Set<string>;
}

interface FileReading extends Reading {
  readonly request: Pick<ResultsRequest, "mapping" | "workspace"> & { readonly takesVerbatim: boolean };
}

/** Reads a file to its end, and says what was read of it. */
export async function readFile(file: ResultFile, format: NamedFormat, reading: FileReading): Promise<ReadFile> {
  const { faults, deps, run } = reading;
  const { mapping, workspace, takesVerbatim } = reading.request;
  const notes = new ColumnNotes(mapsColumns(mapping) ? "mapping" : "names");
  const ledger = new Ledger();
  const before = faults.count;
  const { name, size } = file;
  const numbersOnly = new Set<string>();
  if (format.tool !== undefined) run.add(name, { tool: format.tool });
  const context: FormatContext = {
    mapping,
    workspace,
    takesVerbatim,
    now: deps.clock.date(),
    describeRun: (stated) => {
      run.add(name, stated);
    },
    fault: (place, message, options) => {
      faults.add(place, message, options);
    },
    isFaulty: () => faults.count > before,
    numbersOnly: (keys) => {
      for (const key of keys) numbersOnly.add(key);
    },
    columns: (columns, unread) => {
      notes.add(columns, unread);
    },
    ledger,
    warn: (message) => {
      deps.emit({ type: "warning", message });
    },
  };
  const rows = await readRows(name, () => format.rows(file, context), reading, numbersOnly);
  const columns = notes.reading;
  const isRead = columns !== undefined && rows > 0 && faults.count === before && format.takesMapping === true;
  const rowsPath = mapping?.rows;
  const lost = isRead && !reading.outputs.has(name) ? overlookedOutput(columns, rowsPath) : undefined;
  if (lost) {
    const message = `no row has an output, but the column ${quotedName(lost.name)} looks like one`;
    faults.add({ file: name }, message, { advice: OUTPUT_ADVICE, isUnclear: true });
    faults.propose(lost.mapping);
  }
  const read = { name, format: format.name, rows, size, digest: file.digest(), columns, unread: ledger.unread };
  const ofColumns = columns ? [overlookedColumns(name, columns), misspeltColumns(name, columns)] : [];
  const warnings = [...ofColumns, unreadScores(name, ledger.scores)];
  if (columns && faults.count > before && holdTexts(columns)) faults.propose(scoresMapping(columns, rowsPath));
  for (const message of warnings) if (message !== undefined) context.warn(message);
  // For a file that could not be read at all, the error says everything.
  const isRefused = faults.count > before && rows === 0 && !columns;
  if (!isRefused) deps.emit({ type: "file-read", file: read });
  return read;
}

/** Reads rows to their end, or to the first error that ends the reading; returns how many were seen. Undefined is a wrong one. */
export async function readRows(
  name: string,
  begun: () => AsyncIterable<FoundRow | undefined> | Iterable<FoundRow | undefined>,
  { deps, rows, faults, outputs, shownScores }: Reading,
  numbersOnly: ReadonlySet<string> = new Set(),
): Promise<number> {
  const { clock, emit, signal } = deps;
  const begin = clock.now();
  let [seen, count] = [0, 0];
  let hasOutput = false;
  const keys = new Set<string>();
  const take = (row: FoundRow | undefined) => {
    seen += 1;
    if (!row) return;
    rows.add(row);
    for (const { key } of row.scores) keys.add(key);
    if (!hasOutput && "outputs" in row && row.outputs != null) {
      hasOutput = true;
      outputs.add(name);
    }
    count += 1;
  };
  // A signal arrives between two turns of the event loop only, and so does the progress.
  const turn = async () => {
    signal.throwIfAborted();
    if (seen % ROWS_PER_TURN !== 0) return;
    emit({ type: "reading", file: name, rows: count, milliseconds: clock.now() - begin });
    await nextTurn();
  };
  rows.beginFile(name);
  try {
    const source = begun();
    if (Symbol.asyncIterator in source) {
      for await (const row of source) {
        take(row);
        await turn();
      }
      return count;
    }
    for (const row of source) {
      take(row);
      if (seen % ROWS_PER_TURN === 0) await turn();
    }
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    faults.addFile(error);
  } finally {
    for (const key of keys) if (!numbersOnly.has(key)) shownScores.add(key);
  }
  return count;
}
