import { removeDeployment, type Removal, type RemoveDeps, type RemoveRequest } from "../../src/deployment/remove.ts";

export interface PreviewRemoval extends Removal {
  /** Why it is still there, as a clause; undefined once it is gone. */
  readonly reason: string | undefined;
}

const REASONS: Readonly<Record<Removal["outcome"], string | undefined>> = {
  gone: undefined,
  "still-there": "the service is still deleting it, and did not finish within the timeout",
  unsupported: "this service cannot delete deployments",
};

/** Deletes the deployment of a preview with its traces, and waits until it is gone. Throws as `removeDeployment` does. */
export async function removePreview(
  request: Omit<RemoveRequest, "deleteTracingProject">,
  deps: RemoveDeps,
): Promise<PreviewRemoval> {
  const removal = await removeDeployment({ ...request, deleteTracingProject: true }, deps);
  return { ...removal, reason: REASONS[removal.outcome] };
}
