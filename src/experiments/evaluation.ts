import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FoundFile } from "./find-files.ts";
import { chooseFormat } from "./choose-format.ts";
import type { FormatContext, ResultFormat } from "./format.ts";
import { ResultFileError } from "./json/errors.ts";
import type { Mapping } from "./mapping.ts";
import { openResultFile } from "./open-result-file.ts";
import { ResultFaults } from "./result-faults.ts";
import type { ResultFile } from "./result-file.ts";
import { RowCollector } from "./row-collector.ts";
import { RowSpool } from "./row-spool.ts";
import type { SourceRow, SourceRun } from "./source-row.ts";

/** What is read, and how. */
export interface EvaluationRequest {
  readonly files: readonly FoundFile[];
  /** The format of every file; undefined tells it by the content of each. */
  readonly format: ResultFormat | undefined;
  readonly formats: readonly ResultFormat[];
  readonly mapping: Mapping | undefined;
  readonly workspace: string;
  /** The id of the dataset or its name, from which row ids follow; undefined takes those of the files. */
  readonly dataset: string | undefined;
  /** An existing folder for the rows while they are sent. */
  readonly spoolDirectory: string;
  readonly signal: AbortSignal;
  /** Tells how far the reading is. */
  readonly onProgress: (progress: ReadProgress) => void;
  /** One sentence for the log. */
  readonly note: (sentence: string) => void;
  readonly warn: (sentence: string) => void;
}

/** How far the reading is. */
export interface ReadProgress {
  readonly file: string;
  readonly rows: number;
}

/** A file that was read. */
export interface ReadFile {
  readonly name: string;
  readonly format: string;
  /** Bytes. */
  readonly size: number;
  /** `sha256:` and hex digits. */
  readonly digest: string;
}

/** What all files hold together. */
export interface Evaluation {
  readonly files: readonly ReadFile[];
  readonly rows: RowCollector;
  readonly spool: RowSpool;
  readonly run: SourceRun;
  readonly faults: ResultFaults;
}

const ROWS_PER_TURN = 256;

/**
 * Reads the rows of all files into one experiment. Faults of rows are collected and not thrown, so that what comes
 * later can add its own; a file that cannot be read to its end is one fault. The caller removes the spool.
 */
export async function readEvaluation(request: EvaluationRequest): Promise<Evaluation> {
  const faults = new ResultFaults();
  const opened = request.files.flatMap(({ path, name }) => {
    try {
      const file = openResultFile(path, name);
      return [{ file, format: request.format ?? chooseFormat(file, request.formats) }];
    } catch (error) {
      if (!(error instanceof ResultFileError)) throw error;
      faults.add(error.place, error.fault);
      return [];
    }
  });
  // What is wrong with a file as a whole is told before a row of another one is.
  faults.throwIfAny();
  let run: SourceRun = {};
  const tell = (more: SourceRun) => {
    run = { ...run, ...more };
  };
  if (request.dataset === undefined) for (const { file, format } of opened) format.run?.(file, tell);
  const dataset = request.dataset ?? run.datasetId ?? run.datasetName ?? "";
  const spool = new RowSpool(request.spoolDirectory);
  try {
    const rows = new RowCollector(dataset, spool, faults);
    for (const { file, format } of opened) await readRows(file, format, { request, rows, faults, tell });
    spool.close();
    const files = await Promise.all(
      opened.map(async ({ file, format }) => ({
        name: file.name,
        format: format.name,
        size: file.size,
        digest: await digestOf(file.path, request.signal),
      })),
    );
    return { files, rows, spool, run, faults };
  } catch (error) {
    await spool.remove();
    throw error;
  }
}

interface Reading {
  readonly request: EvaluationRequest;
  readonly rows: RowCollector;
  readonly faults: ResultFaults;
  readonly tell: (run: SourceRun) => void;
}

async function readRows(file: ResultFile, format: ResultFormat, reading: Reading): Promise<void> {
  const { request, rows, faults, tell } = reading;
  const { mapping, workspace, note, warn, signal, onProgress } = request;
  const context: FormatContext = {
    mapping,
    workspace,
    tell,
    fault: (place, message) => {
      faults.add(place, message);
    },
    note,
    warn,
  };
  rows.beginFile(file.name);
  let count = 0;
  const take = (row: SourceRow) => {
    rows.add(row);
    count += 1;
  };
  // A signal arrives between two turns of the event loop only, and so does the progress.
  const turn = async () => {
    signal.throwIfAborted();
    if (count % ROWS_PER_TURN !== 0) return;
    onProgress({ file: file.name, rows: count });
    await nextTurn();
  };
  try {
    const source = format.rows(file, context);
    if (Symbol.asyncIterator in source) {
      for await (const row of source) {
        take(row);
        await turn();
      }
      return;
    }
    for (const row of source) {
      take(row);
      if (count % ROWS_PER_TURN === 0) await turn();
    }
  } catch (error) {
    if (!(error instanceof ResultFileError)) throw error;
    faults.add(error.place, error.fault);
  }
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash, { signal });
  return `sha256:${hash.digest("hex")}`;
}
