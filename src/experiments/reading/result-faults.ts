import type { Reason } from "../../contract/error-reasons.ts";
import type { ErrorOptionsWithAdvice } from "../../contract/graph-deploy-error.ts";
import { FileFaults, FilesError, type FileFault } from "../../files/file-faults.ts";
import type { DataFileError, FilePlace } from "../../files/json/errors.ts";
import type { Axis } from "./axis-search.ts";
import { ColumnsError, UnclearFileError } from "../errors.ts";

const ADVICE = "Correct the files.";
export const AXIS_ADVICE =
  "Give the rows of one value, or all of them split by the column. If they are repetitions of one case, number them in a column `repetition`.";

/** Results that cannot be uploaded, with the first faults and the number of all. */
export class ResultsError extends FilesError {
  readonly code = "RESULTS";
  /** A mapping with which the first file that needs one can be read: lines of YAML to paste and to correct. */
  readonly mapping: readonly string[] | undefined;
  /** The column that makes several runs of one, with its values. */
  readonly axis: Pick<Axis, "column" | "values"> | undefined;
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

  /** Refuses rows of several systems as one run. */
  addAxis(axis: Axis): void {
    this.#addUnclear();
    this.addFirst(axis.place, axis.message, { advice: AXIS_ADVICE, reasons: ["CASES_OF_SEVERAL"] });
    this.#proposed.axis ??= axis;
  }

  /** Offers a mapping with which a file can be read; the first one counts. */
  propose(mapping: readonly string[] | undefined): void {
    this.#proposed.mapping ??= mapping;
  }
}

interface RowAdvice extends Pick<ErrorOptionsWithAdvice, "advice" | "reasons"> {
  readonly isUnclear?: boolean | undefined;
}

const UNCLEAR: ReadonlySet<Reason> = new Set(["COLUMN_MISSING", "QUESTIONS_DIFFER"]);

interface Proposed {
  /** How many of the errors are about what is unclear. */
  unclear?: number;
  mapping?: readonly string[] | undefined;
  axis?: Pick<Axis, "column" | "values"> | undefined;
}
