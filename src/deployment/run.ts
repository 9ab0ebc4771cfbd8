import type { Deployment } from "../contract/deployment.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { TimeoutError } from "../http/errors.ts";
import { withoutFullStop } from "../text/reasons.ts";
import { limitOf, type TimeLimit } from "../http/time-limit.ts";
import type { DeployDeps, TimedDeps } from "./deps.ts";
import { CancelledError, outcomeOf, TimedOutError } from "./errors.ts";
import type { DeployEvent, Emit } from "./events.ts";
import type { Success } from "./outcomes.ts";
import type { OurRevision } from "./our-revision.ts";
import type { Plan } from "./plan.ts";

/**
 * Runs a workflow and reports how it ended. Its requests to the control plane take no longer together than the timeout,
 * from the first one on; a wait that follows sets a limit of its own. The error of a run that is cancelled or whose time
 * is over says what was written and what is still running in the service: the work notes its progress in `reached`, and
 * so do its events.
 */
export async function runToEnd<Result extends { readonly outcome: Success }>(
  timeoutMilliseconds: number,
  deps: DeployDeps,
  work: (deps: TimedDeps, reached: Reached) => Promise<Result>,
): Promise<Result> {
  const { clock, signal } = deps;
  const reached = new Reached();
  const emit: Emit = (event) => {
    reached.note(event);
    deps.emit(event);
  };
  const start = clock.now();
  try {
    const result = await work(within(limitOf(timeoutMilliseconds, deps), { ...deps, emit }), reached);
    emit({ type: "ended", outcome: result.outcome, milliseconds: clock.now() - start, error: undefined });
    return result;
  } catch (thrown) {
    const error = signal.aborted ? reached.cancelled() : (reached.timedOut(thrown) ?? thrown);
    emit({
      type: "ended",
      outcome: outcomeOf(error),
      milliseconds: clock.now() - start,
      error: error instanceof Error ? error : new Error(String(error)),
    });
    throw error;
  }
}

/** The same deps within this limit. */
export function within(timeLimit: TimeLimit, deps: DeployDeps): TimedDeps {
  return { ...deps, timeLimit, controlPlane: deps.controlPlane.within(timeLimit) };
}

/** The same deps for what only reads, once all is written: no request outlives a deploy that is cancelled. */
export function reading(deps: TimedDeps): TimedDeps {
  return { ...deps, controlPlane: deps.controlPlane.until(deps.signal) };
}

/** The progress of a deploy, for the error of a run that is cancelled. */
export class Reached {
  /** Set right before the first write: undefined means that nothing was written. */
  plan: Plan | undefined;
  /** The revision that the deploy waits for. */
  begun: OurRevision | undefined;
  #created?: Deployment;
  /** The revision that the response to the update names. */
  #answered?: string;
  #uploaded = false;
  /** In which the revision was read last, once it is waited for. */
  #status?: string;

  note(event: DeployEvent): void {
    if (event.type === "deployment-created") this.#created = event.deployment;
    if (event.type === "uploaded") this.#uploaded = true;
    if (event.type === "update-answered") this.#answered = event.revisionId;
    if (event.type === "revision-status") this.#status = event.revision.status;
  }

  /** The error of a cancelled run: what was written, and what is still running in the service. */
  cancelled(): CancelledError {
    if (this.begun) return this.#cancelledAfterUpdate(this.begun);
    if (!this.plan) return new CancelledError("The run was cancelled; nothing was written.");
    const deploymentId = this.#created?.id ?? this.plan.existing?.id;
    if (deploymentId !== undefined && this.#answered !== undefined) {
      return cancelledWhileRunning(this.plan.name, { deploymentId, revisionId: this.#answered });
    }
    return new CancelledError(`The run was cancelled; ${this.#written(this.plan)}.`, {
      deploymentId,
      advice: "The next run continues with what exists.",
    });
  }

  /**
   * The error of a run whose time was over before it asked for a revision; undefined for every other error. After a create
   * or an update without a response nobody knows what was written, and their own errors say so. Those of a revision that is
   * waited for, also one that an earlier run began, name it.
   */
  timedOut(error: unknown): TimedOutError | undefined {
    if (this.begun || !(error instanceof Error) || !isOutOfTime(error)) return undefined;
    const options = {
      cause: error,
      advice: "The service, or the network on the way to it, is slow or does not respond.",
    };
    if (!this.plan) return new TimedOutError(`${withoutFullStop(error.message)}; nothing was written.`, options);
    const deploymentId = this.#created?.id ?? this.plan.existing?.id;
    if (deploymentId === undefined || !this.plan.archive || this.#uploaded) return undefined;
    const written = this.#created ? "no revision of it was started" : this.#written(this.plan);
    return new TimedOutError(`${withoutFullStop(error.message)}; ${written}.`, { ...options, deploymentId });
  }

  #cancelledAfterUpdate({ name, deployment, revision }: OurRevision): CancelledError {
    const ids = `revision ${revision.id} of deployment ${deployment.id}`;
    const status = this.#status ?? revision.status;
    const { terminal, succeeded } = revisionStatusFact(status);
    if (!terminal) return cancelledWhileRunning(name, { deploymentId: deployment.id, revisionId: revision.id });
    const end = succeeded ? "is live, but was not checked to its end" : `ended as ${status}`;
    return new CancelledError(`${name}: the run was cancelled; ${ids} ${end}.`, {
      deploymentId: deployment.id,
      advice: "Nothing is still running in the service; the next run updates the same deployment.",
    });
  }

  #written({ archive, existing, name }: Plan): string {
    const begun = !archive || this.#uploaded;
    if (this.#created) {
      const revision = begun ? "a revision of it may still be running in the service" : "no revision of it was started";
      return `deployment ${this.#created.id} was created, and ${revision}`;
    }
    if (!existing) return `${name} may have been created`;
    return begun
      ? `deployment ${existing.id} may have been updated, and its revision may still be running in the service`
      : `deployment ${existing.id} was not changed`;
  }
}

function cancelledWhileRunning(
  name: string,
  { deploymentId, revisionId }: { readonly deploymentId: string; readonly revisionId: string },
): CancelledError {
  const ids = `revision ${revisionId} of deployment ${deploymentId}`;
  return new CancelledError(`${name}: the run was cancelled; ${ids} is still running in the service.`, {
    revisionId,
    deploymentId,
    advice: "Interrupt the revision in the service if it must not go live; the next run updates the same deployment.",
  });
}

const MOST_CAUSES = 5;

function isOutOfTime(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MOST_CAUSES) return false;
  return (error instanceof TimeoutError && error.isLimit) || isOutOfTime(error.cause, depth + 1);
}
