import { checkSourceConfig, type Deployment } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { floatingImage, readImageReference } from "../contract/image.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { checkSourceOfCreate, checkSourceOfPatch, type RevisionConfigInput, type Source } from "../contract/source.ts";
import { AmbiguousNameError, InvalidRequestError, NoListError } from "../control-plane/errors.ts";
import { hasStatus } from "../http/errors.ts";
import { readSourceTree, type SourceTree } from "../source/tree/tree.ts";
import { quoted } from "../text/quoted.ts";
import { withFullStop } from "../text/reasons.ts";
import type { DeployDeps } from "./deps.ts";
import { DeployError, PlanError } from "./errors.ts";
import { readRecord, type RecordReading } from "./record.ts";
import { isBeingDeleted, pastDelete } from "./remove.ts";
import {
  DEPLOY_DEFAULTS,
  type DeploymentTarget,
  type DeployRequest,
  type DeploySource,
  revisionConfigOf,
} from "./request.ts";
import type { TimedDeps } from "./request-time.ts";
import { type Earlier, findEarlier } from "./rollback.ts";
import { planSmokeRun, type SmokePlan } from "./smoke-plan.ts";

/** What there is before a deploy: the source, the deployment, and what an earlier run left. */
export interface Look {
  readonly request: DeployRequest;
  /** The name of the deployment, for create and for messages. */
  readonly name: string;
  /** The deployment that will be updated; undefined when it will be created. */
  readonly existing: Deployment | undefined;
  /** Why no list of the service shows whether there is a deployment of the name; undefined if one does. */
  readonly unlisted: NoListError | undefined;
  readonly source: Source;
  /** The configuration of the new revision; the path of a new tarball comes with the upload. */
  readonly config: RevisionConfigInput;
  /** The revision to go back to; undefined for a source of today. */
  readonly earlier: Earlier | undefined;
  /** What would be packed; undefined for a source that is not uploaded. */
  readonly tree: SourceTree | undefined;
  /** The graphs that the agent must serve; undefined if the configuration file is not in our source. */
  readonly graphs: readonly GraphEntry[] | undefined;
  /** The smoke run of the new revision; undefined if none was requested. */
  readonly smokeRun: SmokePlan | undefined;
  /** The record of an earlier run; undefined if none was requested. */
  readonly record: RecordReading | undefined;
}

/** Reads the source and the deployment, and throws if they cannot work together; writes nothing. */
export async function lookAround(request: DeployRequest, deps: TimedDeps): Promise<Look> {
  const { source, target } = request;
  const { controlPlane, emit, signal } = deps;
  const record = request.record === undefined ? undefined : readRecord(request.record);
  const tree =
    source.source === "internal_source"
      ? await readSourceTree({ ...source, ownFile: request.record, signal })
      : undefined;
  if (tree !== undefined) emit({ type: "source-read", tree });
  for (const notice of tree?.notices ?? []) emit({ type: "warning", ...notice });
  const known = request.knownId === undefined ? record?.record?.deployment : { id: request.knownId, name: undefined };
  const found = await findTarget(target, deps, known);
  const { deployment, unlisted } = found;
  // What is waited for, but is not a request, has what is left of the time of the run.
  const timeoutMilliseconds = Math.max(0, deps.timeLimit.left());
  const existing =
    request.isTemporary === true ? await pastDelete(deployment, { timeoutMilliseconds }, deps) : deployment;
  if (existing === undefined && source.source !== "revision") checkCreate(request, unlisted);
  if (existing !== undefined) {
    emit({ type: "deployment-found", deployment: existing, page: controlPlane.pageOf(existing) });
  } else if (source.source !== "revision") {
    emit({ type: "deployment-new", name: nameOf(target, existing), source: source.source });
  }
  if (source.source === "external_docker") {
    const { imageUri: image } = source;
    const { digest, tag } = readImageReference(image);
    const message = floatingImage(image);
    if (message !== undefined) emit({ type: "warning", code: "IMAGE_FLOATING", message });
    else if (digest === undefined && tag !== undefined) emit({ type: "image-tagged", image, tag });
  }
  const made =
    source.source === "revision"
      ? await findEarlier(source.revision, { deployment: mustStay(found, target), record }, deps)
      : { revision: undefined, source: source.source, config: configOf(source, tree) };
  const earlier = made.revision === undefined ? undefined : made;
  const look = { request, source: made.source, config: made.config, earlier, existing, tree, record };
  check(look);
  const smokeRun = planSmokeRun(request.smokeRun, tree?.graphs);
  const name = nameOf(target, existing);
  return { ...look, name, unlisted, graphs: tree?.graphs, smokeRun };
}

