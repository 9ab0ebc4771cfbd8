import type { Deployment, Revision } from "../../src/contract/deployment.ts";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import { hasStatus } from "../../src/http/errors.ts";

type Reader = Pick<ControlPlane, "get" | "revision">;

/** A deployment; undefined when it is gone. */
export async function findDeployment(controlPlane: Reader, id: string): Promise<Deployment | undefined> {
  return await unlessMissing(controlPlane.get(id), 404, 410);
}

/** A revision of a deployment; undefined when there is none of this id. */
export async function findRevision(
  controlPlane: Reader,
  deploymentId: string,
  revisionId: string,
): Promise<Revision | undefined> {
  return await unlessMissing(controlPlane.revision(deploymentId, revisionId), 404);
}

async function unlessMissing<Found>(look: Promise<Found>, ...missing: readonly number[]): Promise<Found | undefined> {
  try {
    return await look;
  } catch (error) {
    if (hasStatus(error, ...missing)) return undefined;
    throw error;
  }
}
