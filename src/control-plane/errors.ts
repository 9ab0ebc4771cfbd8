import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { quoted } from "../text/quoted.ts";
import { describeValidationError, type ValidationError } from "../contract/validation-error.ts";

/** A request that breaks the rules of the service; it was not sent. */
export class InvalidRequestError extends GraphDeployError {
  readonly code = "INVALID_REQUEST";
  readonly violations: readonly ValidationError[];

  constructor(what: string, violations: readonly ValidationError[]) {
    super(`${what} is not valid: ${violations.map(describeValidationError).join("; ")}`);
    this.violations = violations;
  }
}

/** The name is taken, but no deployment of that name can be found. */
export class NameTakenError extends GraphDeployError {
  readonly code = "NAME_TAKEN";

  constructor(name: string, { canLookUp, ...options }: ErrorOptionsWithAdvice & { readonly canLookUp: boolean }) {
    super(`The name ${quoted(name)} is taken, but no deployment of that name can be found`, {
      advice: canLookUp
        ? "Something else of the service may use the name, for example a tracing project; choose another name or remove it."
        : "This service cannot list deployments; give the id of the deployment as `deployment-id`.",
      ...options,
    });
  }
}

/** Several deployments have the name. */
export class AmbiguousNameError extends GraphDeployError {
  readonly code = "AMBIGUOUS_NAME";

  /** `isAll`: no others have it. */
  constructor(name: string, ids: readonly string[], { isAll }: { readonly isAll: boolean }) {
    const count = `${isAll ? "" : "At least "}${String(ids.length)}`;
    super(`${count} deployments are named ${quoted(name)}: ${ids.join(", ")}`, {
      advice: "Say which one is meant with `deployment-id`, or delete the others.",
    });
  }
}

/** A create may have been carried out, and it cannot be found out whether it was. */
export class CreateUncertainError extends GraphDeployError {
  readonly code = "CREATE_UNCERTAIN";

  constructor(name: string, options: ErrorOptionsWithAdvice) {
    super(
      `${quoted(name)} may or may not have been created: the request failed, and the deployment cannot be looked up`,
      {
        advice: "Look in the service; if it is there, the next run updates it.",
        ...options,
      },
    );
  }
}