/** The configuration of a new revision; a configuration file may lie deeper in the archive than in its directory. */
function configOf(source: DeploySource, tree: SourceTree | undefined): RevisionConfigInput {
  const config = revisionConfigOf(source);
  return tree === undefined ? config : { ...config, graph_config_path: tree.graphConfigPath };
}

/** What the look for a deployment has found. */
export interface Found {
  readonly deployment: Deployment | undefined;
  /** Why it is not known whether there is one; undefined if it is. */
  readonly unlisted?: NoListError;
}

/** The target deployment, which must exist. */
export async function findExisting(target: DeploymentTarget, deps: DeployDeps): Promise<Deployment> {
  const deployment = mustExist(await findTarget(target, deps), target);
  deps.emit({ type: "deployment-found", deployment, page: deps.controlPlane.pageOf(deployment) });
  return deployment;
}

/** The deployment of a rollback: whether its revisions are known does not matter if it goes. */
function mustStay(found: Found, target: DeploymentTarget): Deployment {
  const existing = mustExist(found, target);
  checkStays(existing);
  return existing;
}

function mustExist({ deployment, unlisted }: Found, target: DeploymentTarget): Deployment {
  if (deployment !== undefined) return deployment;
  const name = quoted(nameOf(target, deployment));
  if (unlisted !== undefined) throw notFindable(name, unlisted);
  throw new PlanError(`No deployment named ${name}.`, { reasons: ["NAME_NOT_FOUND"] });
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
    if (unlisted !== undefined) throw notFindable(name, unlisted);
    throw new PlanError(`No deployment is named ${name}, and this deploy must not create one.`, {
      advice: "Check the name, or allow the create.",
      reasons: ["CREATE_NEVER"],
    });
  }
  if (unlisted === undefined || create === "once") return;
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

/** The target deployment, or none. */
export async function findTarget(target: DeploymentTarget, deps: DeployDeps, known?: KnownDeployment): Promise<Found> {
  try {
    if (target.deploymentId !== undefined) {
      return { deployment: await lookUpById(target.deploymentId, target.name, deps) };
    }
    const { name } = target;
    const before = known === undefined ? undefined : await lookUpKnown(known, name, deps);
    return { deployment: before ?? (await deps.controlPlane.findByName(name)) };
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

// An id saves the search in a list, which a service may not have. A wrong id proves nothing, and one whose name the
// service does not say is that of the name by which it was deployed.
async function lookUpKnown(
  known: KnownDeployment,
  name: string,
  { controlPlane }: DeployDeps,
): Promise<Deployment | undefined> {
  try {
    const deployment = await controlPlane.get(known.id);
    return (deployment.name ?? known.name ?? name) === name ? deployment : undefined;
  } catch (error) {
    if (hasStatus(error, 400, 403, 404, 422)) return undefined;
    throw error;
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

/** Throws if the source and the deployment cannot work together. */
function check({ request, source, config, existing }: Omit<Look, "graphs" | "name" | "smokeRun" | "unlisted">): void {
  if (existing !== undefined) checkUpdatable(existing, source);
  const settings = { source, source_config: request.sourceConfig, source_revision_config: config };
  const violations = [
    ...checkSourceConfig(request.sourceConfig),
    ...(existing === undefined
      ? checkSourceOfCreate(settings)
      : checkSourceOfPatch({ ...settings, current: existing })),
  ];
  if (violations.length > 0) {
    throw new InvalidRequestError(
      existing === undefined ? "The new deployment" : `The update of deployment ${existing.id}`,
      violations,
    );
  }
}
