import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { DeployDeps } from "../../../src/deployment/deps.ts";
import { hasStatus, isTransient, NetworkError, TimeoutError } from "../../../src/http/errors.ts";
import { poll } from "../../../src/http/poll.ts";
import { findDeployment } from "../service/found.ts";
import { inputsOf } from "./request.ts";
import type { Properties } from "../state/state.ts";
import { timeoutMilliseconds } from "../inputs/timeouts.ts";
import type { Clock } from "../../../src/http/clock.ts";
import type { CallOptions } from "../../../src/http/json-api.ts";

/** What a delete works with. */
export interface DeleteContext {
  readonly deps: Pick<DeployDeps, "clock" | "controlPlane" | "random" | "signal">;
  readonly log: (severity: "info" | "warning", message: string) => void;
}

/** The program protects the deployment. */
class ProtectedError extends GraphDeployError {
  readonly code = "PROTECTED";
}

/** The deployment is still there, although the service was asked to delete it. */
class StillThereError extends GraphDeployError {
  readonly code = "STILL_THERE";
}

/** The engine ended the run while the service was deleting. */
class DeleteInterruptedError extends GraphDeployError {
  readonly code = "DELETE_INTERRUPTED";
}

const LONGEST_PAUSE_MILLISECONDS = 5_000;

/** True when the deployment stays in the service: the program says so, or it was there before the resource. */
export function isRetained({ onDelete, adopted }: Properties): boolean {
  return onDelete === "retain" || (onDelete !== "delete" && adopted === true);
}

/** Tells that a deployment stays in the service, where it does. Throws ProtectedError. */
export function isKept(id: string, state: Properties, { log }: Pick<DeleteContext, "log">): boolean {
  const { name, deletionProtection, onDelete } = inputsOf(state);
  if (deletionProtection === true) {
    throw new ProtectedError(`${name}: deployment ${id} is protected from deletion.`, {
      advice: "Set deletionProtection to false and run `pulumi up`, then delete it.",
    });
  }
  if (!isRetained(state)) return false;
  const why =
    onDelete === "retain" ? "" : ', since it was adopted; onDelete: "delete" in the program deletes such a one, too';
  log("info", `deployment ${id} is retained in the service${why}.`);
  return true;
}

/** Deletes a deployment and waits until it is gone; one that is gone already is a success. */
export async function remove(id: string, state: Properties, { deps, log }: DeleteContext): Promise<void> {
  if (isKept(id, state, { log })) return;
  const inputs = inputsOf(state);
  const { name } = inputs;
  const { controlPlane, clock, random, signal } = deps;
  const reach = new Reach(clock);
  let isAsked = false;
  const result = await poll<boolean>({
    look: async () => {
      if (!isAsked) await reach.ask((options) => controlPlane.delete(id, options));
      isAsked = true;
      return (await reach.ask((options) => findDeployment(controlPlane, id, options))) === undefined;
    },
    isDone: (gone) => gone,
    stateOf: String,
    // A service may refuse while a revision is on its way.
    isTransient: (error) => isTransient(error) || hasStatus(error, 409),
    tolerated: Number.POSITIVE_INFINITY,
    timeoutMilliseconds: timeoutMilliseconds(inputs, "delete"),
    capMilliseconds: LONGEST_PAUSE_MILLISECONDS,
    clock,
    random,
    signal,
  }).catch((error: unknown) => {
    if (!isAsked || !signal.aborted) throw error;
    throw new DeleteInterruptedError(`${name}: the run was interrupted; the service is still deleting ${id}.`, {
      advice: "Run again: what is gone by then is a success.",
    });
  });
  if (result.done) return;
  throw new StillThereError(`${name}: deployment ${id} was not deleted within the timeout.`, {
    advice: "Run again to look once more, or raise the timeout.",
  });
}

/** How long an operation asks a service that does not answer at all. */
const SILENCE_MILLISECONDS = 60_000;
// What another attempt takes at least, with the pause before it.
const NEXT_MILLISECONDS = 6_000;

/** A service did not answer for as long as an operation asks one. */
class UnreachedError extends GraphDeployError {
  readonly code = "UNREACHED";
}

/**
 * Requests of an operation that asks again and again. A service that answers, with an error too, may be asked for as
 * long as the operation has time; one that does not answer is asked for a minute in all, attempts and pauses together.
 */
class Reach {
  readonly #clock: Clock;
  #heardAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#heardAt = clock.now();
  }

  /** Throws as the request does, and UnreachedError when there is no time to ask again. */
  async ask<Result>(request: (options: CallOptions) => Promise<Result>): Promise<Result> {
    try {
      const result = await request({ deadlineMilliseconds: Math.max(1, this.#left()) });
      this.#heardAt = this.#clock.now();
      return result;
    } catch (error) {
      if (!(error instanceof NetworkError || error instanceof TimeoutError)) this.#heardAt = this.#clock.now();
      else if (this.#left() < NEXT_MILLISECONDS) {
        throw new UnreachedError(error.message, { cause: error, advice: error.advice });
      }
      throw error;
    }
  }

  #left(): number {
    return this.#heardAt + SILENCE_MILLISECONDS - this.#clock.now();
  }
}
