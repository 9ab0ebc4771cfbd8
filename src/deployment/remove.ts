import type { Deployment } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { ControlPlane } from "../control-plane/client.ts";
import type { Clock } from "../http/clock.ts";
import { hasStatus, isTransient, NetworkError, TimeoutError } from "../http/errors.ts";
import type { CallOptions } from "../http/json-api.ts";
import { poll, type PollResult } from "../http/poll.ts";
import type { DeployDeps } from "./deps.ts";
import { TimedOutError } from "./errors.ts";

/** What a delete works with. */
export interface RemoveDeps extends Pick<DeployDeps, "clock" | "controlPlane" | "random" | "signal"> {
  readonly emit: (event: RemoveEvent) => void;
}

/** What happens while a deployment is deleted. */
export type RemoveEvent =
  /** The service has accepted the delete. */
  | { readonly type: "delete-accepted"; readonly deploymentId: string }
  /** About every 30 s: the deployment is still there. */
  | {
      readonly type: "delete-waiting";
      readonly deploymentId: string;
      readonly status: string | undefined;
      readonly elapsedMilliseconds: number;
    };

/** Which deployment to delete, and how. */
export interface RemoveRequest {
  readonly deploymentId: string;
  /** Delete its traces, too: the service keeps the name of a deployment taken for as long as it has them. */
  readonly deleteTracingProject?: boolean | undefined;
  /** How long to wait until the deployment is gone, milliseconds. */
  readonly timeoutMilliseconds: number;
}

/** How a delete ended: `unsupported` if the service cannot delete, `still-there` if it has not finished in time. */
export interface Removal {
  readonly outcome: "gone" | "still-there" | "unsupported";
  readonly milliseconds: number;
}

/** A service did not answer for as long as an operation asks one. */
export class UnreachedError extends GraphDeployError {
  readonly code = "UNREACHED";
}

const LONGEST_PAUSE_MILLISECONDS = 5_000;
// A 404 to a delete of what is there: a replica that lags, a gateway, or a service without this operation.
const MOST_DENIALS = 3;
const GONE = [404, 410];
const BEING_DELETED = /^AWAITING_(FINAL_)?DELETE$/;

/** True while the service is deleting it: it can still be read, and its name is taken. */
export function isBeingDeleted({ status }: Pick<Deployment, "status">): boolean {
  return BEING_DELETED.test(status ?? "");
}

/** A deployment; undefined when it is gone. */
export async function findDeployment(
  controlPlane: Pick<ControlPlane, "get">,
  id: string,
  options: CallOptions = {},
): Promise<Deployment | undefined> {
  try {
    return await controlPlane.get(id, options);
  } catch (error) {
    if (hasStatus(error, ...GONE)) return undefined;
    throw error;
  }
}

/**
 * Deletes a deployment and waits until it is gone; one that is gone already is a success. Throws the error of the
 * request, and UnreachedError after a minute in which the service did not answer.
 */
export async function removeDeployment(request: RemoveRequest, deps: RemoveDeps): Promise<Removal> {
  const { deploymentId, deleteTracingProject } = request;
  const { controlPlane, emit } = deps;
  let isAccepted = false;
  let denials = 0;
  const ask = async (reach: Reach): Promise<boolean> => {
    try {
      return await reach.ask((options) => controlPlane.delete(deploymentId, { ...options, deleteTracingProject }));
    } catch (error) {
      if (!hasStatus(error, 405, 501)) throw error;
      denials = MOST_DENIALS;
      return false;
    }
  };
  const look = async (reach: Reach): Promise<Seen> => {
    if (!isAccepted) {
      isAccepted = await ask(reach);
      if (isAccepted) emit({ type: "delete-accepted", deploymentId });
    }
    const deployment = await reach.ask((options) => findDeployment(controlPlane, deploymentId, options));
    if (deployment === undefined) return { outcome: "gone" };
    if (!isAccepted && !isBeingDeleted(deployment)) denials += 1;
    return denials >= MOST_DENIALS
      ? { outcome: "unsupported" }
      : { outcome: "still-there", status: deployment.status ?? undefined };
  };
  return endOf(await watch(look, request, deps));
}

/** Waits until a deployment is gone that the service is deleting already. Throws as `removeDeployment` does. */
export async function untilGone(
  request: Pick<RemoveRequest, "deploymentId" | "timeoutMilliseconds">,
  deps: RemoveDeps,
): Promise<Removal> {
  const removal = await watch(
    async (reach) => {
      const deployment = await reach.ask((options) => findDeployment(deps.controlPlane, request.deploymentId, options));
      if (deployment === undefined) return { outcome: "gone" };
      return { outcome: "still-there", status: deployment.status ?? "" };
    },
    request,
    deps,
  );
  return endOf(removal);
}

/** The deployment, or undefined once it is gone if the service is deleting it. Throws TimedOutError if it is not gone in time. */
export async function pastDelete(
  found: Deployment | undefined,
  { timeoutMilliseconds }: Pick<RemoveRequest, "timeoutMilliseconds">,
  deps: Omit<RemoveDeps, "emit"> & Pick<DeployDeps, "emit">,
): Promise<Deployment | undefined> {
  if (found === undefined || !isBeingDeleted(found)) return found;
  const { id, name = id } = found;
  const waiting = (elapsedMilliseconds: number): void => {
    deps.emit({ type: "delete-waiting", name, elapsedMilliseconds });
  };
  const emit: RemoveDeps["emit"] = (event) => {
    if (event.type === "delete-waiting") waiting(event.elapsedMilliseconds);
  };
  waiting(0);
  const { outcome } = await untilGone({ deploymentId: id, timeoutMilliseconds }, { ...deps, emit });
  if (outcome === "gone") return undefined;
  throw new TimedOutError(`Deployment ${id} is being deleted, which did not finish within the timeout.`, {
    deploymentId: id,
    advice: "Run again when the service has deleted it, or raise the timeout.",
  });
}

/** What one look found. */
interface Seen {
  readonly outcome: Removal["outcome"];
  readonly status?: string | undefined;
}

async function watch(
  look: (reach: Reach) => Promise<Seen>,
  { deploymentId, timeoutMilliseconds }: RemoveRequest,
  { clock, random, signal, emit }: RemoveDeps,
): Promise<PollResult<Seen>> {
  const reach = new Reach(clock);
  return await poll<Seen>({
    look: () => look(reach),
    isDone: ({ outcome }) => outcome !== "still-there",
    stateOf: ({ outcome, status = "" }) => `${outcome} ${status}`,
    onHeartbeat: (seen, elapsedMilliseconds) => {
      emit({ type: "delete-waiting", deploymentId, status: seen?.status, elapsedMilliseconds });
    },
    // A service may refuse while a revision is on its way.
    isTransient: (error) => isTransient(error) || hasStatus(error, 409),
    timeoutMilliseconds,
    capMilliseconds: LONGEST_PAUSE_MILLISECONDS,
    clock,
    random,
    signal,
  });
}

function endOf({ value, elapsedMilliseconds }: PollResult<Seen>): Removal {
  return { outcome: value?.outcome ?? "still-there", milliseconds: elapsedMilliseconds };
}

/** How long an operation asks a service that does not answer at all. */
const SILENCE_MILLISECONDS = 60_000;
// What another attempt takes at least, with the pause before it.
const NEXT_MILLISECONDS = 6_000;

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
