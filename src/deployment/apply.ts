import { isDeepStrictEqual } from "node:util";
import type { Deployment, DeploymentCreate, DeploymentPatch, Revision } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { SourceConfigInput } from "../contract/source.ts";
import { AmbiguousNameError, CreateUncertainError, NameTakenError } from "../control-plane/errors.ts";
import { isMissingEndpoint, mayHaveBeenProcessed } from "../http/errors.ts";
import { packSource, type SourceArchive } from "../source/archive/archive.ts";
import type { SourceTree } from "../source/tree/tree.ts";
import { quoted } from "../text/quoted.ts";
import type { DeployDeps } from "./deps.ts";
import { ApplyError, DeployError, NoRevisionError, PlanError } from "./errors.ts";
import { checkSameSource, type Look } from "./look.ts";
import { checkDigest } from "./expected-digest.ts";
import { findFirst, findOurRevision, LAG_MILLISECONDS } from "./our-revision.ts";
import type { DirectorySource } from "./request.ts";
import { refusalOf } from "./rollback.ts";
import { createTemporary } from "./temporary.ts";

const ADVICE_ADDRESS =
  "No control plane answers there: check its address, with the path prefix if it has one and without /v2.";

/** What a deploy will do; planning writes nothing. */
export interface Plan extends Look {
  /** The packed source; undefined for a source that is not uploaded. */
  readonly archive: SourceArchive | undefined;
}

/** Packs the source, if there is one to upload. Throws a PlanError for a source that is not the expected one. */
export async function makePlan(look: Look, deps: DeployDeps): Promise<Plan> {
  const { tree } = look;
  const { source } = look.request;
  const archive =
    tree !== undefined && source.source === "internal_source" ? await packInTurn(tree, source, deps) : undefined;
  try {
    checkDigest(look.request, archive?.digest);
  } catch (error) {
    await archive?.remove();
    throw error;
  }
  return { ...look, archive };
}

async function packInTurn(tree: SourceTree, source: DirectorySource, deps: DeployDeps): Promise<SourceArchive> {
  const work = () => pack(tree, source, deps);
  return await (deps.packing === undefined ? work() : deps.packing.take(work));
}

async function pack(tree: SourceTree, { maxBytes }: DirectorySource, deps: DeployDeps): Promise<SourceArchive> {
  const options = { spoolDirectory: deps.spoolDirectory, maxBytes, signal: deps.signal };
  const start = deps.clock.now();
  const archive = await packSource(tree, options);
  const milliseconds = deps.clock.now() - start;
  deps.emit({ type: "source-packed", archive, milliseconds });
  deps.emit({ type: "step-ended", step: "source", milliseconds });
  return archive;
}

/** A plan that was carried out: the revision that is ours. */
export interface Applied extends Plan {
  readonly deployment: Deployment;
  /** The latest revision before ours; undefined when there was none. */
  readonly before: string | undefined;
  readonly revision: Revision;
  /** True when this run made the deployment. */
  readonly created: boolean;
}

/**
 * Creates or updates the deployment, and removes the archive of the plan; every error after that point names the
 * deployment.
 */
export async function apply(plan: Plan, deps: DeployDeps): Promise<Applied> {
  try {
    await deps.beforeFirstWrite?.();
    const { deployment, created } = await ensureDeployment(plan, deps);
    return await update(plan, deployment, created, deps);
  } finally {
    // A process may wait for a hundred deploys at once.
    await plan.archive?.remove();
  }
}

async function update(plan: Plan, deployment: Deployment, created: boolean, deps: DeployDeps): Promise<Applied> {
  try {
    const { revision, before } = await startRevision(plan, deployment, created, deps);
    const { id: revisionId, status } = revision;
    deps.emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status, resumed: false });
    return { ...plan, deployment, before, revision, created };
  } catch (error) {
    deps.signal.throwIfAborted();
    if (error instanceof DeployError || !(error instanceof GraphDeployError)) throw error;
    const refusal = plan.earlier === undefined ? undefined : refusalOf(plan.earlier, error);
    // After a cut connection it is open whether the update was carried out, so the message does not deny it.
    const what = created
      ? `Deployment ${deployment.id} was created, but ${error.message}`
      : `The update of deployment ${deployment.id} failed: ${error.message}`;
    throw new ApplyError(refusal?.message ?? what, {
      cause: error,
      deploymentId: deployment.id,
      advice: [refusal?.advice ?? error.advice, `No cleanup needed; the next run updates deployment ${deployment.id}.`]
        .filter((sentence) => sentence !== undefined)
        .join(" "),
    });
  }
}

async function ensureDeployment(plan: Plan, deps: DeployDeps) {
  const { existing, request, source } = plan;
  const { controlPlane, emit } = deps;
  if (existing !== undefined) return { deployment: existing, created: false };
  const body = createBody(plan);
  const create = request.isTemporary === true ? createTemporary(body, request, deps) : controlPlane.create(body);
  const { deployment, adopted } = await create.catch((error: unknown) => {
    throw notCreated(quoted(plan.name), error);
  });
  emit({ type: "deployment-created", deployment, adopted, page: controlPlane.pageOf(deployment) });
  if (adopted) checkSameSource(deployment, source);
  return { deployment, created: !adopted };
}

