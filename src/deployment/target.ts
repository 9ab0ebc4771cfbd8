import type { Deployment } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { AmbiguousNameError } from "../control-plane/errors.ts";
import { hasStatus, isMissingEndpoint } from "../http/errors.ts";
import { askTwice } from "../http/retry.ts";
import { quoted } from "../text/quoted.ts";
import type { DeployDeps } from "./deps.ts";
import { DeployError, PlanError } from "./errors.ts";
import type { DeploymentTarget } from "./request.ts";

/** The target deployment; undefined if none has the name. `hint`: the id that it had in an earlier run. */
export async function findTarget(
  target: DeploymentTarget,
  deps: DeployDeps,
  hint?: string,
): Promise<Deployment | undefined> {
  try {
    if (target.deploymentId !== undefined) return await lookUpById(target.deploymentId, target.name, deps);
    const known = hint === undefined ? undefined : await lookUpHint(hint, target.name, deps);
    return known ?? (await lookUpByName(target.name, deps));
  } catch (error) {
    deps.signal.throwIfAborted();
    if (isNamed(error) || !(error instanceof GraphDeployError)) throw error;
    const what = `${quoted(nameOf(target, undefined))} cannot be looked up: ${error.message}`;
    throw new PlanError(what, { cause: error, advice: error.advice });
  }
}

function isNamed(error: unknown): boolean {
  return error instanceof DeployError || error instanceof AmbiguousNameError;
}

/** What a deployment is called in messages. */
export function nameOf(target: DeploymentTarget, existing: Deployment | undefined): string {
  return target.deploymentId === undefined ? target.name : (target.name ?? existing?.name ?? target.deploymentId);
}

async function lookUpById(id: string, name: string | undefined, { controlPlane }: DeployDeps): Promise<Deployment> {
  try {
    const deployment = await controlPlane.get(id);
    if (name === undefined || deployment.name === undefined || deployment.name === name) return deployment;
    throw new PlanError(`Deployment ${id} is named ${quoted(deployment.name)}, not ${quoted(name)}.`, {
      deploymentId: id,
      reasons: ["NAME_MISMATCH"],
    });
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    throw new PlanError(`Deployment ${id} does not exist.`, {
      cause: error,
      deploymentId: id,
      reasons: ["DEPLOYMENT_NOT_FOUND"],
    });
  }
}

// An id saves the search in a list. A wrong id proves nothing.
async function lookUpHint(id: string, name: string, { controlPlane }: DeployDeps): Promise<Deployment | undefined> {
  try {
    const deployment = await controlPlane.get(id);
    return deployment.name === name ? deployment : undefined;
  } catch (error) {
    if (hasStatus(error, 400, 403, 404, 422)) return undefined;
    throw error;
  }
}

async function lookUpByName(name: string, deps: DeployDeps): Promise<Deployment | undefined> {
  const { controlPlane, clock, emit, signal } = deps;
  try {
    // A gateway's 404, mistaken for a service without a list, would lead to a create.
    return await askTwice(() => controlPlane.findByName(name), [404], { clock, signal });
  } catch (error) {
    if (!isMissingEndpoint(error)) throw error;
    // A wrong path prefix looks the same as a service without a list.
    const message = `This service cannot list deployments, so ${quoted(name)} cannot be looked up by its name: ${error.message}.`;
    emit({ type: "warning", code: "NAME_LOOKUP_UNSUPPORTED", message });
    return undefined;
  }
}
