import * as z from "zod";
import type { Deployment } from "../../../src/contract/deployment.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { isUuid } from "../../../src/contract/uuid.ts";
import type { ControlPlane } from "../../../src/control-plane/client.ts";
import { findDeployment } from "../../../src/deployment/remove.ts";
import { findRevision, factsOf, type ServiceFacts } from "./found.ts";

const key = z
  .string("must be a string")
  .refine((value) => value.trim() !== "", "must not be empty")
  .optional();

export const LOOKUP_KEYS = {
  id: key.describe("The id of the deployment; either this or `name`."),
  name: key.describe("The exact name of the deployment; either this or `id`."),
};

/** A schema of Pulumi cannot say so. */
export const ONE_KEY = [
  ({ id, name }: { readonly id?: string | undefined; readonly name?: string | undefined }) =>
    (id === undefined) !== (name === undefined),
  "needs either id or name",
] as const;

/** A deployment that was not made by this program, as it was found. */
export interface FoundDeployment extends ServiceFacts {
  readonly id: string;
  readonly name: string;
  /** `internal_source`, `github`, `external_docker`, or what else the service knows; null where it does not say it. */
  readonly source: string | null;
}

class NoSuchDeploymentError extends GraphDeployError {
  readonly code = "NO_SUCH_DEPLOYMENT";

  constructor(idOrName: string) {
    super(`No deployment has the id or the name ${idOrName}.`, {
      advice: "Check the id or the name, and that `controlPlaneUrl` and `tenantId` are those of the deployment.",
    });
  }
}

/** Finds a deployment by its id or its exact name. Throws NoSuchDeploymentError, and for a name that several have. */
export async function findNamed(idOrName: string, controlPlane: ControlPlane): Promise<Deployment> {
  const byId = isUuid(idOrName) ? await findDeployment(controlPlane, idOrName) : undefined;
  const deployment = byId ?? (await controlPlane.findByName(idOrName));
  if (!deployment) throw new NoSuchDeploymentError(idOrName);
  return deployment;
}

/** The same with what the service says of it. Throws as `findNamed` does. */
export async function lookUp(idOrName: string, controlPlane: ControlPlane): Promise<FoundDeployment> {
  return await describe(await findNamed(idOrName, controlPlane), controlPlane);
}

/** Looks again at a deployment that was found by `lookUp`; undefined when it is gone. */
export async function lookUpAgain(id: string, controlPlane: ControlPlane): Promise<FoundDeployment | undefined> {
  const deployment = await findDeployment(controlPlane, id);
  return deployment && (await describe(deployment, controlPlane));
}

async function describe(deployment: Deployment, controlPlane: ControlPlane): Promise<FoundDeployment> {
  const { id, name, source, latest_revision_id: latest } = deployment;
  const revision = latest == null ? undefined : await findRevision(controlPlane, id, latest);
  return { id, name: name ?? id, source: source ?? null, ...factsOf(deployment, revision) };
}
