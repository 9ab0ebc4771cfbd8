import type { Deployment, Revision } from "../contract/deployment.ts";
import { parseInstant } from "../contract/instant.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { isSameId } from "../contract/uuid.ts";
import { NEWEST_PAGES } from "../control-plane/writes.ts";
import { EndlessListError, hasStatus, isMissingEndpoint } from "../http/errors.ts";
import type { DeployDeps } from "./deps.ts";
import { lookPastLag, type OurRevision } from "./our-revision.ts";

/** A revision that is newer than ours, with its creation time and its status if the service gives them. */
export type Successor = Pick<Revision, "created_at" | "id"> & Partial<Pick<Revision, "status">>;

/** What our revision is in its deployment at its end. */
export interface Standing {
  readonly deployment: Deployment;
  /** True if our revision is the latest, or each newer one has failed: those have not taken its place. */
  readonly isLatest: boolean;
  /** The revision that has taken the place of ours or is on its way to it, if it is proved to be newer than ours. */
  readonly successor: Successor | undefined;
}

/**
 * How our revision stands at its end. For a live one it is read until it is certain: a stale read names another revision
 * as the latest. What has replaced ours is only named in an error, so one read is enough, and it may fail; any other end
 * needs none.
 */
export async function findStanding(ours: OurRevision, deps: DeployDeps): Promise<Standing> {
  const { succeeded, outcome } = revisionStatusFact(ours.revision.status);
  if (succeeded) {
    const look = () => readStanding(ours, deps);
    const isDone = ({ isLatest, successor }: Standing) => isLatest || successor !== undefined;
    return await lookPastLag({ look, isDone, patience: ours.request }, deps);
  }
  const unread = { deployment: ours.deployment, isLatest: false, successor: undefined };
  if (outcome !== "superseded") return unread;
  try {
    const { deployment, isLatest, newer } = await readLatest(ours, deps);
    // One that made the service skip ours took its place, even if it failed afterwards.
    return { deployment, isLatest, successor: newer };
  } catch {
    deps.signal.throwIfAborted();
    return unread;
  }
}

async function readStanding(ours: OurRevision, deps: DeployDeps): Promise<Standing> {
  const { deployment, isLatest, newer } = await readLatest(ours, deps);
  if (newer === undefined || !hasFailed(newer)) return { deployment, isLatest, successor: newer };
  const successor = await otherSuccessor(ours, deployment, deps);
  return { deployment, isLatest: successor === undefined, successor };
}

/** The deployment, whether its latest revision is ours, and else that revision if it is proved to be newer. */
async function readLatest(ours: OurRevision, deps: DeployDeps) {
  const deployment = await deps.controlPlane.get(ours.deployment.id);
  const isLatest = isSameId(deployment.latest_revision_id, ours.revision.id);
  return { deployment, isLatest, newer: await asNewer(deployment.latest_revision_id, ours, deps) };
}

/**
 * What has taken the place of ours although the latest revision failed: one between the two in the list, or without a list
 * the one that serves.
 */
async function otherSuccessor(
  ours: OurRevision,
  { active_revision_id: active }: Deployment,
  deps: DeployDeps,
): Promise<Successor | undefined> {
  const listed = await listedAbove(ours, deps);
  const ids = listed === undefined ? [active] : listed.filter((other) => !hasFailed(other)).map(({ id }) => id);
  for (const id of ids) {
    // The status of a revision is read by its id.
    const newer = await asNewer(id, ours, deps);
    if (newer !== undefined && !hasFailed(newer)) return newer;
  }
  return undefined;
}

/** True for a revision that ended without going live. */
function hasFailed({ status = "UNKNOWN" }: Successor): boolean {
  const { terminal, succeeded } = revisionStatusFact(status);
  return terminal && !succeeded;
}

/** The revision of an id, if it is proved to be newer than ours by its time or by its place in the list. */
async function asNewer(
  id: string | null | undefined,
  ours: OurRevision,
  deps: DeployDeps,
): Promise<Successor | undefined> {
  if (id == null || isSameId(id, ours.revision.id) || isSameId(id, ours.before)) return undefined;
  const other = await readIfThere(id, ours, deps);
  const [made, before] = [madeAt(other), madeAt(ours.revision)];
  const isNewer = made === before || made === undefined || before === undefined ? undefined : made > before;
  return (isNewer ?? (await standsAbove(id, ours, deps))) ? (other ?? { id }) : undefined;
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

/** True if the list of revisions has that one above ours. */
async function standsAbove(id: string, ours: OurRevision, deps: DeployDeps): Promise<boolean> {
  const listed = await listedAbove(ours, deps);
  return listed?.some((other) => isSameId(other.id, id)) ?? false;
}

/** The revisions that the list, newest first, has above ours; undefined if there is no list that has ours. */
async function listedAbove(
  { deployment, revision, before }: OurRevision,
  { controlPlane }: DeployDeps,
): Promise<readonly Successor[] | undefined> {
  const above: Successor[] = [];
  try {
    for await (const listed of controlPlane.revisions(deployment.id, { mostPages: NEWEST_PAGES })) {
      if (isSameId(listed.id, revision.id)) return above;
      // A list without ours is stale, and proves nothing about later revisions.
      if (isSameId(listed.id, before)) return undefined;
      above.push(listed);
    }
  } catch (error) {
    if (!isMissingEndpoint(error) && !(error instanceof EndlessListError)) throw error;
  }
  return undefined;
}
