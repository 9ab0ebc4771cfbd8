import type { ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { FileFaults, FilesError, type FileFault } from "../files/file-faults.ts";

const ADVICE = "Correct the files, or the input `format` or `mapping` if they are read in the wrong way.";

/** Results that cannot be uploaded, with the first faults and the number of all. */
export class ResultsError extends FilesError {
  readonly code = "RESULTS";

  /** `sentence` tells what the faults are together. */
  constructor(sentence: string, faults: readonly FileFault[], count: number, options: ErrorOptionsWithAdvice = {}) {
    super(sentence, faults, count, { advice: ADVICE, ...options });
  }
}

/** Collects the faults of result files; what it throws is a ResultsError. */
export class ResultFaults extends FileFaults {
  constructor() {
    super({ name: "The results", error: (...told) => new ResultsError(...told) });
  }
}
