import type { EvaluationEvent, Progress } from "../../../../src/evaluation/evaluation.ts";
import { COMMON_FACTS, learning } from "../../../account/event-table.ts";
import type { StepOutputs } from "../../../account/step-report.ts";
import type { EvaluateEvent } from "../events.ts";

type Of<Type extends EvaluationEvent["type"]> = Extract<EvaluationEvent, { readonly type: Type }>;

/** What is known about an evaluation so far. Its texts are foreign: they come from the files or the agent server. */
export interface EvaluateFacts {
  readonly planned?: Of<"planned">;
  readonly progress?: Progress;
  /** When the log last said how far it is, milliseconds since the start, and whether it does so now. */
  readonly saidAt: number;
  readonly isDue: boolean;
  readonly retries: number;
  readonly warnings: readonly string[];
  readonly ended?: Omit<Of<"ended">, "type">;
}

export const NO_FACTS: EvaluateFacts = { saidAt: 0, isDue: false, retries: 0, warnings: [] };

// A reader of a log waits no longer without a sign.
const EVERY_MILLISECONDS = 15_000;

export const learn = learning<EvaluateEvent, EvaluateFacts>({
  ...COMMON_FACTS,
  planned: (planned) => ({ planned }),
  progress: ({ progress }, { saidAt }) => {
    const isDue = progress.milliseconds - saidAt >= EVERY_MILLISECONDS;
    return { progress, isDue, ...(isDue ? { saidAt: progress.milliseconds } : {}) };
  },
  // A dry run has asked nothing: what it says is the plan.
  ended: (ended) => ({ ended: ended.status === "dry-run" ? { ...ended, summary: undefined } : ended }),
  retry: (_, { retries }) => ({ retries: retries + 1 }),
});

export function outputsOf({ ended, planned }: EvaluateFacts): StepOutputs {
  const { status = "failed", resultsPath, summary } = ended ?? {};
  const means = summary?.scores.flatMap(({ key, mean }) => (mean === undefined ? [] : [[key, mean] as const]));
  return {
    values: {
      status,
      "results-path": resultsPath,
      cases: summary?.cases ?? planned?.estimate.cases,
      trials: summary?.trials ?? planned?.estimate.trials,
      "agent-errors": summary?.agentErrors,
      unmeasured: summary?.unmeasured,
      scores: means && JSON.stringify(Object.fromEntries(means)),
      tokens: summary?.tokens && summary.tokens.input + summary.tokens.output,
      cost: summary?.cost,
      "latency-p50": summary?.latency && Math.round(summary.latency.p50),
      "latency-p95": summary?.latency && Math.round(summary.latency.p95),
      "revision-id": (summary?.last ?? planned?.server)?.revisionId,
    },
  };
}
