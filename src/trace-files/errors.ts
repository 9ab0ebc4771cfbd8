import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { FileFaults, FilesError, type FileFault } from "../files/file-faults.ts";
import { DataFileError } from "../files/json/errors.ts";

const ADVICE = "Correct the files.";

/** The caller cancelled the upload before it ended. */
export class TracesCancelledError extends GraphDeployError {
  readonly code = "CANCELLED";
}

/** Trace files with errors: the first ones and the number of all. Nothing was sent, unless a file changed meanwhile. */
export class TracesError extends FilesError {
  readonly code = "TRACES";

  constructor(sentence: string, faults: readonly FileFault[], count: number, options: ErrorOptionsWithAdvice = {}) {
    super(sentence, faults, count, { advice: ADVICE, ...options });
  }
}

/** Not all runs are stored. The faults are the rejected runs; others may not have reached the service. */
export class RunsNotStoredError extends FilesError {
  readonly code = "RUNS_NOT_STORED";
}

/** Collects the errors of trace files and throws them as one TracesError. */
export class TraceFaults extends FileFaults {
  constructor() {
    super({ name: "The traces", error: (...args) => new TracesError(...args) });
  }
}

export function isOfFiles(error: unknown): error is DataFileError | TracesError {
  return error instanceof DataFileError || error instanceof TracesError;
}
