import type { EvaluationStatus, Estimate, Progress } from "../../../../src/evaluation/evaluation.ts";
import type { EvaluationSummary } from "../../../../src/scoring/summary.ts";
import { GraphDeployError } from "../../../../src/contract/graph-deploy-error.ts";
import { durationText, latencyText } from "../../../../src/text/duration.ts";
import { countOf, countText, numberText } from "../../../../src/text/number.ts";
import { EVALUATE_ADVICE } from "../../../account/advice.ts";
import type { Sign } from "../../../account/brief.ts";
import { describeFailure, type Failure } from "../../../account/failure.ts";
import { countRate } from "../../../account/progress.ts";
import type { EvaluateFacts } from "./facts.ts";

export const ENDS: Readonly<Record<EvaluationStatus, { readonly sign: Sign; readonly state: string }>> = {
  complete: { sign: "good", state: "complete" },
  "dry-run": { sign: "neutral", state: "dry run" },
  incomplete: { sign: "bad", state: "incomplete" },
  "over-budget": { sign: "bad", state: "over budget" },
  overdue: { sign: "bad", state: "overdue" },
  cancelled: { sign: "bad", state: "cancelled" },
  failed: { sign: "bad", state: "failed" },
};

export const EVALUATE_TITLES: Readonly<Record<string, string>> = {
  CANCELLED: "Cancelled",
  DATA_FILE: "Dataset",
  DATASET: "Dataset",
  EVALUATION_CANCELLED: "Cancelled",
  EVALUATION_INCOMPLETE: "Incomplete",
  EVALUATION_OVERDUE: "Overdue",
  EVALUATION_OVER_BUDGET: "Over budget",
  EVALUATION_UNREACHABLE: "Unreachable",
  SCORER: "Scorer",
};

export function evaluateFailure(error: Error): Failure {
  return describeFailure(error, { title: "Evaluation", titles: EVALUATE_TITLES, table: EVALUATE_ADVICE });
}

/** `20 cases, 3 trials each: 60 runs` */
export function runsText({ cases, trials }: Pick<Estimate, "cases" | "trials">): string {
  const each = cases === 0 ? 0 : trials / cases;
  return each > 1 && Number.isInteger(each)
    ? `${countOf(cases, "case")}, ${countText(each)} trials each: ${countOf(trials, "run")}`
    : `${countOf(cases, "case")}, ${countOf(trials, "run")}`;
}

/** What is expected, where something is: `about 12,000 tokens`, `cost about 0.12` */
export function expectedTexts({ tokens, cost }: Estimate): readonly string[] {
  return [
    ...(tokens === undefined ? [] : [`about ${countOf(Math.round(tokens), "token")} expected`]),
    ...(cost === undefined ? [] : [`cost about ${numberText(cost)}`]),
  ];
}

/** `12 of 60 runs, 1.2 runs/s, 2 timeout, 12,000 tokens, about 40 s left` */
export function progressText({
  done,
  trials,
  milliseconds,
  unmeasured,
  agentErrors,
  tokens,
  inFlight,
}: Progress): string {
  const left = done === 0 ? undefined : (milliseconds / done) * (trials - done);
  const total = tokens && tokens.input + tokens.output;
  const errors = Object.entries(unmeasured).map(([outcome, count]) => `${countText(count)} ${outcome}`);
  return [
    `${countText(done)} of ${countOf(trials, "run")}`,
    countRate(done, "run", milliseconds),
    ...(agentErrors === 0 ? [] : [`${countText(agentErrors)} agent-error`]),
    ...errors,
    total === undefined ? "" : countOf(total, "token"),
    `${countText(inFlight)} open`,
    left === undefined ? "" : `about ${durationText(left)} left`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/** `correct 0.85` with what is missing: `correct 0.85 (2 missing: no expectation)` */
export function scoreTexts({ scores }: EvaluationSummary): readonly string[] {
  return scores.map(({ key, mean, missing, broken, reason }) => {
    // What is broken is missing, too.
    const without = [
      ...(missing === broken ? [] : [`${countText(missing - broken)} missing`]),
      ...(broken === 0 ? [] : [`${countText(broken)} broken`]),
    ];
    const why = reason === "" ? "" : `: ${reason}`;
    const rest = without.length === 0 ? "" : ` (${without.join(", ")}${why})`;
    return `${key} ${mean === undefined ? "none" : numberText(mean)}${rest}`;
  });
}

/** Times, tokens and cost, a clause each; what is unknown is left out. */
export function amountTexts({ latency, tokens, cost }: EvaluationSummary): readonly string[] {
  return [
    ...(latency ? [`latency p50 ${latencyText(latency.p50)}`, `p95 ${latencyText(latency.p95)}`] : []),
    ...(tokens ? [`${countText(tokens.input)} tokens in`, `${countText(tokens.output)} out`] : []),
    ...(cost === undefined ? [] : [`cost ${numberText(cost)}`]),
  ];
}

/** Trials without a score of the agent, by kind, each with one case: `2 timeout, e.g. case-7: …` */
export function errorTexts({ errors }: EvaluationSummary): readonly string[] {
  return errors.map(({ outcome, count, caseId, error }) => {
    return `${countText(count)} ${outcome}, e.g. ${caseId}${error === "" ? "" : `: ${error}`}`;
  });
}

export class EvaluationCancelledError extends GraphDeployError {
  readonly code = "CANCELLED";
}

export function cancelledEvaluation({ progress }: Pick<EvaluateFacts, "progress">): EvaluationCancelledError {
  const at = progress ? ` after ${countText(progress.done)} of ${countOf(progress.trials, "run")}` : "";
  return new EvaluationCancelledError(`The evaluation was cancelled${at}.`);
}
