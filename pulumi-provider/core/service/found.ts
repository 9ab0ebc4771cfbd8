import type { Deployment, Revision } from "../../../src/contract/deployment.ts";
import type { ControlPlane } from "../../../src/control-plane/client.ts";
import type { DeployDeps } from "../../../src/deployment/deps.ts";
import { noneIf } from "../../../src/http/errors.ts";
import { askTwice } from "../../../src/http/retry.ts";
import { agentUrl } from "../../../src/deployment/ending.ts";
import type { OutputName, Reported } from "../state/state.ts";

const GONE = [404, 410];

type Reader = Pick<ControlPlane, "get" | "revision">;

/** What a look that counts for gone works with. */
export type FoundContext = Pick<DeployDeps, "clock" | "controlPlane" | "signal">;

/** A deployment; undefined when it is gone at a second look, too. */
export async function findDeploymentTwice(
  id: string,
  { controlPlane, clock, signal }: FoundContext,
): Promise<Deployment | undefined> {
  return await askTwice(() => controlPlane.get(id), GONE, { clock, signal }).catch(noneIf(...GONE));
}

/** A revision of a deployment; undefined when the id does not exist. */
export async function findRevision(
  controlPlane: Reader,
  deploymentId: string,
  revisionId: string,
): Promise<Revision | undefined> {
  return await controlPlane.revision(deploymentId, revisionId).catch(noneIf(404));
}

/** The outputs that no service says, as they are of a deployment that this program did not make. */
export const NOT_OURS = {
  managedRevisionId: null,
  sourceHash: null,
  sourceSummary: null,
  sourceTarballPath: null,
} as const satisfies Partial<Pick<Reported, OutputName>>;

/** The other outputs, which the service says; null where it does not say one. */
export type ServiceFacts = Pick<Reported, Exclude<OutputName, keyof typeof NOT_OURS>>;

/** The facts of a deployment, with the status of the revision that counts. */
export function factsOf(deployment: Deployment, revision: Revision | undefined): ServiceFacts {
  return {
    latestRevisionId: deployment.latest_revision_id ?? null,
    status: revision?.status ?? null,
    url: agentUrl(deployment) ?? null,
    createdAt: deployment.created_at ?? null,
  };
}
