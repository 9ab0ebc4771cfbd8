import { setFields } from "../contract/set-fields.ts";
import { isDeepStrictEqual } from "node:util";
import type { Deployment, DeploymentPatch } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { SourceConfigInput } from "../contract/source.ts";
import { hasStatus, mayHaveBeenProcessed } from "../http/errors.ts";
import type { TimeLimit } from "../http/time-limit.ts";
import type { TimedDeps } from "./deps.ts";
import { ApplyError, DeployError, NoRevisionError, WaitError, WaitTimeoutError } from "./errors.ts";
import type { Look } from "./look.ts";
import { timedOut } from "./ending.ts";
import { asSeen, findFirst, findOurRevision, namedRevision, type Seen } from "./our-revision.ts";
import type { Plan } from "./plan.ts";
import { READ_LAG_MILLISECONDS } from "./read-patience.ts";
import type { Earlier } from "./rollback.ts";
import { reading, within } from "./run.ts";

/** A plan that was carried out: the revision that is ours. */
export interface Applied extends Plan, Seen {
  readonly deployment: Deployment;
  /** The latest revision before ours; undefined when there was none. */
  readonly before: string | undefined;
  /** True when this run made the deployment. */
  readonly created: boolean;
  /** When the wait for the revision is over. */
  readonly timeLimit: TimeLimit;
}

/**
 * Updates the deployment and finds the revision of it that is ours; every error names the deployment, and one after the
 * service has accepted the update also the revision, if the service names it.
 */
export async function update(plan: Plan, deployment: Deployment, created: boolean, deps: TimedDeps): Promise<Applied> {
  const accepted = await begin(plan, deployment, created, deps);
  const timeLimit = deps.timeLimit.again();
  const seen = await findRevision(plan, accepted, reading(within(timeLimit, deps)));
  const { id: revisionId, status } = seen.revision;
  deps.emit({ type: "revision-started", deploymentId: deployment.id, revisionId, status, resumed: false });
  return { ...plan, ...seen, deployment, before: accepted.before, created, timeLimit };
}

// A create or an update that made a revision: what was answered and sent, and which revision was the latest before.
async function begin(plan: Plan, deployment: Deployment, created: boolean, deps: TimedDeps) {
  // What needs no upload has its first revision from the create.
  if (!plan.archive && created) return { answered: deployment, before: undefined, config: undefined };
  let isSending = false;
  try {
    const tarballPath = await upload(plan, deployment, deps);
    const body = patchBody(plan, deployment, { tarballPath, created });
    const before = deployment.latest_revision_id ?? undefined;
    isSending = true;
    const answered = await deps.controlPlane.patch(deployment.id, body, {
      source: plan.source,
      sourceConfig: deployment.source_config,
      sourceRevisionConfig: deployment.source_revision_config,
      latestRevisionId: before ?? null,
      lagMilliseconds: lagOf(plan),
    });
    return { answered, before, config: body.source_revision_config ?? undefined };
  } catch (error) {
    deps.signal.throwIfAborted();
    if (error instanceof DeployError || !(error instanceof GraphDeployError)) throw error;
    const { earlier } = plan;
    // The service may refuse a source that it has had.
    const refused = hasStatus(error, 400, 409, 410, 422) ? earlier : undefined;
    const isOpen = isSending && mayHaveBeenProcessed(error);
    const what = refused
      ? `The service does not accept the source of revision ${refused.revision.id} again`
      : notUpdated(deployment.id, { created, isOpen });
    const advice = refused ? adviceAfterRefusal(refused) : error.advice;
    throw new ApplyError(`${what}: ${error.message}`, {
      cause: error,
      deploymentId: deployment.id,
      advice: [advice, nextRun(plan, deployment)].filter(Boolean).join(" "),
    });
  }
}

/** What a failed update left behind; `isOpen`: nobody knows whether the service has carried it out. */
function notUpdated(id: string, { created, isOpen }: { readonly created: boolean; readonly isOpen: boolean }): string {
  if (created) {
    const revision = isOpen ? "may or may not have got a revision" : "has no revision of this source";
    return `Deployment ${id} was created, but ${revision}`;
  }
  return isOpen ? `Deployment ${id} may or may not have been updated` : `The update of deployment ${id} failed`;
}

