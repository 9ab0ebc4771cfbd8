import { flag } from "../../../src/contract/option-kinds.ts";
import { option } from "../../../src/contract/options.ts";
import { CONNECTION_OPTIONS } from "../../../src/control-plane/options.ts";
import { DEPLOY_OPTIONS } from "../../../src/deployment/options.ts";
import { inputsOf, type InputNames } from "../../options/never-empty.ts";

/** The options whose inputs and flags are not their neutral names in kebab case. */
export const DEPLOY_SPELLINGS = {
  url: "control-plane-url",
  timeoutMilliseconds: "timeout",
  pollCapMilliseconds: "poll-interval",
  maxBytes: "max-size",
  record: "deploy-record",
} as const;

/** What a step of a deploy takes, without what its host adds. */
export const DEPLOY_STEP_OPTIONS = {
  ...CONNECTION_OPTIONS,
  ...DEPLOY_OPTIONS,
  jobSummary: option(flag, { about: "Add the deployment to the job summary.", default: "true" }),
};

const REMEDIES = {
  "deployment-id": "to find the deployment by its name, leave it out or write `none`",
  "revision-id": "to deploy, leave it out or write `none`",
  "rollback-to": "to deploy, leave it out or write `none`",
};

/** The inputs of a deploy that has these options; no other can be read. */
export function deployInputsOf<const Table extends typeof DEPLOY_STEP_OPTIONS>(table: Table) {
  return { ...inputsOf(table, DEPLOY_SPELLINGS), remedies: REMEDIES };
}

export type DeployInputName = InputNames<typeof DEPLOY_STEP_OPTIONS, typeof DEPLOY_SPELLINGS>;
