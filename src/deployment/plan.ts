import { isDeepStrictEqual } from "node:util";
import type { Deployment, DeploymentCreate, DeploymentPatch } from "../contract/deployment.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import {
  checkSourceOfCreate,
  checkSourceOfPatch,
  type RevisionConfigInput,
  type SourceConfigInput,
} from "../contract/source.ts";
import { InvalidRequestError } from "../control-plane/errors.ts";
import { hasStatus, isMissingEndpoint } from "../http/errors.ts";
import { packSource, type SourceArchive } from "../source/archive.ts";
import { readSourceTree, type SourceTree } from "../source/tree.ts";
import type { DeployDeps } from "./deps.ts";
import { PlanError } from "./errors.ts";
import type { DeployRequest, DirectorySource } from "./request.ts";
import { revisionConfigOf } from "./revision-config.ts";

/** What a deploy will do; making it wrote nothing. */
export interface Plan {
  readonly request: DeployRequest;
  /** The name of the deployment, for create and for messages. */
  readonly name: string;
  /** The deployment that will be updated; undefined when it will be created. */
  readonly existing: Deployment | undefined;
  /** The configuration of the new revision; the tarball's path comes with the upload. */
  readonly config: RevisionConfigInput;
  /** The packed source; undefined for a source that is not uploaded. */
  readonly archive: SourceArchive | undefined;
  /** The graphs that the agent must serve; undefined where the configuration file is not ours to read. */
  readonly graphs: readonly GraphEntry[] | undefined;
}

/** Looks at the source and at the deployment, refuses what cannot work, and packs. */
export async function makePlan(request: DeployRequest, deps: DeployDeps): Promise<Plan> {
  const { source } = request;
  const tree = source.source === "internal_source" ? await readTree(source, deps) : undefined;
  const config = {
    ...revisionConfigOf(source),
    ...(tree === undefined ? {} : { graph_config_path: tree.graphConfigPath }),
  };
  const existing = await lookUp(request, deps);
  checkRules(request, config, existing);
  const archive =
    tree !== undefined && source.source === "internal_source" ? await pack(tree, source, deps) : undefined;
  return { request, name: nameOf(request, existing), existing, config, archive, graphs: tree?.graphs };
}

/** Refuses a deployment whose source is another one: it cannot change after creation. */
export function checkSameSource(deployment: Deployment, { source: { source } }: DeployRequest): void {
  if (deployment.source === undefined || deployment.source === source) return;
  throw new PlanError(
    `Deployment ${deployment.id} has the source ${deployment.source}, which cannot become ${source}.`,
    { advice: "Choose another name, or delete the deployment first." },
  );
}

/** The request that creates the deployment. */
export function createBody({ request, name, config }: Plan): DeploymentCreate {
  return {
    name,
    source: request.source.source,
    source_config: request.sourceConfig,
    source_revision_config: config,
    secrets: request.secrets ?? [],
  };
}

/** Only what changes, and the field that makes a revision of this source. A deployment that was just created has the secrets. */
export function patchBody(
  { request, config }: Plan,
  current: Deployment,
  { tarballPath, created }: { readonly tarballPath: string | undefined; readonly created: boolean },
): DeploymentPatch {
  const known = current.source_revision_config?.graph_config_path;
  const { graph_config_path, ...rest } = config;
  const sourceConfig = changedKeys(request.sourceConfig, current.source_config ?? {});
  return {
    source_revision_config: {
      ...rest,
      ...(graph_config_path === undefined || graph_config_path === known ? {} : { graph_config_path }),
      ...(tarballPath === undefined ? {} : { source_tarball_path: tarballPath }),
    },
    ...(Object.keys(sourceConfig).length === 0 ? {} : { source_config: sourceConfig }),
    ...(request.secrets === undefined || created ? {} : { secrets: request.secrets }),
  };
}

function changedKeys(wanted: SourceConfigInput, current: SourceConfigInput): SourceConfigInput {
  const changed = Object.entries(wanted).filter(([key, value]) => !isDeepStrictEqual(value, current[key]));
  return Object.fromEntries(changed);
}

async function readTree(source: DirectorySource, { signal, emit }: DeployDeps): Promise<SourceTree> {
  const { directory, workspace, graphConfig, include, exclude } = source;
  const tree = await readSourceTree({ directory, workspace, graphConfig, include, exclude, signal });
  emit({ type: "source-read", tree });
  return tree;
}

async function pack(tree: SourceTree, { maxBytes }: DirectorySource, deps: DeployDeps) {
  const options = { spoolDirectory: deps.spoolDirectory, maxBytes, signal: deps.signal };
  const start = deps.clock.now();
  const archive = await packSource(tree, options);
  const milliseconds = deps.clock.now() - start;
  deps.emit({ type: "source-packed", archive, milliseconds });
  deps.emit({ type: "step-ended", step: "source", milliseconds });
  return archive;
}

function nameOf({ target }: DeployRequest, existing: Deployment | undefined): string {
  return target.deploymentId === undefined ? target.name : (target.name ?? existing?.name ?? target.deploymentId);
}

async function lookUp(request: DeployRequest, deps: DeployDeps): Promise<Deployment | undefined> {
  const { target } = request;
  const existing =
    target.deploymentId === undefined ? await lookUpByName(target.name, deps) : await lookUpById(target, deps);
  if (existing === undefined) {
    deps.emit({ type: "deployment-new", name: nameOf(request, existing), source: request.source.source });
  } else {
    deps.emit({ type: "deployment-found", deployment: existing });
    checkSameSource(existing, request);
  }
  return existing;
}

async function lookUpById({ name, deploymentId = "" }: DeployRequest["target"], { controlPlane }: DeployDeps) {
  try {
    const deployment = await controlPlane.get(deploymentId);
    if (name === undefined || deployment.name === undefined || deployment.name === name) return deployment;
    throw new PlanError(`Deployment ${deploymentId} is named ${deployment.name}, not ${name}.`, {
      advice: "Correct `name` or `deployment-id`; with an id, `name` may be left out.",
    });
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    throw new PlanError(`Deployment ${deploymentId} does not exist.`, {
      cause: error,
      advice: "Correct `deployment-id`, or leave it out to find or create the deployment by its name.",
    });
  }
}

async function lookUpByName(name: string, { controlPlane, emit }: DeployDeps): Promise<Deployment | undefined> {
  try {
    return await controlPlane.findByName(name);
  } catch (error) {
    if (!isMissingEndpoint(error)) throw error;
    // A wrong path prefix looks the same as a service without a list.
    const message =
      `This service cannot list deployments, so ${name} cannot be looked up by its name: ${error.message}. ` +
      "Check that `control-plane-url` has the path prefix of the service; " +
      "if the deployment exists, give its id as `deployment-id`.";
    emit({ type: "warning", message });
    return undefined;
  }
}

function checkRules(request: DeployRequest, config: RevisionConfigInput, existing: Deployment | undefined): void {
  const settings = {
    source: request.source.source,
    source_config: { ...existing?.source_config, ...request.sourceConfig },
    source_revision_config: config,
  };
  const violations = existing === undefined ? checkSourceOfCreate(settings) : checkSourceOfPatch(settings);
  if (violations.length > 0) {
    throw new InvalidRequestError(
      existing === undefined ? "The new deployment" : `The update of deployment ${existing.id}`,
      violations,
    );
  }
}
