import { UPLOAD_MARK } from "../../contract/experiment-session.ts";
import { instantOfMilliseconds } from "../../contract/instant.ts";
import { isJsonObject } from "../../files/json-object.ts";
import { uploadMark } from "./mark.ts";
import { ExperimentNames } from "./names.ts";
import { uuidOf } from "../../contract/uuid.ts";
import type { BodySource } from "../../http/transport.ts";
import type { DatasetKey } from "../events.ts";
import { readEvaluation, WHOLE, type Evaluation, type ReadingDeps } from "../reading/evaluation.ts";
import { experimentBody, experimentHead, type CheckedHead, type WholeFault } from "./body.ts";
import { scoresMapping } from "../reading/overlooked-columns.ts";
import { NO_ROW_WRITTEN } from "../formats/shared/foreign-file.ts";
import { resultsOf, warnOf } from "../reading/results-read.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import type { ExperimentRequest } from "../request.ts";
import type { RowRange } from "../reading/row-spool.ts";
import { countOf } from "../../text/number.ts";
import { listed } from "../../text/quoted.ts";
import { statedWindow, placeRows } from "./window.ts";

/** Results that were read and checked without an error, and not sent yet. */
export class PreparedUpload implements AsyncDisposable {
  readonly name: string;
  readonly dataset: DatasetKey;
  /** The rows of each experiment; one, unless there are more than an experiment may have. */
  readonly ranges: readonly RowRange[];
  readonly #head: CheckedHead;
  readonly #evaluation: Evaluation;
  readonly #marks: ReadonlyMap<RowRange, string>;

