import { CancelledError } from "../../../src/deployment/errors.ts";
import { SUCCESSES } from "../../../src/deployment/outcomes.ts";
import type { Step } from "../run-step.ts";
import { DEPLOY_INPUTS, DEPLOY_NEVER_EMPTY, type DeployInputName } from "./declared-inputs.ts";
import type { DeployStepEvent } from "./events.ts";
import { readOptions, secretsIn, type DeployOptions, type FollowOptions } from "./inputs.ts";
import { learn, NO_FACTS, type DeployFacts, outputsOf } from "./report/facts.ts";
import { Log, type DeployLogOptions } from "./report/log.ts";
import { summaryOf } from "./report/summary.ts";
import { taskText } from "./report/task.ts";

type Options = DeployOptions | FollowOptions;
export type DeployHow = Pick<DeployLogOptions, "dryRun" | "rehearsal" | "workspace">;

export const deployStep: Step<DeployInputName, Options, DeployStepEvent, DeployFacts, DeployHow> = {
  declared: { defaults: DEPLOY_INPUTS, neverEmpty: DEPLOY_NEVER_EMPTY },
  secretsIn,
  readOptions,
  loadWork: async () => (await import("./work.ts")).deployStep,
  reporting: {
    work: "deploy",
    task: taskText,
    facts: NO_FACTS,
    learn,
    how: (options) => {
      const source = options.task === "follow" ? undefined : options.request.source;
      return {
        dryRun: options.task === "dry-run",
        // The real path: a checkout may lie behind a link.
        workspace: source?.source === "internal_source" ? source.workspace : undefined,
        rehearsal: options.connection.service === "local",
      };
    },
    log: (options, facts) => new Log(options, facts),
    outputs: outputsOf,
    summary: summaryOf,
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
    isSuccess: ({ ended }) => SUCCESSES.some((outcome) => outcome === ended?.outcome),
  },
};