/** The error of a create, with the name of the deployment. */
function notCreated(name: string, error: unknown): unknown {
  if (!(error instanceof GraphDeployError)) return error;
  if (isMissingEndpoint(error)) {
    const reasons = ["NO_CONTROL_PLANE"] as const;
    return new PlanError(`${name} was not created: ${error.message}`, {
      cause: error,
      advice: ADVICE_ADDRESS,
      reasons,
    });
  }
  if (namesIt(error)) return error;
  const what = mayHaveBeenProcessed(error) ? "may or may not have been created" : "was not created";
  return new ApplyError(`${name} ${what}: ${error.message}`, { cause: error, advice: error.advice });
}

function namesIt(error: GraphDeployError): boolean {
  return (
    error instanceof DeployError ||
    error instanceof CreateUncertainError ||
    error instanceof NameTakenError ||
    error instanceof AmbiguousNameError
  );
}

async function startRevision(
  plan: Plan,
  deployment: Deployment,
  created: boolean,
  deps: DeployDeps,
): Promise<Pick<Applied, "before" | "revision">> {
  const { controlPlane } = deps;
  const { request } = plan;
  if (plan.archive === undefined && created) {
    const first = await findFirst(deployment, request, deps);
    if (first === undefined) throw noRevision(deployment.id);
    return { before: undefined, revision: first };
  }
  const tarballPath = await upload(plan, deployment, deps);
  const body = patchBody(plan, deployment, { tarballPath, created });
  const latestBefore = deployment.latest_revision_id ?? undefined;
  const patched = await controlPlane.patch(deployment.id, body, {
    source: plan.source,
    sourceConfig: deployment.source_config,
    latestRevisionId: latestBefore ?? null,
    lagMilliseconds: lagOf(plan),
  });
  const made = { before: latestBefore, config: body.source_revision_config, request };
  const revision = await findOurRevision(patched, made, deps);
  if (revision === undefined) throw noRevision(deployment.id);
  return { before: latestBefore, revision };
}

async function upload(plan: Plan, { id }: Deployment, deps: DeployDeps): Promise<string | undefined> {
  const { archive } = plan;
  if (archive === undefined) return undefined;
  const { clock, controlPlane, emit, signal } = deps;
  const start = clock.now();
  emit({ type: "upload-started" });
  const path = await controlPlane.upload(id, archive, {
    signal,
    lagMilliseconds: lagOf(plan),
    onProgress: (sentBytes) => {
      emit({ type: "upload-progress", sentBytes, totalBytes: archive.bytes, milliseconds: clock.now() - start });
    },
  });
  const milliseconds = clock.now() - start;
  emit({ type: "uploaded", bytes: archive.bytes, milliseconds });
  emit({ type: "step-ended", step: "upload", milliseconds });
  // An upload may take minutes.
  await deps.afterUpload?.(path);
  signal.throwIfAborted();
  return path;
}

/** How long a replica of the service may not know a deployment that was created a moment ago. */
function lagOf({ existing, request }: Plan): number {
  return existing === undefined ? Math.min(LAG_MILLISECONDS, request.timeoutMilliseconds) : 0;
}

function noRevision(id: string): NoRevisionError {
  return new NoRevisionError(`Deployment ${id} accepted the update, but did not create a revision for this source.`, {
    deploymentId: id,
    advice: "Look at the deployment in the service; run again to send the source once more.",
  });
}

/** The request that creates the deployment. */
function createBody({ request, name, source, config }: Plan): DeploymentCreate {
  return {
    name,
    source,
    source_config: request.sourceConfig,
    source_revision_config: config,
    secrets: request.secrets ?? [],
  };
}

/** Only what changes, and the field that creates a revision of this source. A new deployment has its secrets already. */
export function patchBody(
  { request, config }: Look,
  current: Deployment,
  { tarballPath, created }: { readonly tarballPath: string | undefined; readonly created: boolean },
): DeploymentPatch {
  const known = current.source_revision_config?.graph_config_path;
  const { graph_config_path, ...rest } = config;
  const sourceConfig = changedSettings(request.sourceConfig, current);
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

/** The settings whose values in the deployment differ from the wanted ones. */
export function changedSettings(wanted: SourceConfigInput, { source_config }: Deployment): SourceConfigInput {
  // Own keys only, whatever their names; null means that the deployment does not have the setting.
  const known = new Map(Object.entries(source_config ?? {}));
  const changed = Object.entries(wanted).filter(
    ([key, value]) => !isDeepStrictEqual(value ?? null, known.get(key) ?? null),
  );
  return Object.fromEntries(changed);
}
