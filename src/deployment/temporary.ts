import type { Deployment, DeploymentCreate } from "../contract/deployment.ts";
import type { CreateOutcome } from "../control-plane/writes.ts";
import { NameTakenError } from "../control-plane/errors.ts";
import { hasStatus } from "../http/errors.ts";
import type { DeployDeps } from "./deps.ts";
import { PlanError } from "./errors.ts";
import { isBeingDeleted, untilGone, type RemoveDeps } from "./remove.ts";
import type { DeployRequest } from "./request.ts";

/** The type of a deployment that comes and goes. It cannot change after creation. */
const TYPE = { deployment_type: "dev" } as const;
// What a delete leaves behind for a moment, such as the traces, goes soon after the deployment; a name that something
// else uses is never free.
const MOST_MILLISECONDS_OF_NAME = 120_000;
const PAUSE_MILLISECONDS = 3_000;

type Deps = Pick<DeployDeps, "clock" | "controlPlane" | "emit" | "random" | "signal">;
type Patience = Pick<DeployRequest, "timeoutMilliseconds">;

/** The deployment, or undefined once it is gone if the service is deleting it. Throws PlanError if it is not gone in time. */
export async function pastDelete(
  found: Deployment | undefined,
  { timeoutMilliseconds }: Patience,
  deps: Deps,
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
  throw new PlanError(`Deployment ${id} is being deleted, and was not gone within the timeout.`, {
    deploymentId: id,
    advice: "Run again when the service has deleted it, or raise the timeout.",
  });
}

/**
 * Creates a deployment that comes and goes. One of its name that the service is deleting is waited for until it is gone,
 * and what it leaves behind for up to two minutes.
 */
export async function createTemporary(body: DeploymentCreate, patience: Patience, deps: Deps): Promise<CreateOutcome> {
  const { controlPlane, clock, signal, emit } = deps;
  const { name } = body;
  const start = clock.now();
  const left = (): number => start + patience.timeoutMilliseconds - clock.now();
  let sent = body.source === "external_docker" ? body : { ...body, source_config: { ...TYPE, ...body.source_config } };
  let takenSince: number | undefined;
  for (;;) {
    try {
      const outcome = await controlPlane.create(sent);
      const existing = outcome.adopted
        ? await pastDelete(outcome.deployment, { timeoutMilliseconds: Math.max(0, left()) }, deps)
        : outcome.deployment;
      if (existing !== undefined) return outcome;
    } catch (error) {
      if (sent !== body && isAboutType(error)) {
        sent = body;
        continue;
      }
      const now = clock.now();
      takenSince ??= now;
      const isOver = now - takenSince >= MOST_MILLISECONDS_OF_NAME || left() <= PAUSE_MILLISECONDS;
      if (!(error instanceof NameTakenError) || isOver) throw error;
      if (takenSince === now) emit({ type: "delete-waiting", name, elapsedMilliseconds: now - start });
      await clock.sleep(PAUSE_MILLISECONDS, signal);
    }
  }
}

/** True if the service does not know types, or not for this source. */
function isAboutType(error: unknown): boolean {
  return hasStatus(error, 400, 422) && error.details.some((detail) => detail.includes("deployment_type"));
}
