import { UploadCancelledError } from "../../../src/experiments/errors.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { FilesError } from "../../../src/files/file-faults.ts";
import { describeFailure, type Failure } from "../../report/failure.ts";
import { fileFaultList } from "../../report/file-faults.ts";
import { nameList } from "./experiment-words.ts";
import type { UploadFacts } from "./ledger.ts";

const TITLES: Readonly<Record<string, string>> = {
  CANCELLED: "Cancelled",
  EXPERIMENT_NAME_TAKEN: "Name taken",
  EXPERIMENT_TOO_LARGE: "Too large",
  RESULTS: "Results",
  DATA_FILE: "Results",
};

/** The failure that an upload ended with. */
export function uploadFailure(error: Error): Failure {
  const title = error instanceof GraphDeployError ? TITLES[error.code] : undefined;
  return describeFailure(error, title ?? "Failed", error instanceof FilesError ? fileFaultList(error) : undefined);
}

/** The error of a run that was cancelled and does not end by itself. */
export function cancelledUpload({ sending }: UploadFacts): UploadCancelledError {
  if (sending === undefined) return new UploadCancelledError("The run was cancelled.");
  return new UploadCancelledError(`The run was cancelled while the experiment ${sending} was being sent.`, {
    advice: "It may be stored all the same: look for it by its name before you run again.",
  });
}

/** What is stored in spite of the failure: `2 of 3 experiments, which stay: a, b`; empty for nothing. */
export function keptText({ sent, planned }: UploadFacts): string {
  if (sent.length === 0) return "";
  if (planned.length < 2) return `${nameList(sent.map(({ name }) => name))}, which stays`;
  const count = `${String(sent.length)} of ${String(planned.length)} experiments`;
  return `${count}, which stay: ${nameList(sent.map(({ name }) => name))}`;
}
