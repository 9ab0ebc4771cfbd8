import type { Deployment, Revision } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { isMissingEndpoint } from "../http/errors.ts";
import type { DeployDeps } from "./deps.ts";
import { ApplyError, DeployError, NoRevisionError, PlanError } from "./errors.ts";
import { checkSameSource, createBody, patchBody, type Plan } from "./plan.ts";
import { findRevision } from "./our-revision.ts";

const ADVICE_ADDRESS =
  "No control plane answers there: check `control-plane-url`, with its path prefix if it has one and without /v2.";

/** A plan that was carried out: the revision that is ours. */
export interface Applied extends Plan {
  readonly deployment: Deployment;
  readonly revision: Revision;
  /** True when this run made the deployment. */
  readonly created: boolean;
}

/** Creates or updates the deployment; every failure after it exists names it. */
export async function apply(plan: Plan, deps: DeployDeps): Promise<Applied> {
  const { deployment, created } = await ensureDeployment(plan, deps);
  try {
    const revision = await startRevision(plan, deployment, created, deps);
    const { id: revisionId, status } = revision;
    deps.emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status });
    return { ...plan, deployment, revision, created };
  } catch (error) {
    deps.signal.throwIfAborted();
    if (error instanceof DeployError || !(error instanceof GraphDeployError)) throw error;
    // After a line that was cut nobody knows whether the update was carried out: it is not called undone.
    const what = created
      ? `Deployment ${deployment.id} was created, but ${error.message}`
      : `The update of deployment ${deployment.id} failed: ${error.message}`;
    throw new ApplyError(what, {
      cause: error,
      advice: [error.advice, `Nothing has to be cleaned up: the next run updates deployment ${deployment.id}.`]
        .filter((sentence) => sentence !== undefined)
        .join(" "),
    });
  }
}

async function ensureDeployment(plan: Plan, { controlPlane, emit }: DeployDeps) {
  const { existing, request } = plan;
  if (existing !== undefined) return { deployment: existing, created: false };
  const { deployment, adopted } = await controlPlane.create(createBody(plan)).catch((error: unknown) => {
    throw isMissingEndpoint(error) ? new PlanError(error.message, { cause: error, advice: ADVICE_ADDRESS }) : error;
  });
  emit({ type: "deployment-created", deployment, adopted });
  if (adopted) checkSameSource(deployment, request);
  return { deployment, created: !adopted };
}

async function startRevision(
  plan: Plan,
  deployment: Deployment,
  created: boolean,
  deps: DeployDeps,
): Promise<Revision> {
  const { controlPlane } = deps;
  if (plan.archive === undefined && created) {
    if (deployment.latest_revision_id == null) throw noRevision(deployment.id);
    return await controlPlane.revision(deployment.id, deployment.latest_revision_id);
  }
  const tarballPath = await upload(plan, deployment, deps);
  const body = patchBody(plan, deployment, { tarballPath, created });
  const latestBefore = deployment.latest_revision_id ?? undefined;
  const patched = await controlPlane.patch(deployment.id, body, {
    source: plan.request.source.source,
    sourceConfig: deployment.source_config,
    latestRevisionId: latestBefore ?? null,
  });
  const revision = await findRevision(patched, { before: latestBefore, config: body.source_revision_config }, deps);
  if (revision === undefined) throw noRevision(deployment.id);
  return revision;
}

async function upload(plan: Plan, { id }: Deployment, deps: DeployDeps): Promise<string | undefined> {
  const { archive } = plan;
  if (archive === undefined) return undefined;
  const { clock, controlPlane, emit } = deps;
  const start = clock.now();
  const path = await controlPlane.upload(id, archive, {
    onProgress: (sentBytes) => {
      emit({ type: "upload-progress", sentBytes, totalBytes: archive.bytes, milliseconds: clock.now() - start });
    },
  });
  const milliseconds = clock.now() - start;
  emit({ type: "uploaded", bytes: archive.bytes, milliseconds });
  emit({ type: "step-ended", step: "upload", milliseconds });
  return path;
}

function noRevision(id: string): NoRevisionError {
  return new NoRevisionError(`Deployment ${id} accepted the update, but made no revision of this source.`, {
    advice: "Look at the deployment in the service; run again to send the source once more.",
  });
}
