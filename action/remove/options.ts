import { inputsOf, type InputNames } from "../../front/options/never-empty.ts";
import { age, choice, count, duration, flag, line, TIMEOUT_BOUNDS } from "../../src/contract/option-kinds.ts";
import { option } from "../../src/contract/options.ts";
import { CONNECTION_OPTIONS } from "../../src/control-plane/options.ts";
import { PREVIEW_NAME_LIMITS } from "../../src/deployment/preview-name.ts";
import { COMMENT_OPTIONS } from "../github/github-inputs.ts";

const { url, apiKey, bearerToken, tenantId, ...connection } = CONNECTION_OPTIONS;

/** What may be asked of a removal, in the order of action.yml. */
export const REMOVE_OPTIONS = {
  ...{ url, apiKey, bearerToken, tenantId },
  name: option(line, {
    required: true,
    about: "Name that the previews were deployed with, without `-pr-` and what follows.",
  }),
  previewNameLimit: option(count(), {
    about: "Maximum length of a preview's name in characters, as in the step that deploys it.",
    default: String(PREVIEW_NAME_LIMITS.usual),
  }),
  pullRequest: option(count("auto"), {
    about: "Number of the pull request whose preview is removed. `auto` means that of the event.",
    word: "auto",
  }),
  all: option(flag, {
    about:
      "Check every preview of `name` instead of one pull request. Default: `true` for a schedule and, without `pullRequest`, for a run by hand, else `false`.",
  }),
  maxAgeMilliseconds: option(age("14d, 36h"), {
    about:
      "With `all`, also remove previews that were deployed longer ago than this, such as `14d` or `36h`, even if their pull request is open.",
  }),
  maxCount: option(count(), {
    about:
      "With `all`, keep at most this many previews of open pull requests: remove those that were deployed longest ago.",
  }),
  onlyOwner: option(flag, {
    about:
      "Set `true` if nobody else has deployments named like plain previews of `name` (`name-pr-7`) in this workspace. Otherwise such a preview is removed only if a deployment record of this repository proves that it is its own. A preview with a unique name needs no record.",
    default: "false",
  }),
  environment: option(line, {
    about:
      "Environment of the deployment records, as in the step that deploys. With `all`, the step also deletes records in it whose preview is gone and whose pull request is closed.",
    default: "preview",
  }),
  commentKey: {
    ...COMMENT_OPTIONS.commentKey,
    about:
      "Name of the section in the comment that is marked as removed, as in the step that deploys. Default: `name`.",
  },
  ifMissing: option(choice(["succeed", "fail"]), {
    about: "How the step ends if the pull request has no preview, `succeed` or `fail`.",
    default: "succeed",
  }),
  timeoutMilliseconds: option(duration(TIMEOUT_BOUNDS), {
    about: "How long to wait until a deployment is gone, as `90s`, `10m` or seconds.",
    default: "10m",
  }),
  dryRun: option(flag, {
    about: "Show what would be removed and why, without removing anything.",
    default: "false",
    mayBeEmpty: false,
  }),
  githubToken: {
    ...COMMENT_OPTIONS.githubToken,
    about:
      "Token for GitHub's API. The state of a pull request needs `pull-requests: read`, its deployment records `deployments: write`, its comment `pull-requests: write`.",
  },
  jobSummary: option(flag, { about: "Add what was removed to the job summary.", default: "true" }),
  ...connection,
};

const SPELLING = {
  url: "control-plane-url",
  maxAgeMilliseconds: "max-age",
  timeoutMilliseconds: "timeout",
} as const;

export type RemoveInputName = InputNames<typeof REMOVE_OPTIONS, typeof SPELLING>;

export const REMOVE_INPUTS = inputsOf(REMOVE_OPTIONS, SPELLING);
