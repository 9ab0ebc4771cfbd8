import type { Deployment } from "../contract/deployment.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { checkSourceOfCreate, checkSourceOfPatch, type RevisionConfigInput } from "../contract/source.ts";
import { InvalidRequestError } from "../control-plane/errors.ts";
import { readSourceTree, type SourceTree } from "../source/tree/tree.ts";
import type { DeployDeps } from "./deps.ts";
import { PlanError } from "./errors.ts";
import { readRecord, type RecordReading } from "./record.ts";
import { type DeployRequest, type DirectorySource, revisionConfigOf } from "./request.ts";
import { checkSmokeRun } from "./smoke-run.ts";
import { findTarget, nameOf } from "./target.ts";

/** What there is before a deploy: the source, the deployment, and what an earlier run left. */
export interface Look {
  readonly request: DeployRequest;
  /** The name of the deployment, for create and for messages. */
  readonly name: string;
  /** The deployment that will be updated; undefined when it will be created. */
  readonly existing: Deployment | undefined;
  /** The configuration of the new revision; the tarball's path comes with the upload. */
  readonly config: RevisionConfigInput;
  /** What would be packed; undefined for a source that is not uploaded. */
  readonly tree: SourceTree | undefined;
  /** The graphs that the agent must serve; undefined if the configuration file is not in our source. */
  readonly graphs: readonly GraphEntry[] | undefined;
  /** The record of an earlier run; undefined if none was requested. */
  readonly record: RecordReading | undefined;
}

/** Reads the source and the deployment, and throws if they cannot work together; writes nothing. */
export async function lookAround(request: DeployRequest, deps: DeployDeps): Promise<Look> {
  const { source } = request;
  const tree = source.source === "internal_source" ? await readTree(source, request.record, deps) : undefined;
  const config = {
    ...revisionConfigOf(source),
    ...(tree === undefined ? {} : { graph_config_path: tree.graphConfigPath }),
  };
  const record = request.record === undefined ? undefined : readRecord(request.record);
  const existing = await lookUp(request, record, deps);
  checkRules(request, config, existing);
  checkSmokeRun(request.smokeRun, tree?.graphs);
  return { request, name: nameOf(request.target, existing), existing, config, tree, graphs: tree?.graphs, record };
}

/** Throws for a deployment with another source, which cannot change after creation. */
export function checkSameSource(deployment: Deployment, { source: { source } }: DeployRequest): void {
  if (deployment.source === undefined || deployment.source === source) return;
  throw new PlanError(
    `Deployment ${deployment.id} has the source ${deployment.source}, which cannot become ${source}.`,
    { deploymentId: deployment.id, advice: "Choose another name, or delete the deployment first." },
  );
}

async function readTree(source: DirectorySource, ownFile: string | undefined, deps: DeployDeps): Promise<SourceTree> {
  const { directory, workspace, graphConfig, include, exclude } = source;
  const { signal } = deps;
  const tree = await readSourceTree({ directory, workspace, graphConfig, include, exclude, ownFile, signal });
  deps.emit({ type: "source-read", tree });
  return tree;
}

async function lookUp(
  request: DeployRequest,
  record: RecordReading | undefined,
  deps: DeployDeps,
): Promise<Deployment | undefined> {
  const existing = await findTarget(request.target, deps, record?.record?.deployment.id);
  if (existing === undefined) {
    deps.emit({ type: "deployment-new", name: nameOf(request.target, existing), source: request.source.source });
  } else {
    deps.emit({ type: "deployment-found", deployment: existing, page: deps.controlPlane.pageOf(existing) });
    checkSameSource(existing, request);
  }
  return existing;
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
