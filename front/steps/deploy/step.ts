import { CancelledError } from "../../../src/deployment/errors.ts";
import { isSuccess } from "../../../src/deployment/outcomes.ts";
import type { Step } from "../run-step.ts";
import type { DeployStepEvent } from "./events.ts";
import { readOptions, secretsIn, type DeployOptions, type FollowOptions } from "./inputs.ts";
import { DEPLOY_STEP_OPTIONS, deployInputsOf, type DeployInputName } from "./options.ts";
import { deployAccount } from "./report/account.ts";
import { learn, NO_FACTS, type DeployFacts, outputsOf } from "./report/facts.ts";
import { LINES } from "./report/log.ts";
import { taskText } from "./report/task.ts";

type Options = DeployOptions | FollowOptions;

export const deployStep: Step<DeployInputName, Options, DeployStepEvent, DeployFacts> = {
  declared: deployInputsOf(DEPLOY_STEP_OPTIONS),
  secretsIn,
  readOptions,
  loadWork: async () => (await import("./work.ts")).deployStep,
  reporting: {
    work: "deploy",
    task: taskText,
    facts: NO_FACTS,
    learn,
    lines: LINES,
    account: deployAccount,
    kind: (options) => {
      const source = options.task === "follow" ? undefined : options.request.source;
      return {
        dryRun: options.task === "dry-run",
        // The real path: a checkout may lie behind a link.
        workspace: source?.source === "internal_source" ? source.workspace : undefined,
        rehearsal: options.connection.service === "local",
      };
    },
    outputs: outputsOf,
    ended: (error, milliseconds) => {
      const outcome = error instanceof CancelledError ? "cancelled" : "failed";
      return { type: "ended", outcome, milliseconds, error };
    },
    cancelled: ({ deploymentId, revisionId }) => {
      const ids =
        revisionId === undefined
          ? ""
          : `; revision ${revisionId} of deployment ${deploymentId ?? ""} is still running in the service`;
      return new CancelledError(`The run was cancelled${ids}.`, { revisionId });
    },
    // Superseded with an error is a failure: it is a success only with `on-superseded: succeed`.
    isSuccess: ({ ended }) => ended !== undefined && isSuccess(ended.outcome),
  },
};
