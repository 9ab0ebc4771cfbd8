import type { Deployment } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { Source } from "../contract/source.ts";
import { AmbiguousNameError, NoListError } from "../control-plane/errors.ts";
import { hasStatus, noneIf } from "../http/errors.ts";
import { quoted } from "../text/quoted.ts";
import { withFullStop } from "../text/reasons.ts";
import type { DeployDeps, TimedDeps } from "./deps.ts";
import { DeployError, PlanError } from "./errors.ts";
import { isBeingDeleted, pastDelete } from "./remove.ts";
import { DEPLOY_DEFAULTS, type DeploymentTarget, type DeployRequest } from "./request.ts";

/** What the look for a deployment has found. */
export interface Found {
  readonly deployment: Deployment | undefined;
  /** Why it is not known whether there is one; undefined if it is. */
  readonly unlisted?: NoListError;
}

export interface Target extends Found {
  /** The deployment that will be updated; undefined when it will be created. */
  readonly existing: Deployment | undefined;
  /** The name of the deployment, for create and for messages. */
  readonly name: string;
}

/** The deployment that a request names, or that it may create. Throws a PlanError if there is none and none may be created. */
export async function lookUpTarget(
  request: DeployRequest,
  known: KnownDeployment | undefined,
  deps: TimedDeps,
): Promise<Target> {
  const { target, source } = request;
  const found = await findTarget(target, deps, known);
  const { deployment } = found;
  // What is waited for, but is not a request, has what is left of the time of the run.
  const timeoutMilliseconds = Math.max(0, deps.timeLimit.left());
  const existing =
    request.isTemporary === true ? await pastDelete(deployment, { timeoutMilliseconds }, deps) : deployment;
  const name = nameOf(target, existing);
  if (existing) deps.emit({ type: "deployment-found", deployment: existing, page: deps.controlPlane.pageOf(existing) });
  else if (source.source !== "revision") {
    checkCreate(request, found.unlisted);
    deps.emit({ type: "deployment-new", name, source: source.source });
  }
  return { ...found, existing, name };
}

/** The target deployment, which must exist. */
export async function findExisting(target: DeploymentTarget, deps: DeployDeps): Promise<Deployment> {
  const deployment = mustExist(await findTarget(target, deps), nameOf(target, undefined));
  deps.emit({ type: "deployment-found", deployment, page: deps.controlPlane.pageOf(deployment) });
  return deployment;
}

/** The deployment of a rollback: whether its revisions are known does not matter if it goes. */
export function mustStay(target: Target): Deployment {
  const existing = mustExist(target, target.name);
  checkStays(existing);
  return existing;
}

function mustExist({ deployment, unlisted }: Found, name: string): Deployment {
  if (deployment) return deployment;
  if (unlisted) throw notFindable(quoted(name), unlisted);
  throw new PlanError(`No deployment named ${quoted(name)}.`, { reasons: ["NAME_NOT_FOUND"] });
}

function notFindable(name: string, cause: NoListError): PlanError {
  return new PlanError(`${name} cannot be found by its name. ${withFullStop(cause.message)}`, {
    cause,
    advice: cause.advice,
    reasons: ["LIST_UNSUPPORTED"],
  });
}

/** Throws a PlanError unless the request allows to create the deployment; `unlisted`: it may exist. */
function checkCreate(request: DeployRequest, unlisted: NoListError | undefined): void {
  const { create = DEPLOY_DEFAULTS.create, isTemporary = false, target } = request;
  const name = quoted(nameOf(target, undefined));
  if (create === "never") {
    if (unlisted) throw notFindable(name, unlisted);
    throw new PlanError(`No deployment is named ${name}, and this deploy must not create one.`, {
      advice: "Check the name, or allow the create.",
      reasons: ["CREATE_NEVER"],
    });
  }
  if (!unlisted || create === "once") return;
  if (!isTemporary) throw mayExist(unlisted);
  throw new PlanError(`The preview ${name} was not created, because it may exist. ${withFullStop(unlisted.message)}`, {
    cause: unlisted,
    advice: "A preview is found by its name alone, so it needs a service that lists deployments.",
    reasons: ["PREVIEW_UNLISTED"],
  });
}

/** The error of a create that is not made, because no list shows that there is no deployment of the name. */
export function mayExist(unlisted: NoListError): PlanError {
  const { deploymentName, message, advice } = unlisted;
  return new PlanError(`${quoted(deploymentName)} was not created, because it may exist. ${withFullStop(message)}`, {
    cause: unlisted,
    advice,
    reasons: ["EXISTENCE_UNKNOWN"],
  });
}

/** A deployment as an earlier run knew it. */
interface KnownDeployment {
  readonly id: string;
  /** The name that it was deployed by; undefined for that of today. */
  readonly name: string | undefined;
}

export async function findTarget(target: DeploymentTarget, deps: DeployDeps, known?: KnownDeployment): Promise<Found> {
  try {
    if (target.deploymentId !== undefined) {
      return { deployment: await lookUpById(target.deploymentId, target.name, deps) };
    }
    const { name } = target;
    // An id saves the search in a list, which a service may not have. A wrong id proves nothing, and one whose name the
    // service does not say is that of the name by which it was deployed.
    const before = known && (await deps.controlPlane.get(known.id).catch(noneIf(400, 403, 404, 422)));
    const isOfName = before && (before.name ?? known.name ?? name) === name;
    return { deployment: isOfName === true ? before : await deps.controlPlane.findByName(name) };
  } catch (error) {
    deps.signal.throwIfAborted();
    if (error instanceof NoListError) return { deployment: undefined, unlisted: error };
    if (error instanceof DeployError || error instanceof AmbiguousNameError || !(error instanceof GraphDeployError))
      throw error;
    const what = `${quoted(nameOf(target, undefined))} cannot be looked up: ${error.message}`;
    throw new PlanError(what, { cause: error, advice: error.advice });
  }
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

/** Throws for a deployment that cannot be updated: it is being deleted, or has another source, which cannot change. */
export function checkUpdatable(deployment: Deployment, source: Source): void {
  checkStays(deployment);
  if (deployment.source === undefined || deployment.source === source) return;
  throw new PlanError(
    `Deployment ${deployment.id} has the source ${deployment.source}, which cannot become ${source}.`,
    { deploymentId: deployment.id, advice: "Choose another name, or delete the deployment first." },
  );
}

function checkStays(deployment: Deployment): void {
  if (!isBeingDeleted(deployment)) return;
  throw new PlanError(`Deployment ${deployment.id} is being deleted, and a new revision would be deleted with it.`, {
    deploymentId: deployment.id,
    advice: "Run again once the service has deleted it; a run that gives the name creates it again.",
  });
}
