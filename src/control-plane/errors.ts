import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { quoted } from "../text/quoted.ts";
import { describeValidationError, type ValidationError } from "../contract/validation-error.ts";

/** A request that breaks the rules of the service; it was not sent. */
export class InvalidRequestError extends GraphDeployError {
  readonly code = "INVALID_REQUEST";
  readonly violations: readonly ValidationError[];

  constructor(what: string, violations: readonly ValidationError[]) {
    super(`${what} is not valid: ${violations.map(describeValidationError).join("; ")}`, {
      advice: "Correct these fields; the request was not sent.",
    });
    this.violations = violations;
  }
}

/** The name is taken, but no deployment of that name can be found. */
export class NameTakenError extends GraphDeployError {
  readonly code = "NAME_TAKEN";
  readonly deploymentName: string;

  constructor(name: string, { canLookUp, ...options }: ErrorOptionsWithAdvice & { readonly canLookUp: boolean }) {
    super(`The name ${quoted(name)} is taken, but no deployment of that name can be found`, {
      advice: canLookUp
        ? "The name may be taken by another resource, such as a tracing project; choose another name or remove it."
        : "This service cannot list deployments, so an existing one can only be found by its id.",
      reasons: canLookUp ? [] : ["LIST_UNSUPPORTED"],
      ...options,
    });
    this.deploymentName = name;
  }
}

/** Several deployments have the name. */
export class AmbiguousNameError extends GraphDeployError {
  readonly code = "AMBIGUOUS_NAME";
  readonly deploymentName: string;
  readonly ids: readonly string[];

  /** `isAll`: no others have it. */
  constructor(name: string, ids: readonly string[], { isAll }: { readonly isAll: boolean }) {
    const count = `${isAll ? "" : "At least "}${String(ids.length)}`;
    super(`${count} deployments are named ${quoted(name)}: ${ids.join(", ")}`);
    this.deploymentName = name;
    this.ids = ids;
  }
}

/** A create may have been carried out, and it cannot be found out whether it was. */
export class CreateUncertainError extends GraphDeployError {
  readonly code = "CREATE_UNCERTAIN";
  readonly deploymentName: string;

  constructor(name: string, options: ErrorOptionsWithAdvice) {
    super(
      `${quoted(name)} may or may not have been created: the request failed, and the deployment cannot be looked up`,
      {
        advice: "Check in the service whether it exists; if it does, the next run updates it.",
        ...options,
      },
    );
    this.deploymentName = name;
  }
}
