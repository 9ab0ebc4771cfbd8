import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { FileFaults, FilesError, type FileFault } from "../files/file-faults.ts";
import { DataFileError } from "../files/json/errors.ts";

const ADVICE = "Correct the files, or the input `format` if they are read in the wrong way.";

/** Somebody ended the run before the upload was over. */
export class TracesCancelledError extends GraphDeployError {
  readonly code = "CANCELLED";
}

/** Traces that cannot be uploaded, with the first faults and the number of all; nothing was sent. */
export class TracesError extends FilesError {
  readonly code = "TRACES";

  constructor(sentence: string, faults: readonly FileFault[], count: number, options: ErrorOptionsWithAdvice = {}) {
    super(sentence, faults, count, { advice: ADVICE, ...options });
  }
}

/** Not all runs are stored: the faults are those that the service refuses; others may not have reached it. */
export class RunsNotStoredError extends FilesError {
  readonly code = "RUNS_NOT_STORED";
}

/** Collects the faults of trace files; what it throws is a TracesError. */
export class TraceFaults extends FileFaults {
  constructor() {
    super({ name: "The traces", error: (...told) => new TracesError(...told) });
  }
}

/** True where the files themselves are what is wrong. */
export function isOfFiles(error: unknown): error is DataFileError | TracesError {
  return error instanceof DataFileError || error instanceof TracesError;
}