function nextRun({ unlisted }: Plan, { id }: Deployment): string {
  // Without a list its name does not lead to it.
  const needs = unlisted ? " if it has this id" : "";
  return `No cleanup needed; the next run updates deployment ${id}${needs}.`;
}

function adviceAfterRefusal({ source }: Earlier): string {
  return source === "internal_source"
    ? "Check out the commit that it was made from, and deploy that."
    : "Check that the image or the tag of that revision still exists, and deploy it.";
}

/** Reads the revision of an accepted update, which the service builds whatever happens here. */
async function findRevision(plan: Plan, accepted: Awaited<ReturnType<typeof begin>>, deps: TimedDeps): Promise<Seen> {
  const { name, request } = plan;
  const { answered, before, config } = accepted;
  const deploymentId = answered.id;
  const isFirst = !config;
  const made = { before, config, request };
  const revisionId = isFirst ? (answered.latest_revision_id ?? undefined) : namedRevision(answered, made);
  if (revisionId !== undefined) deps.emit({ type: "update-answered", deploymentId, revisionId, status: "UNKNOWN" });
  const { clock } = deps;
  const start = clock.now();
  try {
    const found = isFirst ? await findFirst(answered, request, deps) : await findOurRevision(answered, made, deps);
    if (found) return asSeen(found);
    throw clock.now() - start < LEAST_SEARCH_MILLISECONDS
      ? new WaitTimeoutError(
          `Deployment ${deploymentId} has accepted the update, but its new revision did not show before the timeout. It is building in the service.`,
          { deploymentId, advice: `Look at deployment ${deploymentId} in the service to see how it ends.` },
        )
      : new NoRevisionError(
          `Deployment ${deploymentId} accepted the update, but did not create a revision for this source.`,
          {
            deploymentId,
            advice: "Look at the deployment in the service; run again to send the source once more.",
          },
        );
  } catch (error) {
    deps.signal.throwIfAborted();
    if (error instanceof DeployError || !(error instanceof GraphDeployError)) throw error;
    if (revisionId === undefined || !deps.timeLimit.isOver()) {
      throw unseen({ name, deploymentId, revisionId, nextRun: nextRun(plan, answered) }, error);
    }
    const ours = { name, deployment: answered, revision: { id: revisionId } };
    throw timedOut(ours, undefined, clock.now() - start);
  }
}

async function upload(plan: Plan, { id }: Deployment, deps: TimedDeps): Promise<string | undefined> {
  const { archive } = plan;
  if (!archive) return undefined;
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
  return existing ? 0 : Math.min(READ_LAG_MILLISECONDS, request.timeoutMilliseconds);
}

interface Unseen {
  readonly name: string;
  readonly deploymentId: string;
  readonly revisionId: string | undefined;
  /** What the next run does, as a sentence. */
  readonly nextRun: string;
}

/**
 * The error of an update that the service has accepted, but whose revision cannot be read. `revisionId`: undefined if the
 * response to the update does not name it.
 */
export function unseen({ name, deploymentId, revisionId, nextRun }: Unseen, error: GraphDeployError): WaitError {
  const building = "is building in the service, but";
  const what =
    revisionId === undefined
      ? `deployment ${deploymentId} has accepted the update, and the new revision ${building} its id`
      : `revision ${revisionId} of deployment ${deploymentId} ${building} it`;
  return new WaitError(`${name}: ${what} cannot be read: ${error.message}`, {
    cause: error,
    revisionId,
    deploymentId,
    advice: [error.advice, `Look at deployment ${deploymentId} in the service to see how it ends.`, nextRun]
      .filter(Boolean)
      .join(" "),
  });
}

// The search ends a little earlier where reads may lag for as long as the run has time.
const LEAST_SEARCH_MILLISECONDS = 0.9 * READ_LAG_MILLISECONDS;

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
      ...setFields({ source_tarball_path: tarballPath }),
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
