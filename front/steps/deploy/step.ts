import * as core from "@actions/core";
import { CancelledError, SUCCESSES } from "../../../src/deployment/errors.ts";
import { commenting } from "../../../action/github/comment/step-comment.ts";
import type { Step } from "../run-step.ts";
import type { DeployStepEvent } from "./events.ts";
import { readInputs, secretsIn, type DeployInputs, type FollowInputs, type SkipInputs } from "./inputs.ts";
import { deployBrief } from "./report/comment.ts";
import { learn, NO_FACTS, type DeployFacts, outputsOf } from "./report/facts.ts";
import { Log, type DeployLogOptions } from "./report/log.ts";
import { summaryOf } from "./report/summary.ts";
import { taskText } from "./report/task.ts";

type Inputs = DeployInputs | FollowInputs | SkipInputs;
type How = Pick<DeployLogOptions, "dryRun" | "rehearsal" | "workspace">;

const comment = commenting<Inputs, DeployFacts>({
  kind: "deployment",
  describe: deployBrief,
  isRehearsal: (inputs) => inputs.task !== "skip" && inputs.connection.service === "local",
  // What the comment says is still true.
  isQuiet: ({ ended }) => ended?.outcome === "skipped",
});

export const deployStep: Step<Inputs, DeployStepEvent, DeployFacts, How> = {
  secretsIn,
  readInputs,
  comment: async (inputs, facts, surroundings) => {
    await comment(inputs, facts, surroundings);
    // The last that main asks of GitHub: what is left of a minute is for the post step.
    const stalled = inputs.task === "skip" ? undefined : inputs.github?.limits.stalls?.milliseconds;
    // Under this name close-left.ts finds it.
    if (stalled !== undefined) core.saveState("github-stalled", String(Math.round(stalled)));
  },
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
