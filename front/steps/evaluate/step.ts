import type { Step } from "../run-step.ts";
import type { EvaluateEvent } from "./events.ts";
import { EVALUATE_INPUTS, readOptions, secretsIn, type EvaluateInputName, type EvaluateOptions } from "./inputs.ts";
import { evaluateAccount } from "./report/account.ts";
import { learn, NO_FACTS, outputsOf, type EvaluateFacts } from "./report/facts.ts";
import { LINES } from "./report/log.ts";
import { cancelledEvaluation, EvaluationCancelledError } from "./report/words.ts";

export const evaluateStep: Step<EvaluateInputName, EvaluateOptions, EvaluateEvent, EvaluateFacts> = {
  declared: EVALUATE_INPUTS,
  secretsIn,
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: {
    work: "evaluation",
    task: ({ task }) => {
      if (task.type === "rescore") return "scoring of kept answers";
      return `evaluation of an agent${task.request.dryRun ? "; dry run, asks nothing" : ""}`;
    },
    kind: ({ task, runUrl, workspace }) => ({
      dryRun: task.type === "ask" && task.request.dryRun,
      rehearsal: task.type === "ask" && task.connection.service === "local",
      runUrl,
      workspace,
    }),
    facts: NO_FACTS,
    learn,
    lines: LINES,
    account: evaluateAccount,
    outputs: outputsOf,
    cancelled: cancelledEvaluation,
    ended: (error, milliseconds) => ({
      type: "ended",
      status: error instanceof EvaluationCancelledError ? "cancelled" : "failed",
      ...{ milliseconds, error, resultsPath: undefined, summary: undefined },
    }),
  },
};
