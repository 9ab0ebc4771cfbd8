import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";

/** What must be known before a preview is removed is not known; nothing was removed. */
export class UnknownStateError extends GraphDeployError {
  readonly code = "UNKNOWN_STATE";
}

/** Some previews could not be removed; or there is none, where that is an error. */
export class NotRemovedError extends GraphDeployError {
  readonly code = "NOT_REMOVED";
}
