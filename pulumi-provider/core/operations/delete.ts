import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { DeployDeps } from "../../../src/deployment/deps.ts";
import { refusalText, removeDeployment, type RemoveEvent } from "../../../src/deployment/remove.ts";
import { elapsedText } from "../../../src/text/duration.ts";
import { timeoutMilliseconds } from "../inputs/timeouts.ts";
import { internalsOf } from "../state/internals.ts";
import type { Properties } from "../state/state.ts";
import { inputsOf } from "./request.ts";

export interface DeleteContext {
  readonly deps: Pick<DeployDeps, "clock" | "controlPlane" | "random" | "signal">;
  /** An ephemeral line is a status, which the next line replaces. */
  readonly log: (severity: "info" | "warning", message: string, options?: { readonly ephemeral: boolean }) => void;
}

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

/** True when the deployment stays in the service: the program says so, or it was there before the resource. */
export function isRetained(state: Properties): boolean {
  const { onDelete } = state;
  return onDelete === "retain" || (onDelete !== "delete" && internalsOf(state).adopted === true);
}

/** Reports that a deployment stays in the service, where it does. Throws ProtectedError. */
export function isKept(id: string, state: Properties, { log }: Pick<DeleteContext, "log">): boolean {
  const { name, deletionProtection, onDelete } = inputsOf(state);
  if (deletionProtection === true) {
    throw new ProtectedError(`${name}: deployment ${id} is protected from deletion.`, {
      advice: "Set deletionProtection to false and run `pulumi up`, then delete it.",
    });
  }
  if (!isRetained(state)) return false;
  const why =
    onDelete === "retain" ? "" : ', because it was adopted; set onDelete: "delete" in the program to delete it, too';
  log("info", `deployment ${id} is retained in the service${why}.`);
  return true;
}

/** Deletes a deployment and waits until it is gone; one that is gone already is a success. */
export async function remove(id: string, state: Properties, { deps, log }: DeleteContext): Promise<void> {
  if (isKept(id, state, { log })) return;
  const inputs = inputsOf(state);
  const { name } = inputs;
  let isAccepted = false;
  const emit = (event: RemoveEvent): void => {
    isAccepted ||= event.type === "delete-accepted";
    if (event.type === "delete-accepted") return;
    const { deploymentId } = event;
    const waiting =
      event.type === "delete-refused"
        ? `waiting to delete deployment ${deploymentId}: ${refusalText(event.refusal)}`
        : `waiting until deployment ${deploymentId} is deleted: ${event.status ?? "still there"}`;
    log("info", `${waiting}, ${elapsedText(event.elapsedMilliseconds)} so far`, { ephemeral: true });
  };
  const request = { deploymentId: id, timeoutMilliseconds: timeoutMilliseconds(inputs, "delete") };
  const { outcome, refusal } = await removeDeployment(request, { ...deps, emit }).catch((error: unknown) => {
    if (!isAccepted || !deps.signal.aborted) throw error;
    throw new DeleteInterruptedError(
      `${name}: the run was interrupted; the service is still deleting deployment ${id}.`,
      {
        advice: "Run again: a deployment that no longer exists is not an error.",
      },
    );
  });
  if (outcome === "gone") return;
  if (outcome === "unsupported") {
    throw new StillThereError(`${name}: this service cannot delete deployment ${id}.`, {
      advice: 'Delete it in the service, or set onDelete: "retain".',
    });
  }
  const why = refusal ? `: ${refusalText(refusal)}` : "";
  throw new StillThereError(`${name}: deployment ${id} was not deleted within the timeout${why}.`, {
    cause: refusal?.error,
    advice: "Run again, or raise `timeoutSeconds` and run `pulumi up` first.",
  });
}
