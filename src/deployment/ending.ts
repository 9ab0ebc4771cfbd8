import type { Deployment, Revision } from "../contract/deployment.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { parseInstant } from "../contract/instant.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { isSameId } from "../contract/uuid.ts";
import { NEWEST_PAGES } from "../control-plane/patch.ts";
import { EndlessListError, hasStatus, isMissingEndpoint } from "../http/errors.ts";
import { elapsedText } from "../text/duration.ts";
import type { DeployDeps } from "./deps.ts";
import { RevisionFailedError, SupersededError, WaitError, WaitTimeoutError } from "./errors.ts";
import { lookPastLag, type OurRevision } from "./our-revision.ts";

/** A revision that is newer than ours, with its creation time if the service gives one. */
export type Successor = Pick<Revision, "created_at" | "id">;

const LOG_LINES = 30;

/** The error of a wait that timed out. */
export function timedOut(ours: OurRevision, status: string | undefined, elapsedMilliseconds: number): WaitTimeoutError {
  const { deployment, revision } = ours;
  const state = status === undefined ? "could not be read" : `is still ${status}`;
  return new WaitTimeoutError(
    `${ours.name}: timed out waiting for revision ${revision.id}, which ${state} after ${elapsedText(elapsedMilliseconds)}. It is still running in the service.`,
    {
      revisionId: revision.id,
      deploymentId: deployment.id,
      advice:
        `Look at deployment ${deployment.id} in the service to see how it ends. ` +
        "No cleanup needed; the next run updates the same deployment.",
    },
  );
}

/** The error of a revision that can no longer be read. */
export function unreadable(ours: OurRevision, error: GraphDeployError): WaitError {
  const { deployment, revision } = ours;
  return new WaitError(
    `${ours.name}: revision ${revision.id} of deployment ${deployment.id} can no longer be followed: ${error.message}`,
    {
      cause: error,
      revisionId: revision.id,
      deploymentId: deployment.id,
      advice: [error.advice, "The revision continues in the service."].filter(Boolean).join(" "),
    },
  );
}

/** The error of a revision that a newer one has replaced; `newer` is undefined if the service does not name it. */
export function supersededBy(
  { name, deployment, revision }: OurRevision,
  newer: Successor | undefined,
): SupersededError {
  const other = newer === undefined ? "a newer revision" : `revision ${newer.id}`;
  const what =
    revision.status === "SKIPPED"
      ? `was SKIPPED, because ${other} took its place`
      : `was DEPLOYED, but ${other}${createdLater(revision, newer)} is the latest now`;
  return new SupersededError(`${name}: revision ${revision.id} ${what}.`, { deploymentId: deployment.id });
}

/** The error of a failed revision; reports its last log lines first. */
export async function failureOf(
  ours: OurRevision,
  elapsedMilliseconds: number,
  deps: DeployDeps,
): Promise<RevisionFailedError> {
  const { revision } = ours;
  const fact = revisionStatusFact(revision.status);
  if (revision.status !== "INTERRUPTED") await emitLogs(ours, deps);
  const said = asSentence(revision.status_message ?? "");
  const before = servedBefore(ours) ? " The previous revision is still serving." : "";
  const outcome =
    revision.status === "INTERRUPTED"
      ? "interrupted"
      : revision.status === "BUILD_FAILED"
        ? "build-failed"
        : "deploy-failed";
  return new RevisionFailedError(
    outcome,
    `${ours.name}: revision ${revision.id} ended as ${revision.status} after ${elapsedText(elapsedMilliseconds)}.${said}${before}`,
    {
      deploymentId: ours.deployment.id,
      advice: `${fact.advice} No cleanup needed; the next run updates deployment ${ours.deployment.id}.`,
    },
  );
}

// A failure to read the logs must not hide the real error.
async function emitLogs({ deployment, revision }: OurRevision, deps: DeployDeps): Promise<void> {
  const { controlPlane, emit, signal } = deps;
  const kind = revision.status === "DEPLOY_FAILED" ? "deploy" : "build";
  try {
    const options = { limit: LOG_LINES, deadlineMilliseconds: 10_000 };
    const lines = await controlPlane.logs(deployment.id, revision.id, kind, options);
    if (lines !== undefined && lines.length > 0) emit({ type: "revision-logs", kind, lines });
  } catch {
    signal.throwIfAborted();
  }
}

