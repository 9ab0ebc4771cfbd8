import { CancelledError, SUCCESSES } from "../../src/deployment/errors.ts";
import { commenting } from "../github/comment/step-comment.ts";
import type { Step } from "../step/run-step.ts";
import type { DeployStepEvent } from "./events.ts";
import { readInputs, secretsIn, type DeployInputs, type FollowInputs, type SkipInputs } from "./inputs.ts";
import { deployBrief } from "./report/comment.ts";
import { learn, NO_FACTS, type DeployFacts, outputsOf } from "./report/facts.ts";
import { Log, type DeployLogOptions } from "./report/log.ts";
import { summaryOf } from "./report/summary.ts";
import { taskText } from "./report/task.ts";

type Inputs = DeployInputs | FollowInputs | SkipInputs;
type How = Pick<DeployLogOptions, "dryRun" | "rehearsal" | "workspace">;

export const deployStep: Step<Inputs, DeployStepEvent, DeployFacts, How> = {
  secretsIn,
  readInputs,
  comment: commenting({
    kind: "deployment",
    describe: deployBrief,
    isRehearsal: (inputs) => inputs.task !== "skip" && inputs.connection.service === "local",
    // What the comment says is still true.
    isQuiet: ({ ended }) => ended?.outcome === "skipped",
  }),
  loadWork: async () => (await import("./work.ts")).carryOut,
  reporting: {
    work: "deploy",
    task: taskText,
    facts: NO_FACTS,
    learn,
    how: (inputs) => {
      if (inputs.task === "skip") return { dryRun: false, workspace: undefined, rehearsal: false };
      const source = inputs.task === "follow" ? undefined : inputs.request.source;
      return {
        dryRun: inputs.task === "dry-run",
        // The real path: a checkout may lie behind a link.
        workspace: source?.source === "internal_source" ? source.workspace : undefined,
        rehearsal: inputs.connection.service === "local",
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
