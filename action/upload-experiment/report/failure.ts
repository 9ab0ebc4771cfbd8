import { UploadCancelledError } from "../../../src/experiments/errors.ts";
import { placeText } from "../../../src/experiments/json/errors.ts";
import { ResultsError } from "../../../src/experiments/result-faults.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { describeFailure, type Failure, type FaultList } from "../../report/failure.ts";
import { nameList } from "./experiment-words.ts";
import type { UploadFacts } from "./ledger.ts";

const MOST_FAULTS = 20;
const TITLES: Readonly<Record<string, string>> = {
  CANCELLED: "Cancelled",
  EXPERIMENT_NAME_TAKEN: "Name taken",
  EXPERIMENT_TOO_LARGE: "Too large",
  RESULTS: "Results",
  RESULT_FILE: "Results",
};

/** The failure that an upload ended with. */
export function uploadFailure(error: Error): Failure {
  const title = error instanceof GraphDeployError ? TITLES[error.code] : undefined;
  return describeFailure(error, title ?? "Failed", error instanceof ResultsError ? faultList(error) : undefined);
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

function faultList({ faults, count, message }: ResultsError): FaultList | undefined {
  const [first] = faults;
  if (first === undefined) return undefined;
  const [place, what] = [placeText(first.place), first.message];
  // The sentence tells a single fault; when the service found it, it does not tell where.
  if (count === 1 && message.includes(what) && message.includes(place)) return undefined;
  const shown = faults.slice(0, MOST_FAULTS);
  return {
    heading: "Place",
    faults: shown.map((fault) => [placeText(fault.place), fault.message]),
    more: Math.max(0, count - shown.length),
  };
}
