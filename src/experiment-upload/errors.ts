import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { codeAfter, hasStatus, type UNAUTHORIZED } from "../http/errors.ts";
import { quoted } from "../text/quoted.ts";
import { withoutFullStop } from "../text/reasons.ts";

const ADVICE_ADDRESS = "Check that `base-url` is the address of a service that takes experiments.";

/** An experiment of this name is there already: names are unique in a workspace. */
export class ExperimentNameTakenError extends GraphDeployError {
  readonly code = "EXPERIMENT_NAME_TAKEN";

  constructor(name: string, options: ErrorOptionsWithAdvice = {}) {
    super(`An experiment named ${quoted(name)} already exists.`, {
      advice: "Choose another `experiment-name`, or let `on-name-conflict: suffix` add a number to it.",
      ...options,
    });
  }
}

/** The service takes no body of this size. */
export class ExperimentTooLargeError extends GraphDeployError {
  readonly code = "EXPERIMENT_TOO_LARGE";
}

/** An experiment is not stored; the cause says why. */
export class ExperimentNotUploadedError extends GraphDeployError {
  /** `UNAUTHORIZED` when the service refuses the key. */
  readonly code: "EXPERIMENT_NOT_UPLOADED" | typeof UNAUTHORIZED = codeAfter(this.cause, "EXPERIMENT_NOT_UPLOADED");

  constructor(name: string, cause: GraphDeployError, options: Pick<ErrorOptionsWithAdvice, "advice"> = {}) {
    super(`The experiment ${quoted(name)} was not uploaded: ${withoutFullStop(cause.message)}.`, {
      cause,
      advice: hasStatus(cause, 404, 405) ? ADVICE_ADDRESS : cause.advice,
      ...options,
    });
  }
}

/** An experiment was sent, and no answer came back that says what became of it. */
export class ExperimentUnansweredError extends GraphDeployError {
  readonly code = "EXPERIMENT_UNANSWERED";

  constructor(name: string, cause: unknown) {
    const why = cause instanceof Error ? withoutFullStop(cause.message) : String(cause);
    super(`Could not confirm that the experiment ${quoted(name)} was stored: ${why}.`, {
      cause,
      advice: "Look for it by its name before you run again: under the same name it is never stored twice.",
    });
  }
}
