import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { codeAfter, hasStatus, type UNAUTHORIZED } from "../http/errors.ts";
import { countOf } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import { messageOf, withoutFullStop } from "../text/reasons.ts";

const ADVICE_ADDRESS = "Check that the address is that of a service that accepts experiments.";

/** An experiment of this name exists already: names are unique in a workspace. */
export class ExperimentNameTakenError extends GraphDeployError {
  readonly code = "EXPERIMENT_NAME_TAKEN";
  readonly experimentName: string;

  constructor(name: string, options: ErrorOptionsWithAdvice = {}) {
    super(`An experiment named ${quoted(name)} already exists.`, options);
    this.experimentName = name;
  }
}

export interface SentSize {
  readonly experimentName: string;
  /** Of the request body. */
  readonly bytes: number;
  readonly rows: number;
}

/** The service does not accept a request body of this size. */
export class ExperimentTooLargeError extends GraphDeployError {
  readonly code = "EXPERIMENT_TOO_LARGE";
  readonly experimentName: string;
  readonly bytes: number;
  readonly rows: number;

  constructor(message: string, { experimentName, bytes, rows, ...options }: ErrorOptionsWithAdvice & SentSize) {
    super(message, {
      advice:
        rows > 1
          ? "Split it into several experiments."
          : "It has only one row, so it cannot be split: make the row smaller.",
      reasons: rows > 1 ? ["MANY_ROWS"] : [],
      ...options,
    });
    this.experimentName = experimentName;
    this.bytes = bytes;
    this.rows = rows;
  }
}

/** An experiment is not stored; `cause` has the reason. */
export class ExperimentNotUploadedError extends GraphDeployError {
  /** `UNAUTHORIZED` when the service refuses the key. */
  readonly code: "EXPERIMENT_NOT_UPLOADED" | typeof UNAUTHORIZED = codeAfter(this.cause, "EXPERIMENT_NOT_UPLOADED");
  readonly experimentName: string;

  constructor(name: string, cause: GraphDeployError, options: Pick<ErrorOptionsWithAdvice, "advice" | "reasons"> = {}) {
    super(`The experiment ${quoted(name)} was not uploaded: ${withoutFullStop(cause.message)}.`, {
      cause,
      ...(hasStatus(cause, 404, 405)
        ? { advice: ADVICE_ADDRESS, reasons: ["NO_EXPERIMENTS_SERVED"] }
        : { advice: cause.advice }),
      ...options,
    });
    this.experimentName = name;
  }
}

/** An experiment was sent, and neither a response nor the list of the service shows whether it is stored. */
export class ExperimentUnansweredError extends GraphDeployError {
  readonly code = "EXPERIMENT_UNANSWERED";
  readonly experimentName: string;

  /** `address`: where the service lists the experiments of this name, if it has such a list. */
  constructor(name: string, cause: unknown, address: string) {
    super(`Could not confirm that the experiment ${quoted(name)} was stored: ${withoutFullStop(messageOf(cause))}.`, {
      cause,
      advice: `Look for it by its name before you run again: curl -H "x-api-key: $GRAPH_DEPLOY_API_KEY" "${address}"`,
    });
    this.experimentName = name;
  }
}

/** An experiment was sent twice, since the first request was not answered and the service did not list it, and is stored twice. */
export class ExperimentStoredTwiceError extends GraphDeployError {
  readonly code = "EXPERIMENT_STORED_TWICE";
  readonly experimentName: string;
  readonly experimentIds: readonly string[];

  constructor(name: string, ids: readonly string[]) {
    super(`The experiment ${quoted(name)} is stored ${countOf(ids.length, "time")}: ${ids.join(", ")}.`, {
      advice: "They have the same rows: delete all but one of them in the service.",
    });
    this.experimentName = name;
    this.experimentIds = ids;
  }
}
