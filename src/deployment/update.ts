import { isDeepStrictEqual } from "node:util";
import type { Deployment, DeploymentPatch, Revision } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { SourceConfigInput } from "../contract/source.ts";
import { hasStatus } from "../http/errors.ts";
import type { DeployDeps } from "./deps.ts";
import { ApplyError, DeployError, NoRevisionError } from "./errors.ts";
import type { Look } from "./look.ts";
import { findFirst, findOurRevision, READ_LAG_MILLISECONDS } from "./our-revision.ts";
import type { Plan } from "./plan.ts";
import type { Earlier } from "./rollback.ts";

/** A plan that was carried out: the revision that is ours. */
export interface Applied extends Plan {
  readonly deployment: Deployment;
  /** The latest revision before ours; undefined when there was none. */
  readonly before: string | undefined;
  readonly revision: Revision;
  /** True when this run made the deployment. */
  readonly created: boolean;
}

/** Updates the deployment and finds the revision of it that is ours; every error names the deployment. */
export async function update(plan: Plan, deployment: Deployment, created: boolean, deps: DeployDeps): Promise<Applied> {
  try {
    const { revision, before } = await startRevision(plan, deployment, created, deps);
    const { id: revisionId, status } = revision;
    deps.emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status, resumed: false });
    return { ...plan, deployment, before, revision, created };
  } catch (error) {
    deps.signal.throwIfAborted();
    if (error instanceof DeployError || !(error instanceof GraphDeployError)) throw error;
    const { earlier } = plan;
    // The service may refuse a source that it has had.
    const refused = hasStatus(error, 400, 409, 410, 422) ? earlier : undefined;
    // After a cut connection it is open whether the update was carried out, so the message does not deny it.
    const what = created
      ? `Deployment ${deployment.id} was created, but ${plan.archive === undefined ? "its first revision cannot be read: " : ""}${error.message}`
      : refused === undefined
        ? `The update of deployment ${deployment.id} failed: ${error.message}`
        : `The service does not accept the source of revision ${refused.revision.id} again: ${error.message}`;
    const advice = refused === undefined ? error.advice : adviceAfterRefusal(refused);
    throw new ApplyError(what, {
      cause: error,
      deploymentId: deployment.id,
      advice: [advice, nextRun(plan, deployment)].filter(Boolean).join(" "),
    });
  }
}

function nextRun({ isUnlisted }: Plan, { id }: Deployment): string {
  // Without a list its name does not lead to it.
  const needs = isUnlisted ? " if it has this id" : "";
  return `No cleanup needed; the next run updates deployment ${id}${needs}.`;
}

function adviceAfterRefusal({ source }: Earlier): string {
  return source === "internal_source"
    ? "Check out the commit that it was made from, and deploy that."
    : "Check that the image or the tag of that revision still exists, and deploy it.";
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
    sourceRevisionConfig: deployment.source_revision_config,
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
  return existing === undefined ? Math.min(READ_LAG_MILLISECONDS, request.timeoutMilliseconds) : 0;
}

function noRevision(id: string): NoRevisionError {
  return new NoRevisionError(`Deployment ${id} accepted the update, but did not create a revision for this source.`, {
    deploymentId: id,
    advice: "Look at the deployment in the service; run again to send the source once more.",
  });
}

/**
 * Every field of a patch, of which only what changes is sent, and the one that creates a revision of this source. A new
 * deployment has its secrets already.
 */
export function patchBody(
  { request, config }: Look,
  current: Deployment,
  { tarballPath, created }: { readonly tarballPath: string | undefined; readonly created: boolean },
): Record<keyof DeploymentPatch, unknown> & DeploymentPatch {
  const known = current.source_revision_config?.graph_config_path;
  const { graph_config_path, ...rest } = config;
  const sourceConfig = changedSettings(request.sourceConfig, current);
  return {
    source_revision_config: {
      ...rest,
      ...(graph_config_path === undefined || graph_config_path === known ? {} : { graph_config_path }),
      ...(tarballPath === undefined ? {} : { source_tarball_path: tarballPath }),
    },
    source_config: Object.keys(sourceConfig).length === 0 ? undefined : sourceConfig,
    secrets: created ? undefined : request.secrets,
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
