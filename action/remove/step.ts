import { secretsOfControlPlane } from "../../front/options/control-plane-connection.ts";
import type { Step } from "../../front/steps/run-step.ts";
import type { RemoveStepEvent } from "./events.ts";
import { readOptions, type RemoveInputs } from "./inputs.ts";
import { REMOVE_INPUTS, type RemoveInputName } from "./options.ts";
import { removeReporting, type RemoveFacts } from "./report.ts";

export const removeStep: Step<RemoveInputName, RemoveInputs, RemoveStepEvent, RemoveFacts> = {
  declared: REMOVE_INPUTS,
  secretsIn: secretsOfControlPlane,
  readOptions,
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: removeReporting,
};
