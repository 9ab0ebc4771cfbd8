import type { ErrorOptionsWithAdvice } from "../../contract/graph-deploy-error.ts";
import { FileFaults, FilesError, type FileFault } from "../../files/file-faults.ts";
import type { DataFileError } from "../../files/json/errors.ts";
import { ColumnsError } from "../errors.ts";

const ADVICE = "Correct the files.";

/** Results that cannot be uploaded, with the first faults and the number of all. */
export class ResultsError extends FilesError {
  readonly code = "RESULTS";
  /** A mapping with which the first file that needs one can be read: lines of YAML to paste and to correct. */
  readonly mapping: readonly string[] | undefined;

  /** `sentence` sums up the errors. */
  constructor(
    sentence: string,
    faults: readonly FileFault[],
    count: number,
    { mapping, ...options }: ErrorOptionsWithAdvice & { readonly mapping?: readonly string[] | undefined } = {},
  ) {
    super(sentence, faults, count, { advice: ADVICE, ...options });
    this.mapping = mapping;
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
    super.addFile(error);
    if (error instanceof ColumnsError) this.propose(error.mapping);
  }

  /** Offers a mapping with which a file can be read; the first one counts. */
  propose(mapping: readonly string[] | undefined): void {
    this.#proposed.mapping ??= mapping;
  }
}

interface Proposed {
  mapping?: readonly string[] | undefined;
}
