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

export interface NoListFacts extends ErrorOptionsWithAdvice {
  readonly kind: NoListError["kind"];
}

/**
 * No list shows whether there is a deployment of a name: the service has no list of deployments, or answers with
 * something that cannot be read as one, or with deployments that have no name. So the deployment may exist.
 */
export class NoListError extends GraphDeployError {
  readonly code = "NO_LIST";
  readonly deploymentName: string;
  /** `missing`: the service has no such endpoint. `undecided`: it answers there, with what proves nothing. */
  readonly kind: "missing" | "undecided";

  /** `why` follows a colon. */
  constructor(name: string, why: string, { kind, ...options }: NoListFacts) {
    super(`This service has no list that shows whether a deployment is named ${quoted(name)}: ${why}`, {
      advice: "If it exists, its id leads to it.",
      reasons: ["LIST_UNSUPPORTED"],
      ...options,
    });
    this.deploymentName = name;
    this.kind = kind;
  }
}

/** The list of deployments contradicts the deployment that it gives for a name. */
export class ListMismatchError extends GraphDeployError {
  readonly code = "LIST_MISMATCH";
  readonly deploymentId: string;

  /** `actual`: the name that it has; undefined if it cannot be found. */
  constructor(name: string, id: string, actual: string | undefined) {
    const what = actual === undefined ? "does not exist" : `is named ${quoted(actual)}`;
    super(`The list of deployments gives deployment ${id} for the name ${quoted(name)}, but that deployment ${what}`, {
      advice:
        actual === undefined
          ? "The list may lag behind a delete: run again in a minute."
          : "Do not look it up by its name at this service: use its id.",
    });
    this.deploymentId = id;
  }
}

/** Why a name that is taken leads to no deployment. */
export interface TakenFacts extends ErrorOptionsWithAdvice {
  readonly canLookUp: boolean;
  /** The deployment whose name differs in its case only, if there is one. */
  readonly inAnotherCase?: { readonly id: string; readonly name: string } | undefined;
}

/** The name is taken, but no deployment of that name can be found. */
export class NameTakenError extends GraphDeployError {
  readonly code = "NAME_TAKEN";
  readonly deploymentName: string;

  constructor(name: string, { canLookUp, inAnotherCase: other, ...options }: TakenFacts) {
    const by = other
      ? ` by deployment ${other.id}, which is named ${quoted(other.name)}: this service does not distinguish their case`
      : canLookUp
        ? ", but no deployment of that name can be found"
        : ", and this service has no list to find the deployment by its name";
    const advice = other
      ? `Use the name ${quoted(other.name)} to update that deployment, or choose another name.`
      : canLookUp
        ? "The name may be taken by another resource, such as a tracing project; choose another name or remove it."
        : "An existing deployment can only be found by its id.";
    super(`The name ${quoted(name)} is taken${by}`, {
      advice,
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
    const isUnlisted = options.cause instanceof NoListError;
    super(
      `${quoted(name)} may or may not have been created: the request failed, and the deployment cannot be looked up`,
      {
        advice: isUnlisted
          ? "Check in the service whether it exists. If it does, only its id leads to it."
          : "Check in the service whether it exists; if it does, the next run updates it.",
        reasons: isUnlisted ? ["LIST_UNSUPPORTED"] : [],
        ...options,
      },
    );
    this.deploymentName = name;
  }
}
