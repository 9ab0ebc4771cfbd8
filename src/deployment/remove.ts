import type { Deployment } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import type { ControlPlane } from "../control-plane/client.ts";
import { hasStatus, HttpStatusError, isTransient, noneIf } from "../http/errors.ts";
import type { CallOptions } from "../http/json-api.ts";
import { poll } from "../http/poll.ts";
import { durationText } from "../text/duration.ts";
import { withoutFullStop } from "../text/reasons.ts";
import type { DeployDeps } from "./deps.ts";
import { TimedOutError } from "./errors.ts";
import { limitOf } from "../http/time-limit.ts";

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
    }
  /** At once, and about every 10 s: the service does not accept the delete. */
  | {
      readonly type: "delete-refused";
      readonly deploymentId: string;
      readonly refusal: Refusal;
      readonly elapsedMilliseconds: number;
    };

/** Why a service does not accept a delete: `revision` is the one that it has not finished, undefined for another reason. */
export interface Refusal {
  readonly error: HttpStatusError;
  readonly revision: { readonly id: string; readonly status: string } | undefined;
}

/** Which deployment to delete, and how. */
export interface RemoveRequest {
  readonly deploymentId: string;
  /** Delete its traces, too: the service keeps the name of a deployment taken for as long as it has them. */
  readonly deleteTracingProject?: boolean;
  /** How long to wait until the deployment is gone, milliseconds. */
  readonly timeoutMilliseconds: number;
}

/** What a service that does not accept a delete waits for, or what it answers; a clause. */
export function refusalText({ error, revision }: Refusal): string {
  if (!revision) return withoutFullStop(error.message);
  return `the service refuses while revision ${revision.id} is ${revision.status}`;
}

/** How a delete ended: `unsupported` if the service cannot delete, `still-there` if it has not finished in time. */
export interface Removal {
  readonly outcome: "gone" | "still-there" | "unsupported";
  /** Why it has not finished, if the service did not accept the delete. */
  readonly refusal?: Refusal | undefined;
  readonly milliseconds: number;
}

/** The service failed, or refused the delete, for as long as that may take. */
export class DeleteRefusedError extends GraphDeployError {
  readonly code = "DELETE_REFUSED";

  constructor(deploymentId: string, cause: GraphDeployError) {
    const reason = withoutFullStop(cause.message);
    super(`Deployment ${deploymentId} was not deleted within ${durationText(REFUSED_MILLISECONDS)}: ${reason}`, {
      cause,
      advice: cause.advice ?? "Run again later.",
    });
  }
}

/** How long a service may fail or refuse, unless it has to finish a revision before. */
const REFUSED_MILLISECONDS = 120_000;
const REFUSED_BEAT_MILLISECONDS = 10_000;
// The last request still gets a chance.
const SHORTEST_MILLISECONDS = 5_000;
/** How long an operation asks a service that does not answer at all: with all around it, less than a minute. */
const SILENCE_MILLISECONDS = 55_000;
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
  return await controlPlane.get(id, options).catch(noneIf(...GONE));
}

/**
 * Deletes a deployment and waits until it is gone; one that is gone already is a success. A service that refuses because of
 * a revision is waited for until the timeout, one that fails or refuses for another reason for two minutes. Throws the error
 * of the request, DeleteRefusedError, and UnreachedError after a minute in which the service did not answer.
 */
