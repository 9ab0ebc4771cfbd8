import { checkSourceConfig, type Deployment } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { floatingImage, readImageReference } from "../contract/image.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { checkSourceOfCreate, checkSourceOfPatch, type RevisionConfigInput, type Source } from "../contract/source.ts";
import { AmbiguousNameError, InvalidRequestError } from "../control-plane/errors.ts";
import { hasStatus, isMissingEndpoint } from "../http/errors.ts";
import { askTwice } from "../http/retry.ts";
import { readSourceTree, type SourceTree } from "../source/tree/tree.ts";
import { quoted } from "../text/quoted.ts";
import type { DeployDeps } from "./deps.ts";
import { DeployError, PlanError } from "./errors.ts";
import { readRecord, type RecordReading } from "./record.ts";
import { isBeingDeleted, pastDelete } from "./remove.ts";
import { type DeploymentTarget, type DeployRequest, type DeploySource, revisionConfigOf } from "./request.ts";
import { type Earlier, findEarlier } from "./rollback.ts";
import { planSmokeRun, type SmokePlan } from "./smoke-plan.ts";

/** What there is before a deploy: the source, the deployment, and what an earlier run left. */
export interface Look {
  readonly request: DeployRequest;
  /** The name of the deployment, for create and for messages. */
  readonly name: string;
  /** The deployment that will be updated; undefined when it will be created. */
  readonly existing: Deployment | undefined;
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
export async function lookAround(request: DeployRequest, deps: DeployDeps): Promise<Look> {
  const { source, target } = request;
  const { controlPlane, emit, signal } = deps;
  const record = request.record === undefined ? undefined : readRecord(request.record);
  const tree =
    source.source === "internal_source"
      ? await readSourceTree({ ...source, ownFile: request.record, signal })
      : undefined;
  if (tree !== undefined) emit({ type: "source-read", tree });
  for (const notice of tree?.notices ?? []) emit({ type: "warning", ...notice });
  const found = await findTarget(target, deps, record?.record?.deployment.id);
  const existing = request.isTemporary === true ? await pastDelete(found, request, deps) : found;
  if (existing !== undefined) {
    emit({ type: "deployment-found", deployment: existing, page: controlPlane.pageOf(existing) });
  } else if (source.source !== "revision") {
    emit({ type: "deployment-new", name: nameOf(target, existing), source: source.source });
  }
  if (source.source === "external_docker") tellOfImage(source.imageUri, deps);
  const made =
    source.source === "revision"
      ? await findEarlier(source.revision, { deployment: mustStay(existing, target), record }, deps)
      : { revision: undefined, source: source.source, config: configOf(source, tree) };
  const earlier = made.revision === undefined ? undefined : made;
  const look = { request, source: made.source, config: made.config, earlier, existing, tree, record };
  check(look);
  const smokeRun = planSmokeRun(request.smokeRun, tree?.graphs);
  return { ...look, name: nameOf(target, existing), graphs: tree?.graphs, smokeRun };
}

/** Says what a name without a digest does not promise. */
function tellOfImage(image: string, { emit }: DeployDeps): void {
  const { digest, tag } = readImageReference(image);
  const message = floatingImage(image);
  if (message !== undefined) emit({ type: "warning", code: "IMAGE_FLOATING", message });
  else if (digest === undefined && tag !== undefined) emit({ type: "image-tagged", image, tag });
}

/** The configuration of a new revision; a configuration file may lie deeper in the archive than in its directory. */
function configOf(source: DeploySource, tree: SourceTree | undefined): RevisionConfigInput {
  const config = revisionConfigOf(source);
  return tree === undefined ? config : { ...config, graph_config_path: tree.graphConfigPath };
}

/** The target deployment, which must exist. */
export async function findExisting(target: DeploymentTarget, deps: DeployDeps): Promise<Deployment> {
  const deployment = mustExist(await findTarget(target, deps), target);
  deps.emit({ type: "deployment-found", deployment, page: deps.controlPlane.pageOf(deployment) });
  return deployment;
}

/** The deployment of a rollback: whether its revisions are known does not matter if it goes. */
function mustStay(deployment: Deployment | undefined, target: DeploymentTarget): Deployment {
  const existing = mustExist(deployment, target);
  checkStays(existing);
  return existing;
}

function mustExist(deployment: Deployment | undefined, target: DeploymentTarget): Deployment {
  if (deployment !== undefined) return deployment;
  throw new PlanError(`No deployment named ${quoted(nameOf(target, deployment))}.`, { reasons: ["NAME_NOT_FOUND"] });
}

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
function check({ request, source, config, existing }: Omit<Look, "graphs" | "name" | "smokeRun">): void {
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
