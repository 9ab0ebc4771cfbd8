import { choice, count, flag, line } from "../../src/contract/option-kinds.ts";
import { option } from "../../src/contract/options.ts";
import { CONNECTION_OPTIONS } from "../../src/control-plane/options.ts";
import { DEPLOY_OPTIONS } from "../../src/deployment/options.ts";
import { PREVIEW_NAME_LIMITS } from "../../src/deployment/preview-name.ts";
import { COMMENT_OPTIONS } from "../github/github-inputs.ts";
import type { InputNames } from "../../front/options/never-empty.ts";
import { DEPLOY_STEP_OPTIONS, deployInputsOf, type DEPLOY_SPELLINGS } from "../../front/steps/deploy/options.ts";

const OF_PREVIEW = { notWith: ["revisionId"], with: "preview" } as const;

export const PREVIEW_OPTIONS = {
  preview: option(flag, {
    about:
      "Deploy a preview of the run's pull request, such as `name-pr-7-a1b2c3`, with only the `secrets` of this step. Without a pull request, for a fork and for Dependabot, the step ends as `skipped`. Needs `pull-requests: read`.",
    default: "false",
    mayBeEmpty: false,
    excludes: "which is found by its name",
  }),
  previewName: option(choice(["unique", "plain"]), {
    about:
      "`unique`: a preview's name ends with six hex digits of a hash of the repository and `name`, so that no other repository has it. `plain`: it is `name-pr-7`. An existing deployment of a plain name is updated only if a deployment record of this repository names it, or with `onlyOwner`.",
    default: "unique",
    mayBeEmpty: false,
    ...OF_PREVIEW,
  }),
  previewNameLimit: option(count(), {
    about: "Maximum length of a preview's name, 20 to 63 characters. To fit, `name` is cut.",
    default: String(PREVIEW_NAME_LIMITS.usual),
    ...OF_PREVIEW,
  }),
  onlyOwner: option(flag, {
    about:
      "Set `true` if nobody else has deployments named like plain previews of `name` in this workspace. Then an existing one belongs to this repository without a deployment record. Only with `preview`.",
    default: "false",
    ...OF_PREVIEW,
  }),
};

/** What a deploy shows on GitHub. */
const GITHUB_OPTIONS = {
  environment: option(line, {
    about:
      "Environment of the repository in which GitHub shows this deployment: a deployment record with its state and the agent's URL. Leave it empty if the job itself has an `environment`. Needs `deployments: write`.",
  }),
  ...COMMENT_OPTIONS,
  githubToken: {
    ...COMMENT_OPTIONS.githubToken,
    about: "Token for GitHub's API. Used only if another input needs GitHub, such as `environment`.",
  },
};

const { url, apiKey, bearerToken, tenantId, ...connection } = CONNECTION_OPTIONS;
const { dryRun, record, maxBytes, ...deploy } = DEPLOY_OPTIONS;
const NOT_PREVIEW = { notWith: ["preview"] } as const;

/** All options of the action, in the order of action.yml. */
export const DEPLOY_ACTION_OPTIONS = {
  ...{ url, apiKey, bearerToken, tenantId },
  ...deploy,
  deploymentId: { ...deploy.deploymentId, ...NOT_PREVIEW },
  revisionId: { ...deploy.revisionId, ...NOT_PREVIEW },
  rollbackTo: { ...deploy.rollbackTo, notWith: ["preview", "revisionId"] },
  ...PREVIEW_OPTIONS,
  ...GITHUB_OPTIONS,
  ...{ dryRun, record, maxBytes },
  jobSummary: DEPLOY_STEP_OPTIONS.jobSummary,
  ...connection,
};

export const DEPLOY_ACTION_INPUTS = deployInputsOf(DEPLOY_ACTION_OPTIONS);

export type DeployActionInputName = InputNames<typeof DEPLOY_ACTION_OPTIONS, typeof DEPLOY_SPELLINGS>;