export async function removeDeployment(request: RemoveRequest, deps: RemoveDeps): Promise<Removal> {
  const { deploymentId, deleteTracingProject } = request;
  const { clock, emit } = deps;
  const controlPlane = patient(deps);
  let isAccepted = false;
  let denials = 0;
  let lookBegun = clock.now();
  let failingSince: number | undefined;
  const leftToFail = (): number => (failingSince ?? lookBegun) + REFUSED_MILLISECONDS - clock.now();
  const isFailingTooLong = (): boolean => {
    failingSince ??= lookBegun;
    return leftToFail() <= 0;
  };
  // A service may ask for long pauses between the attempts of one request.
  const options = () => ({ deadlineMilliseconds: Math.max(leftToFail(), SHORTEST_MILLISECONDS) });
  const ask = async (): Promise<HttpStatusError | undefined> => {
    try {
      isAccepted = await controlPlane.delete(deploymentId, { ...options(), deleteTracingProject });
      if (isAccepted) emit({ type: "delete-accepted", deploymentId });
    } catch (error) {
      if (hasStatus(error, 405, 501)) denials = MOST_DENIALS;
      else if (error instanceof HttpStatusError && (error.status === 409 || isTransient(error))) return error;
      else throw error;
    }
    return undefined;
  };
  const look = async (): Promise<Seen> => {
    lookBegun = clock.now();
    const refused = isAccepted ? undefined : await ask();
    const deployment = await findDeployment(controlPlane, deploymentId, options());
    if (!deployment) return { outcome: "gone" };
    const status = deployment.status ?? undefined;
    isAccepted ||= isBeingDeleted(deployment);
    if (!refused || isAccepted) {
      failingSince = undefined;
      if (!isAccepted) denials += 1;
      return denials >= MOST_DENIALS ? { outcome: "unsupported" } : { outcome: "still-there", status };
    }
    // The latest revision, if the service has not finished it.
    let revision: Refusal["revision"];
    const { latest_revision_id: latest } = deployment;
    if (refused.status === 409 && latest != null) {
      const found = await controlPlane.revision(deployment.id, latest).catch(noneIf(...GONE));
      if (found && !revisionStatusFact(found.status).terminal) revision = { id: latest, status: found.status };
    }
    if (revision) failingSince = undefined;
    else if (isFailingTooLong()) throw new DeleteRefusedError(deploymentId, refused);
    return { outcome: "still-there", status, refusal: { error: refused, revision } };
  };
  return await watch(look, request, deps, (error) => {
    if (!isTransient(error)) return false;
    if (error instanceof GraphDeployError && isFailingTooLong()) throw new DeleteRefusedError(deploymentId, error);
    return true;
  });
}

/** Waits until a deployment is gone that the service is deleting already. Throws as `removeDeployment` does. */
export async function untilGone(
  request: Pick<RemoveRequest, "deploymentId" | "timeoutMilliseconds">,
  deps: RemoveDeps,
): Promise<Removal> {
  const controlPlane = patient(deps);
  const look = async (): Promise<Seen> => {
    const deployment = await findDeployment(controlPlane, request.deploymentId);
    if (!deployment) return { outcome: "gone" };
    return { outcome: "still-there", status: deployment.status ?? "" };
  };
  return await watch(look, request, deps, isTransient);
}

/** The deployment, or undefined once it is gone if the service is deleting it. Throws TimedOutError if it is not gone in time. */
export async function pastDelete(
  found: Deployment | undefined,
  { timeoutMilliseconds }: Pick<RemoveRequest, "timeoutMilliseconds">,
  deps: Omit<RemoveDeps, "emit"> & Pick<DeployDeps, "emit">,
): Promise<Deployment | undefined> {
  if (!found || !isBeingDeleted(found)) return found;
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

interface Seen extends Pick<Removal, "outcome" | "refusal"> {
  readonly status?: string | undefined;
}

/** The client of an operation that asks again and again: one that does not answer is asked for a minute in all. */
function patient({ controlPlane, clock }: Pick<RemoveDeps, "clock" | "controlPlane">): ControlPlane {
  return controlPlane.within(limitOf(Number.POSITIVE_INFINITY, { clock, silenceMilliseconds: SILENCE_MILLISECONDS }));
}

async function watch(
  look: () => Promise<Seen>,
  { deploymentId, timeoutMilliseconds }: RemoveRequest,
  { clock, random, signal, emit }: RemoveDeps,
  mayPass: (error: unknown) => boolean,
): Promise<Removal> {
  let refusal: Refusal | undefined;
  const tell = (status: string | undefined, elapsedMilliseconds: number): void => {
    if (!refusal) emit({ type: "delete-waiting", deploymentId, status, elapsedMilliseconds });
    else emit({ type: "delete-refused", deploymentId, refusal, elapsedMilliseconds });
  };
  const { value, elapsedMilliseconds: milliseconds } = await poll<Seen>({
    look,
    isDone: ({ outcome }) => outcome !== "still-there",
    stateOf: ({ outcome, status = "", refusal: why }) =>
      [outcome, status, why?.error.status ?? "", why?.revision?.status ?? ""].join(" "),
    onChange: (seen, elapsedMilliseconds) => {
      refusal = seen.refusal;
      if (refusal) tell(seen.status, elapsedMilliseconds);
    },
    onHeartbeat: (seen, elapsedMilliseconds) => {
      tell(seen?.status, elapsedMilliseconds);
    },
    heartbeatMilliseconds: () => refusal && REFUSED_BEAT_MILLISECONDS,
    isTransient: mayPass,
    timeoutMilliseconds,
    capMilliseconds: LONGEST_PAUSE_MILLISECONDS,
    clock,
    random,
    signal,
  });
  return { outcome: value?.outcome ?? "still-there", refusal: value?.refusal, milliseconds };
}
