import { type ErrorOptionsWithAdvice, GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { FailedFact } from "../contract/revision-status.ts";
import { codeAfter, type UNAUTHORIZED } from "../http/errors.ts";
import type { Outcome } from "./outcomes.ts";

/** A deploy that failed, with its outcome. */
export abstract class DeployError extends GraphDeployError {
  readonly outcome: Outcome = "failed";
  /** The revision that is still running in the service, which a later run can wait for. */
  readonly revisionId: string | undefined;
  /** The deployment that the error is about, if there is one. */
  readonly deploymentId: string | undefined;

  constructor(message: string, options: DeployErrorOptions = {}) {
    super(message, options);
    this.revisionId = options.revisionId;
    this.deploymentId = options.deploymentId;
  }
}

/** The facts of a DeployError besides its message. */
export interface DeployErrorOptions extends ErrorOptionsWithAdvice {
  readonly revisionId?: string | undefined;
  readonly deploymentId?: string | undefined;
}

/** The plan cannot be carried out; nothing was written. */
export class PlanError extends DeployError {
  /** `UNAUTHORIZED` if the service rejects the credential. */
  readonly code: "PLAN" | typeof UNAUTHORIZED = codeAfter(this.cause, "PLAN");
}

/** A revision that a rollback may go back to. */
export interface RollbackChoice {
  readonly id: string;
  /** As the service writes the time. */
  readonly madeAt: string | undefined;
  /** The commit that it was made from, where a record has it. */
  readonly commit: string | undefined;
  /** It is live now, so there is nothing to go back to. */
  readonly serves: boolean;
}

/** ` (2026-05-04T10:00:00Z, commit 1234567, serves now)`, as far as it is known. */
export function aboutChoice({ madeAt, commit, serves }: RollbackChoice): string {
  const facts = [
    ...(madeAt === undefined ? [] : [madeAt]),
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 7)}`]),
    ...(serves ? ["serves now"] : []),
  ];
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

/** Which revision is the previous one cannot be told: files are compared by digests that no record has. */
export class RollbackUnclearError extends PlanError {
  /** The last that were DEPLOYED, newest first, at most five. */
  readonly choices: readonly RollbackChoice[];

  constructor(message: string, { choices, ...options }: DeployErrorOptions & Pick<RollbackUnclearError, "choices">) {
    super(message, options);
    this.choices = choices;
  }
}

/** The update was accepted, but it made no revision of this source. */
export class NoRevisionError extends DeployError {
  readonly code = "NO_REVISION";
}

/** A create failed, or a later step; the message has the name or the id of the deployment. */
export class ApplyError extends DeployError {
  /** `UNAUTHORIZED` if the service rejects the credential. */
  readonly code: "APPLY" | typeof UNAUTHORIZED = codeAfter(this.cause, "APPLY");
}

/** Our revision ended without becoming live. */
export class RevisionFailedError extends DeployError {
  readonly code = "REVISION_FAILED";
  override readonly outcome: Outcome;

  constructor(outcome: FailedFact["outcome"], message: string, options: DeployErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** A newer revision has replaced ours. */
export class SupersededError extends DeployError {
  readonly code = "SUPERSEDED";
  override readonly outcome = "superseded";
}

/** The wait timed out; the revision continues in the service. */
export class WaitTimeoutError extends DeployError {
  readonly code = "WAIT_TIMEOUT";
  override readonly outcome = "timed-out";
}

/** The time was over before a revision was begun: what was written is certain. */
export class TimedOutError extends DeployError {
  readonly code = "TIMED_OUT";
  override readonly outcome = "timed-out";
}

/** Our revision could no longer be read; it continues in the service. */
export class WaitError extends DeployError {
  readonly code = "WAIT";
}

/** The revision is live, but the agent fails its health check or the smoke run. */
export class VerifyError extends DeployError {
  readonly code = "VERIFY";
}

/** The run was cancelled. */
export class CancelledError extends DeployError {
  readonly code = "CANCELLED";
  override readonly outcome = "cancelled";
}

/** The outcome of a deploy that threw this. */
export function outcomeOf(error: unknown): Outcome {
  return error instanceof DeployError ? error.outcome : "failed";
}
