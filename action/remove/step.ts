import { secretsOfControlPlane } from "../../front/options/control-plane-connection.ts";
import type { Step } from "../../front/steps/run-step.ts";
import type { RemoveStepEvent } from "./events.ts";
import { readOptions, type RemoveInputs } from "./inputs.ts";
import { REMOVE_INPUTS, type RemoveInputName } from "./options.ts";
import {
  cancelledRemoval,
  learn,
  LINES,
  NO_FACTS,
  outputsOf,
  removeAccount,
  taskText,
  type RemoveFacts,
} from "./report.ts";

export const removeStep: Step<RemoveInputName, RemoveInputs, RemoveStepEvent, RemoveFacts> = {
  declared: REMOVE_INPUTS,
  secretsIn: secretsOfControlPlane,
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: {
    work: "removal",
    task: taskText,
    facts: NO_FACTS,
    learn,
    lines: LINES,
    account: removeAccount,
    kind: (inputs) => ({
      dryRun: inputs.task === "dry-run",
      rehearsal: inputs.task !== "skip" && inputs.connection.service === "local",
    }),
    outputs: outputsOf,
    ended: (error, milliseconds) => ({ type: "ended", milliseconds, error }),
    cancelled: cancelledRemoval,
    isSuccess: () => true,
  },
};
