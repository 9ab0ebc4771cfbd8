import { GatesError, faultText } from "../../../../src/judgement/gates/errors.ts";
import { writtenWhere } from "../../../../src/judgement/cases/metric-key.ts";
import { GraphDeployError } from "../../../../src/contract/graph-deploy-error.ts";
import { JUDGE_ADVICE } from "../../../account/advice.ts";
import type { Failure } from "../../../account/failure.ts";
import { describeResultsFailure, type ResultsFailureWords } from "../../../account/results-failure.ts";

/** The titles of its annotations, by code. */
export const JUDGE_TITLES: Readonly<Record<string, string>> = {
  BASELINE: "Baseline",
  CANCELLED: "Cancelled",
  DATA_FILE: "Results",
  GATES: "Gates",
  RESULTS: "Results",
  RUNNER_FILE: "Files",
  SNAPSHOT: "Snapshot",
};

export function judgeFailure(error: Error): Failure {
  return describeResultsFailure(error, { titles: JUDGE_TITLES, table: JUDGE_ADVICE, apart });
}

const MOST_VALUES = 5;

function apart({ column, values, where }: Parameters<ResultsFailureWords["apart"]>[0]): readonly string[] {
  const lines = values
    .slice(0, MOST_VALUES)
    .map((value) => `where: ${JSON.stringify(writtenWhere([...where, { column, value }]))}`);
  return lines.map((line, at) => (at === 0 ? line : `# ${line}`));
}

const MOST_FAULTS = 50;

/** The errors of the rules, each with the line and a caret below what is wrong; empty for another error. */
export function gateFaultLines(error: Error | undefined): readonly string[] {
  if (!(error instanceof GatesError)) return [];
  const shown = error.faults.slice(0, MOST_FAULTS).flatMap((fault) => faultText(fault).split("\n"));
  const rest = error.faults.length - MOST_FAULTS;
  return rest > 0 ? [...shown, `and ${String(rest)} more`] : shown;
}

/** A judgement that was cancelled. Nothing was sent, so that nothing remains. */
export class JudgementCancelledError extends GraphDeployError {
  readonly code = "CANCELLED";

  constructor() {
    super("The judgement was cancelled.", { advice: "Run it again; nothing was sent." });
  }
}
