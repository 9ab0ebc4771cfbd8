import { deployBrief } from "../../front/steps/deploy/report/account.ts";
import { previewTaskText } from "../../front/steps/deploy/report/task.ts";
import type { DeployFacts } from "../../front/steps/deploy/report/facts.ts";
import { deployStep as step } from "../../front/steps/deploy/step.ts";
import type { RunKind } from "../../front/account/part.ts";
import { outcomeFact } from "../../src/deployment/outcomes.ts";
import type { DeployStepEvent } from "../../front/steps/deploy/events.ts";
import type { Step } from "../../front/steps/run-step.ts";
import { commenting } from "../github/comment/step-comment.ts";
import { readOptions, type DeployInputs, type FollowInputs, type SkipInputs } from "./inputs.ts";
import { DEPLOY_ACTION_INPUTS, type DeployActionInputName } from "./options.ts";

type Inputs = DeployInputs | FollowInputs | SkipInputs;

const kindOf = (inputs: Inputs): RunKind => (inputs.task === "skip" ? {} : step.reporting.kind(inputs));

const comment = commenting<Inputs, DeployFacts>(
  {
    kind: "deployment",
    describe: deployBrief,
    isQuiet: ({ ended }) => ended !== undefined && outcomeFact(ended.outcome).isQuiet === true,
  },
  kindOf,
);

/** The deploy, with its record, its preview and its comment on GitHub. */
export const deployStep: Step<DeployActionInputName, Inputs, DeployStepEvent, DeployFacts> = {
  ...step,
  declared: DEPLOY_ACTION_INPUTS,
  readOptions,
  loadWork: async () => (await import("./work.ts")).deployOnGitHub,
  reporting: {
    ...step.reporting,
    task: (inputs) => {
      if (inputs.task === "skip") return "preview of a pull request";
      if (inputs.task === "follow" || !inputs.preview) return step.reporting.task(inputs);
      const { pullRequest, event } = inputs.preview.github;
      // What the inputs and the event leave open is found out later, and then has a line of its own.
      return previewTaskText(inputs, pullRequest ?? event.pullRequest?.number ?? event.commentedPullRequest);
    },
    kind: kindOf,
  },
  after: async (inputs, facts, surroundings) => {
    await comment(inputs, facts, surroundings);
    // The last that main asks of GitHub: what is left of a minute is for the post step.
    const stalled = inputs.task === "skip" ? undefined : inputs.github?.limits.stalls?.milliseconds;
    // Under this name close-left.ts finds it.
    if (stalled !== undefined) surroundings.host.saveState?.("github-stalled", String(Math.round(stalled)));
  },
};
