import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";

/** An experiment of this name is there already: names are unique in a workspace. */
export class ExperimentNameTakenError extends GraphDeployError {
  readonly code = "EXPERIMENT_NAME_TAKEN";

  constructor(name: string, options: ErrorOptionsWithAdvice = {}) {
    super(`An experiment named ${name} is there already.`, {
      advice: "Choose another `experiment-name`, or let `on-name-conflict: suffix` add a number to it.",
      ...options,
    });
  }
}

/** The service takes no body of this size. */
export class ExperimentTooLargeError extends GraphDeployError {
  readonly code = "EXPERIMENT_TOO_LARGE";
}
