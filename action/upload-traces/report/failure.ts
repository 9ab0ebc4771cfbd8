import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { FilesError } from "../../../src/files/file-faults.ts";
import { TracesCancelledError } from "../../../src/trace-files/errors.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import { TRACES_ADVICE } from "../../report/advice.ts";
import { describeFailure, fileFaultList, type Failure } from "../../report/failure.ts";
import type { TraceFacts } from "./facts.ts";

const TITLES: Readonly<Record<string, string>> = {
  CANCELLED: "Cancelled",
  DATA_FILE: "Traces",
  RUNS_NOT_STORED: "Not all stored",
  TRACES: "Traces",
};

/** The failure that an upload ended with. */
export function traceFailure(error: Error): Failure {
  const title = error instanceof GraphDeployError ? TITLES[error.code] : undefined;
  const list = error instanceof FilesError ? fileFaultList(error) : undefined;
  return describeFailure(error, { title: title ?? "Failed", table: TRACES_ADVICE, list });
}

/** The error of a run that was cancelled and does not end by itself. */
export function cancelledTraces({ progress }: TraceFacts): TracesCancelledError {
  if (progress === undefined) return new TracesCancelledError("The run was cancelled.");
  const { sentRuns, totalRuns } = progress;
  return new TracesCancelledError(
    `The run was cancelled when about ${countText(sentRuns)} of ${countOf(totalRuns, "run")} were sent.`,
    { advice: "Run the step again with the same files: what is stored already is not stored twice." },
  );
}
