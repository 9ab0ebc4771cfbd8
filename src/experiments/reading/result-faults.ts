import type { Reason } from "../../contract/error-reasons.ts";
import type { ErrorOptionsWithAdvice } from "../../contract/graph-deploy-error.ts";
import { FileFaults, FilesError, type FileFault } from "../../files/file-faults.ts";
import type { DataFileError, FilePlace } from "../../files/json/errors.ts";
import type { ColumnValue } from "../rows/columns.ts";
import type { Axis } from "./axis-search.ts";
import { ColumnsError, UnclearFileError } from "../errors.ts";

const ADVICE = "Correct the files.";
const REPETITIONS = "If they are repetitions of one case, number them in a column `repetition`.";
export const AXIS_ADVICE = `Give the rows of one value, or all of them split by the column. ${REPETITIONS}`;
const SCORES_ADVICE =
  "If each row is one score of an answer, write one row for the answer, with a column for each score.";
/** For rows of several systems by two columns. */
export const CROSSED_ADVICE = `Give the rows of one value of each column, or write a column with the values of both. ${REPETITIONS}`;

/** A column that makes several runs of one. */
export interface FoundAxis extends Pick<Axis, "column" | "values"> {
  /** The values that were chosen of other columns. */
  readonly where: readonly ColumnValue[];
  /** True where rows that are split by the column are still of several systems. */
  readonly isCrossed: boolean;
}

/** What rows are chosen by. */
export interface Chosen {
  /** Only rows with all of these values count. */
  readonly where?: readonly ColumnValue[] | undefined;
  /** Rows with another value in this column are of another experiment. */
  readonly splitBy?: string | undefined;
}

/** Results that cannot be uploaded, with the first faults and the number of all. */
export class ResultsError extends FilesError {
  readonly code = "RESULTS";
  /** A mapping with which the first file that needs one can be read: lines of YAML to paste and to correct. */
  readonly mapping: readonly string[] | undefined;
  /** The column that makes several runs of one, with its values. */
  readonly axis: FoundAxis | undefined;
  /** True where the files can be read, and only which of their rows or columns are what is unclear. */
  readonly isUnclear: boolean;

  /** `sentence` sums up the errors. */
  constructor(
    sentence: string,
    faults: readonly FileFault[],
    count: number,
    { mapping, axis, unclear = 0, ...options }: ErrorOptionsWithAdvice & Proposed = {},
  ) {
    super(sentence, faults, count, { advice: ADVICE, ...options });
    this.mapping = mapping;
    this.axis = axis;
    this.isUnclear = unclear === count;
  }
}

/** Collects the errors of results, and throws them as one ResultsError. */
export class ResultFaults extends FileFaults {
  readonly #proposed: Proposed;

  /** `advice` is for errors without their own advice; `undone` says what did not happen. */
  constructor(advice = ADVICE, undone?: string) {
    const proposed: Proposed = {};
    super({
      name: "The results",
      undone,
      error: (sentence, faults, count, options) =>
        new ResultsError(sentence, faults, count, { advice, ...options, ...proposed }),
    });
    this.#proposed = proposed;
  }

  override addFile(error: DataFileError): void {
    if (error instanceof UnclearFileError) this.#addUnclear();
    super.addFile(error);
    if (error instanceof ColumnsError) this.propose(error.mapping);
  }

  /** `isUnclear` is for a row that can be read, of which only the meaning is not shown. */
  override add(place: FilePlace, message: string, { isUnclear = false, ...options }: RowAdvice = {}): void {
    if (isUnclear || options.reasons?.some((reason) => UNCLEAR.has(reason)) === true) this.#addUnclear();
    super.add(place, message, options);
  }

  #addUnclear(): void {
    this.#proposed.unclear = (this.#proposed.unclear ?? 0) + 1;
  }

  /** Refuses rows of several systems as one run; once, also where each part of the rows is so. */
  addAxis({ column, values, place, message, beside, isOfScores }: Axis, { where = [], splitBy }: Chosen): void {
    if (this.#proposed.axis?.column === column) return;
    const isCrossed = splitBy !== undefined || beside.length > 0;
    const [usual, reason] = isCrossed
      ? ([CROSSED_ADVICE, "CASES_CROSSED"] as const)
      : ([AXIS_ADVICE, "CASES_OF_SEVERAL"] as const);
    this.#addUnclear();
    const advice = isOfScores ? `${SCORES_ADVICE} ${usual}` : usual;
    this.addFirst(place, message, { advice, reasons: [reason] });
    this.#proposed.axis ??= { column, values, where, isCrossed };
  }

  /** Offers a mapping with which a file can be read; the first one counts. */
  propose(mapping: readonly string[] | undefined): void {
    this.#proposed.mapping ??= mapping;
  }
}

interface RowAdvice extends Pick<ErrorOptionsWithAdvice, "advice" | "reasons"> {
  readonly isUnclear?: boolean;
}

const UNCLEAR: ReadonlySet<Reason> = new Set(["COLUMN_MISSING", "QUESTIONS_DIFFER"]);

export interface Proposed {
  /** How many of the errors are about what is unclear. */
  unclear?: number;
  mapping?: readonly string[] | undefined;
  axis?: FoundAxis | undefined;
}
