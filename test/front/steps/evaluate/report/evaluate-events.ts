import type { EvaluateEvent } from "../../../../../front/steps/evaluate/events.ts";
import type { EvaluationStatus, Progress } from "../../../../../src/evaluation/evaluation.ts";
import type { EvaluationSummary } from "../../../../../src/scoring/summary.ts";

const SERVER = { version: "0.16.7", revisionId: "4f1c09a2", workers: 4 };

export const SUMMARY: EvaluationSummary = {
  cases: 20,
  trials: 60,
  agentErrors: 1,
  unmeasured: 0,
  errors: [{ outcome: "agent-error", count: 1, caseId: "locked-out", error: "KeyError: 'articles'" }],
  scores: [
    { key: "correct", mean: 0.85, count: 60, missing: 0, broken: 0, reason: "" },
    { key: "complete", mean: 2 / 3, count: 54, missing: 6, broken: 0, reason: "the row has no $.facts" },
  ],
  tokens: { input: 12_000, output: 3_400 },
  cost: 0.0421,
  latency: { p50: 840, p95: 2_310 },
  first: SERVER,
  last: SERVER,
};

/** An evaluation in which some were not measured. */
export const OUTAGE: EvaluationSummary = {
  ...SUMMARY,
  agentErrors: 0,
  unmeasured: 12,
  errors: [
    { outcome: "unreachable", count: 11, caseId: "cheaper", error: "connection refused" },
    { outcome: "timeout", count: 1, caseId: "locked-out", error: "the run took longer than 120 s" },
  ],
  scores: [{ key: "correct", mean: undefined, count: 0, missing: 0, broken: 0, reason: "" }],
  tokens: undefined,
  cost: undefined,
  latency: undefined,
};

export function planned(estimate: { readonly tokens?: number; readonly cost?: number } = {}): EvaluateEvent {
  const { tokens, cost } = estimate;
  return {
    type: "planned",
    estimate: { cases: 20, trials: 60, tokens, cost },
    graph: "support",
    server: SERVER,
    concurrency: 4,
  };
}

export function progress(done: number, milliseconds: number, more: Partial<Progress> = {}): EvaluateEvent {
  const so = { done, trials: 60, milliseconds, unmeasured: {}, agentErrors: 0, tokens: undefined, inFlight: 4 };
  return { type: "progress", progress: { ...so, ...more } };
}

const NO_RESULTS = { resultsPath: undefined, summary: undefined };

export function ended(
  status: EvaluationStatus,
  { summary = SUMMARY, error }: { readonly summary?: EvaluationSummary; readonly error?: Error } = {},
): EvaluateEvent {
  const isWritten = status !== "failed" && status !== "dry-run";
  const results = isWritten ? { resultsPath: "/work/results/support.jsonl", summary } : NO_RESULTS;
  return { type: "ended", status, milliseconds: 61_000, ...results, error };
}
