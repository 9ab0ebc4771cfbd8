import type { Step } from "../../front/steps/run-step.ts";
import type { RemoveStepEvent } from "./events.ts";
import {
  readOptions,
  REMOVE_INPUTS,
  REMOVE_NEVER_EMPTY,
  secretsIn,
  type RemoveInputName,
  type RemoveInputs,
} from "./inputs.ts";
import { learn, NO_FACTS, outputsOf, type RemoveFacts, Log, cancelledRemoval, summaryOf, taskText } from "./report.ts";

/** What the log and the summary of a removal should know of the run. */
interface RemoveHow {
  /** Nothing will be removed. */
  readonly dryRun: boolean;
  /** The service is the local one. */
  readonly rehearsal: boolean;
}

export const removeStep: Step<RemoveInputName, RemoveInputs, RemoveStepEvent, RemoveFacts, RemoveHow> = {
  declared: { defaults: REMOVE_INPUTS, neverEmpty: REMOVE_NEVER_EMPTY },
  secretsIn,
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: {
    work: "removal",
    task: taskText,
    facts: NO_FACTS,
    learn,
    how: (inputs) => ({
      dryRun: inputs.task === "dry-run",
      rehearsal: inputs.task !== "skip" && inputs.connection.service === "local",
    }),
    log: (options, facts) => new Log(options, facts),
    outputs: outputsOf,
    summary: summaryOf,
    ended: (error, milliseconds) => ({ type: "ended", milliseconds, error }),
    cancelled: cancelledRemoval,
    isSuccess: () => true,
  },
};
