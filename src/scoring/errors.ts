import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { fileErrorCode } from "../files/file-error.ts";
import { FilesError } from "../files/file-faults.ts";
import { quoted } from "../text/quoted.ts";
import { messageOf } from "../text/reasons.ts";

/** A dataset whose cases cannot be asked, with its first errors and their number. */
export class DatasetError extends FilesError {
  readonly code = "DATASET";
}

/** A scorer cannot be used, because of a file that it names. */
export class ScorerError extends GraphDeployError {
  readonly code = "SCORER";

  constructor(name: string, cause: unknown) {
    const advice = "Correct the scorer, or the file that it names.";
    super(`The scorer ${quoted(name)} cannot be used: ${messageOf(cause)}.`, {
      cause,
      advice,
    });
  }
}

/** The results cannot be written; the answers are kept in the journal beside them. */
export class EvaluationResultsError extends GraphDeployError {
  readonly code = "EVALUATION_RESULTS";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const advice = "Correct the cause and run again: no answer is lost, and the next run takes the journal up.";
    const code = fileErrorCode(cause) ?? "";
    const why = code === "ENOSPC" ? "the disk is full" : code === "EISDIR" ? "it is a directory" : "writing failed";
    super(`The results ${path} cannot be written: ${why} (${code}).`, { cause, advice });
    this.path = path;
  }
}

/** Another evaluation, or another scoring, is about to write the same results; nothing was asked. */
export class ResultsHeldError extends GraphDeployError {
  readonly code = "EVALUATION_HELD";
  readonly path: string;
  readonly pid: number;
  readonly host: string;

  constructor(path: string, lock: string, { pid, host }: Pick<ResultsHeldError, "host" | "pid">) {
    const advice = `Wait until it has ended, or write other results; if it no longer runs there, remove ${lock}.`;
    super(`The results ${path} are held by another evaluation: process ${String(pid)} on ${host}.`, { advice });
    this.path = path;
    this.pid = pid;
    this.host = host;
  }
}
