import { UploadCancelledError } from "../../../../src/experiments/errors.ts";
import { nameList, quoted } from "../../../../src/text/quoted.ts";
import { EXPERIMENT_ADVICE } from "../../../account/advice.ts";
import type { Failure } from "../../../account/failure.ts";
import { describeResultsFailure, type ResultsFailureWords } from "../../../account/results-failure.ts";
import { MOST_NAMES } from "../../../account/results-words.ts";
import type { UploadFacts } from "./facts.ts";

export const EXPERIMENT_TITLES: Readonly<Record<string, string>> = {
  CANCELLED: "Cancelled",
  EXPERIMENT_NAME_TAKEN: "Name taken",
  EXPERIMENT_STORED_TWICE: "Stored twice",
  EXPERIMENT_TOO_LARGE: "Too large",
  EXPERIMENT_UNANSWERED: "Not confirmed",
  RESULTS: "Results",
  DATA_FILE: "Results",
};

export function uploadFailure(error: Error): Failure {
  return describeResultsFailure(error, { titles: EXPERIMENT_TITLES, table: EXPERIMENT_ADVICE, apart });
}

function apart({ column, isCrossed }: Parameters<ResultsFailureWords["apart"]>[0]): readonly string[] {
  return isCrossed ? [] : [`split-by: ${JSON.stringify(column)}`];
}

export function cancelledUpload({ sending }: UploadFacts): UploadCancelledError {
  if (sending === undefined) return new UploadCancelledError("The run was cancelled.");
  return new UploadCancelledError(`The run was cancelled while the experiment ${quoted(sending)} was being sent.`, {
    advice: "It may be stored anyway: look for it by name before you run again.",
  });
}

/** What is stored in spite of the failure: `2 of 3 experiments, which remain in the service: a, b`; undefined for nothing. */
export function keptText({ sent, planned }: UploadFacts): string | undefined {
  if (sent.length === 0) return undefined;
  const names = nameList(
    sent.map(({ name }) => name),
    MOST_NAMES,
  );
  if (planned.length < 2) return `${names}, which remains in the service`;
  const count = `${String(sent.length)} of ${String(planned.length)} experiments`;
  return `${count}, which remain in the service: ${names}`;
}