  constructor(evaluation: Evaluation, head: CheckedHead, { maxRows, run }: ExperimentRequest) {
    this.name = head.name;
    this.dataset = head.dataset;
    this.ranges = split(evaluation.spool.count, maxRows);
    this.#marks = new Map(
      this.ranges.map((range) => [range, uploadMark(run.id, head.fields, evaluation, range)] as const),
    );
    this.#head = head;
    this.#evaluation = evaluation;
  }

  /** What tells the upload of these rows from others, in its metadata. */
  markOf(range: RowRange): string {
    return this.#marks.get(range) ?? "";
  }

  /** The names of its experiments. */
  names(): ExperimentNames {
    return new ExperimentNames(this.name, this.ranges.length, [...this.#marks.values()].join(" "));
  }

  /** The body of one experiment under this name. */
  body(name: string, range: RowRange, onRead?: (bytes: number) => void): BodySource {
    const { experiment_metadata: metadata, ...fields } = this.#head.fields;
    const marked = { ...(isJsonObject(metadata) ? metadata : {}), [UPLOAD_MARK]: this.markOf(range) };
    const head = { experiment_name: name, ...fields, experiment_metadata: marked };
    return experimentBody(head, this.#evaluation.spool, range, onRead);
  }

  /** The place of a row in the files. */
  placeOf(row: number): FilePlace {
    return this.#evaluation.rows.placeOf(row);
  }

  /** Removes what was written to the disk. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#evaluation.spool.remove();
  }
}

/** Reads all files and checks everything, so that one report has all errors. Throws ResultsError. */
export async function prepareUpload(given: ExperimentRequest, deps: ReadingDeps): Promise<PreparedUpload> {
  const start = deps.clock.now();
  // The ids of rows follow from that of their dataset, which has one form for that.
  const datasetId = given.datasetId === undefined ? undefined : (uuidOf(given.datasetId) ?? given.datasetId);
  const request = { ...given, datasetId };
  const dataset = datasetId ?? request.datasetName;
  const takesVerbatim = request.timePolicy !== "clamp";
  const evaluation = await readEvaluation({ ...request.results, dataset, takesVerbatim }, deps);
  try {
    // Before the rows are placed in time: times that are made up are not latencies.
    const results = resultsOf(evaluation);
    const head = checkAll(request, evaluation, deps);
    deps.emit({ type: "read", results, milliseconds: deps.clock.now() - start });
    return new PreparedUpload(evaluation, head, request);
  } catch (error) {
    await evaluation.spool.remove();
    throw error;
  }
}

const TIMES = { advice: "Correct the times in the files.", reasons: ["TIMES_OUTSIDE"] } as const;
const ARGUMENTS_ADVICE = "Correct the arguments, or the rows.";

function checkAll(
  request: ExperimentRequest,
  evaluation: Evaluation,
  { emit, clock }: Pick<ReadingDeps, "clock" | "emit">,
): CheckedHead {
  const { rows, spool, run, faults, files } = evaluation;
  let naive = rows.naiveTimes;
  const stated = statedWindow(run.times(files.map(({ name }) => name)), {
    fault: (index, message) => {
      faults.add({ file: files[index]?.name ?? WHOLE.file }, message);
    },
    naiveTime: () => (naive += 1),
  });
  const { window, outsiders } = placeRows(spool.times, {
    ...stated,
    policy: request.timePolicy,
    now: instantOfMilliseconds(clock.date().getTime()),
    fault: (row, message) => {
      faults.add(rows.placeOf(row), message, TIMES);
    },
  });
  const head = experimentHead(request, evaluation, window);
  const whole = [...countFaults(request, evaluation), ...head.faults];
  const isGiven = "rows" in request.results;
  const usual = isGiven ? ARGUMENTS_ADVICE : undefined;
  for (const { message, reason, advice = usual } of whole) faults.add(WHOLE, message, { advice, reasons: [reason] });
  if (faults.count === 0 && !request.allowNoScores && hasNoScores(request, evaluation)) {
    faults.add(WHOLE, "no row has a score", {
      advice: isGiven
        ? NO_SCORES_OF_ROWS_ADVICE
        : evaluation.rows.tally.counts.size > 0
          ? NUMBERS_ADVICE
          : NO_SCORES_ADVICE,
      reasons: ["NO_SCORES"],
    });
    const rowsPath = "rows" in request.results ? undefined : request.results.mapping?.rows;
    for (const { columns } of files) if (columns !== undefined) faults.propose(scoresMapping(columns, rowsPath));
  }
  faults.throwIfAny();
  const isClamped = request.timePolicy === "clamp";
  const { summaryScores } = request;
  warnOf(evaluation, { naive, outsiders, isClamped, replacedOutside: head.replaced, summaryScores }, emit);
  return head;
}

const NO_SCORES_ADVICE = "Check how the columns were read.";
const NUMBERS_ADVICE =
  "Nothing shows that the columns of numbers are scores. Name those that are in a mapping, or allow results without scores.";
const NO_SCORES_OF_ROWS_ADVICE = "Give the rows scores, or allow results without scores.";

/** True for results without any score: most likely the scores were not found. */
function hasNoScores({ summaryScores }: ExperimentRequest, { shownScores, run }: Evaluation): boolean {
  if (shownScores.size > 0) return false;
  return summaryScores.length === 0 && run.summaryScores.scores.length === 0;
}

/** An incomplete set would look better or worse than it is. */
function countFaults(
  { results, expectedShards, expectedRows }: ExperimentRequest,
  { spool, faults }: Evaluation,
): readonly WholeFault[] {
  const found: WholeFault[] = [];
  const files = "rows" in results ? [] : results.files;
  if (expectedShards !== undefined && files.length !== expectedShards) {
    const message = `expected ${countOf(expectedShards, "result file")}, found ${String(files.length)}`;
    found.push({ message, reason: "FILE_COUNT" });
  }
  // Rows with errors are not counted, so the count would report them again.
  if (faults.count > 0) return found;
  if (expectedRows !== undefined && spool.count !== expectedRows) {
    const message = `expected ${countOf(expectedRows, "row")}, found ${String(spool.count)}`;
    found.push({ message, reason: "ROW_COUNT" });
  } else if (spool.count === 0) {
    const fault = "rows" in results ? { message: "there are no rows" } : emptyFault(files);
    found.push({ ...fault, reason: "REQUEST_INVALID" });
  }
  return found;
}

const MOST_FILES = 3;

function emptyFault(files: readonly { readonly name: string }[]): Omit<WholeFault, "reason"> {
  if (files.length === 0) return { message: "there are no files" };
  const names = files.map(({ name }) => name);
  const which = listed(names, { conjunction: "and", most: MOST_FILES });
  return { message: `${which} ${names.length === 1 ? "contains" : "contain"} no rows`, advice: NO_ROW_WRITTEN };
}

function split(rows: number, most = Math.max(1, rows)): readonly RowRange[] {
  const parts = Math.ceil(rows / most);
  return Array.from({ length: parts }, (_, part) => ({ first: part * most, end: Math.min(rows, (part + 1) * most) }));
}
