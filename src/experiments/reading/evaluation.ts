import { chooseFormat, formatNamed, FORMATS } from "./formats.ts";
import type { ReadFile } from "../events.ts";
import { refuseForeign } from "../formats/shared/foreign-file.ts";
import { DataFileError, type FilePlace } from "../../files/json/errors.ts";
import type { ColumnValue } from "../rows/columns.ts";
import { openResultFile } from "../rows/result-file.ts";
import type { ResultsRequest, RowsRequest } from "../request.ts";
import { readFile, readRows, type ReadingDeps } from "./file-reading.ts";
import { ResultFaults, type Chosen } from "./result-faults.ts";
import { GIVEN_ROWS, readResultRows } from "../rows/result-row.ts";
import type { RowCollector } from "./row-collector.ts";
import type { FilesAre } from "./row-ids.ts";
import { RowParts } from "./row-parts.ts";
import type { RowSpool } from "./row-spool.ts";
import { RunFacts } from "./run-facts.ts";
import type { TakeRow } from "./row-reader.ts";

interface ReadingPurpose extends Chosen {
  /** The id of the dataset or its name, from which row ids follow; undefined takes those of the files. */
  readonly dataset: string | undefined;
  /** True when rows may be kept as they stand, because their times will not change. */
  readonly takesVerbatim: boolean;
  /** What does not happen with an error: `nothing was sent`, if not given. */
  readonly undone?: string;
  /** What several files are together, for rows that are judged. */
  readonly filesAre?: FilesAre;
}

/** What is read, and what for. */
export type EvaluationRequest = ReadingPurpose & (ResultsRequest | RowsRequest);
type FilesRequest = ReadingPurpose & ResultsRequest;

/** The content of all files. The errors of rows are collected, not thrown, so that later checks can add theirs. */
export interface Evaluation {
  readonly files: readonly ReadFile[];
  readonly rows: RowCollector;
  readonly spool: RowSpool;
  readonly run: RunFacts;
  readonly faults: ResultFaults;
  /** The scores that a name, a rule or the values of at least one file show to be such; all others are numbers only. */
  readonly shownScores: ReadonlySet<string>;
  /** By which value its rows are together; undefined where they are not split. */
  readonly part: ColumnValue | undefined;
  /** How many rows do not have the values that are wanted. */
  readonly left: number;
}

const ROWS_ADVICE = "Correct the rows.";
/** Location of an error that involves several files. */
export const WHOLE = { file: "experiment" } as const;

/** Reads rows into one experiment, as `readEvaluations` does: rows that are not split. */
export async function readEvaluation(
  request: Omit<EvaluationRequest, "splitBy"> & EvaluationRequest,
  deps: ReadingDeps,
  takeRow?: TakeRow,
): Promise<Evaluation> {
  const [evaluation] = await readEvaluations({ ...request, splitBy: undefined }, deps, takeRow);
  if (!evaluation) throw new RangeError("Rows that are not split are one experiment.");
  return evaluation;
}

/**
 * Reads the rows of all files, or those of a program, into one experiment, or into one for each value of a column, in the
 * order in which the values are seen first; a file that cannot be read to its end is one
 * error. The caller removes the spools.
 */
export async function readEvaluations(
  request: EvaluationRequest,
  deps: ReadingDeps,
  takeRow?: TakeRow,
): Promise<readonly Evaluation[]> {
  const isGiven = "rows" in request;
  const faults = new ResultFaults(isGiven ? ROWS_ADVICE : undefined, request.undone);
  const opened = isGiven ? [] : openAll(request, faults);
  const run = new RunFacts();
  const dataset = request.dataset ?? datasetOf(opened, run);
  const { where, splitBy, filesAre } = request;
  const { spoolDirectory, emit } = deps;
  const rows = new RowParts({ dataset, files: filesAre, where, splitBy }, { spoolDirectory, faults, emit, takeRow });
  try {
    const shownScores = new Set<string>();
    const reading = { deps, run, rows, faults, shownScores, outputs: new Set<string>() };
    const files: ReadFile[] = [];
    const fault = (place: FilePlace, message: string) => {
      faults.add(place, message);
    };
    if (isGiven) await readRows(GIVEN_ROWS, () => readResultRows(request.rows, fault), reading);
    else for (const { file, format } of opened) files.push(await readFile(file, format, { request, ...reading }));
    rows.end();
    return rows.all.map((part) => ({ files, ...part, run, faults, shownScores, left: rows.left }));
  } catch (error) {
    await rows.remove();
    throw error;
  }
}

function openAll({ files, format: name, mapping }: FilesRequest, faults: ResultFaults) {
  return files.flatMap((found) => {
    try {
      const file = openResultFile(found.path, found.name);
      refuseForeign(file);
      const format = name === undefined ? chooseFormat(file, FORMATS, mapping) : formatNamed(name);
      if (mapping && format.takesMapping !== true) {
        const names = FORMATS.flatMap((each) => (each.takesMapping === true ? [each.name] : []));
        const advice = `Leave the mapping out, or choose a format that takes one: ${names.join(" or ")}.`;
        const fault = `the file is read as ${format.name}, which takes no mapping`;
        throw new DataFileError({ file: found.name }, fault, { advice });
      }
      return [{ file, format }];
    } catch (error) {
      if (!(error instanceof DataFileError)) throw error;
      faults.addFile(error);
      return [];
    }
  });
}

/** The dataset that the files name, which must be known before the ids of their rows are. */
function datasetOf(opened: ReturnType<typeof openAll>, run: RunFacts): string {
  for (const { file, format } of opened) {
    // A file that cannot be read here fails again, and is reported, when its rows are read.
    try {
      format.run?.(file, (stated) => {
        run.add(file.name, stated);
      });
    } catch (error) {
      if (!(error instanceof DataFileError)) throw error;
    }
  }
  return run.first("datasetId") ?? run.first("datasetName") ?? "";
}