// A service may end its messages with a full stop, or not.
function asSentence(message: string): string {
  const text = message.trim();
  return text === "" ? "" : ` ${text}${/[.!?…]$/u.test(text) ? "" : "."}`;
}

function servedBefore({ existing }: OurRevision): boolean {
  return existing?.active_revision_id != null || (existing?.source_config?.custom_url ?? "") !== "";
}

function createdLater(ours: Revision, latest: Successor | undefined): string {
  const later = Date.parse(latest?.created_at ?? "") - Date.parse(ours.created_at ?? "");
  return later >= 1_000 ? ` (created ${elapsedText(later)} later)` : "";
}

/** A deployment as it was read, and whether our revision is its latest. */
interface Look {
  readonly deployment: Deployment;
  readonly isOurs: boolean;
  /** The latest revision, if it is proved to be newer than ours. */
  readonly successor: Successor | undefined;
}

/**
 * The deployment of our live revision. Throws SupersededError if another revision is the latest and proved to be newer.
 * A stale read names another one too: without proof the deployment is read again, and in the end our revision counts as
 * the latest, with a warning.
 */
export async function checkLatest(ours: OurRevision, deps: DeployDeps): Promise<Deployment> {
  const last = await lookPastLag(
    {
      look: () => lookAt(ours, deps),
      isDone: ({ isOurs, successor }) => isOurs || successor !== undefined,
      patience: ours.request,
    },
    deps,
  ).catch((error: unknown) => {
    deps.signal.throwIfAborted();
    throw error instanceof GraphDeployError ? unreadable(ours, error) : error;
  });
  if (last.successor !== undefined) throw supersededBy(ours, last.successor);
  if (!last.isOurs) deps.emit({ type: "warning", message: unproved(ours, last.deployment) });
  return last.deployment;
}

/** The revision that replaced ours, for the message; undefined if none is proved to be newer. */
export async function findSuccessor(ours: OurRevision, deps: DeployDeps): Promise<Successor | undefined> {
  try {
    return (await lookAt(ours, deps)).successor;
  } catch {
    deps.signal.throwIfAborted();
    return undefined;
  }
}

async function lookAt(ours: OurRevision, deps: DeployDeps): Promise<Look> {
  const deployment = await deps.controlPlane.get(ours.deployment.id);
  const latest = deployment.latest_revision_id;
  const isOurs = isSameId(latest, ours.revision.id);
  const mayBeNewer = latest != null && !isOurs && !isSameId(latest, ours.before);
  return { deployment, isOurs, successor: mayBeNewer ? await asSuccessor(latest, ours, deps) : undefined };
}

async function asSuccessor(latest: string, ours: OurRevision, deps: DeployDeps): Promise<Successor | undefined> {
  const other = await readIfThere(latest, ours, deps);
  const [made, before] = [madeAt(other), madeAt(ours.revision)];
  const isNewer = made === before || made === undefined || before === undefined ? undefined : made > before;
  return (isNewer ?? (await standsAbove(latest, ours, deps))) ? (other ?? { id: latest }) : undefined;
}

async function readIfThere(id: string, { deployment }: OurRevision, { controlPlane }: DeployDeps) {
  try {
    return await controlPlane.revision(deployment.id, id);
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

function madeAt(revision: Successor | undefined): bigint | undefined {
  return parseInstant(revision?.created_at ?? "")?.microseconds;
}

/** True if the list of revisions, newest first, has that one above ours. */
async function standsAbove(id: string, { deployment, revision, before }: OurRevision, { controlPlane }: DeployDeps) {
  let isSeen = false;
  try {
    for await (const listed of controlPlane.revisions(deployment.id, { mostPages: NEWEST_PAGES })) {
      if (isSameId(listed.id, revision.id)) return isSeen;
      // A list without ours is stale, and proves nothing about later revisions.
      if (isSameId(listed.id, before)) return false;
      isSeen ||= isSameId(listed.id, id);
    }
  } catch (error) {
    if (!isMissingEndpoint(error) && !(error instanceof EndlessListError)) throw error;
  }
  return false;
}

function unproved({ name, revision }: OurRevision, { id, latest_revision_id: latest }: Deployment): string {
  const named = latest == null ? "no revision" : `revision ${latest}`;
  return (
    `${name}: revision ${revision.id} is DEPLOYED, but deployment ${id} still names ${named} as its latest. ` +
    "Nothing shows that it is newer, so this deploy counts as live; check the deployment in the service."
  );
}
