import type { Deployment, Revision } from "../contract/deployment.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { parseInstant } from "../contract/instant.ts";
import { hasFailed, type RevisionStatusFact, revisionStatusFact } from "../contract/revision-status.ts";
import { matchesConfig } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";
import { findMade, type MadeBy, NEWEST_PAGES } from "../control-plane/writes.ts";
import { EndlessListError, isMissingEndpoint, noneIf } from "../http/errors.ts";
import type { TimeLimit } from "../http/time-limit.ts";
import { readPastLag, type Wait } from "./read-patience.ts";
import type { TimedDeps } from "./deps.ts";
import type { SmokePlan } from "./smoke-plan.ts";

/** A revision as it was read last. */
export interface Seen {
  readonly revision: Revision;
  readonly fact: RevisionStatusFact;
  /** When it was made, in microseconds since 1970; undefined where the service does not say. */
  readonly madeAt: bigint | undefined;
}

/** A revision that was read a moment ago. */
export function asSeen(revision: Revision): Seen {
  const madeAt = parseInstant(revision.created_at ?? "")?.microseconds;
  return { revision, fact: revisionStatusFact(revision.status), madeAt };
}

/**
 * A revision that is ours, and what waiting for it needs: that of an applied plan, or one that an earlier run began.
 */
export interface OurRevision extends Seen {
  /** The name of the deployment, for messages. */
  readonly name: string;
  /** How patiently it is waited for. */
  readonly request: Wait;
  /** When the wait for it is over. */
  readonly timeLimit: TimeLimit;
  /** The deployment before this revision; undefined if it was created with it. */
  readonly existing: Deployment | undefined;
  readonly deployment: Deployment;
  /** The latest revision before this one, if known. */
  readonly before?: string | undefined;
  /** The graphs that the agent must serve; undefined if the configuration file is not in our source. */
  readonly graphs: readonly GraphEntry[] | undefined;
  /** The smoke run that the agent must pass. */
  readonly smokeRun?: SmokePlan | undefined;
}

/** The revision that an update made, and how patiently it is looked for. */
export interface Made extends MadeBy {
  readonly request: Wait;
}

/**
 * The id of the revision that our update made, as its response names it: the run may end before it reads the revision, and
 * the user and the next run should know of it. Undefined if the response names none, or shows another run's source.
 */
export function namedRevision(patched: Deployment, made: MadeBy): string | undefined {
  const { latest_revision_id: named, source_revision_config: config } = patched;
  return named == null || isSameId(named, made.before) || !isFrom(config, made.config) ? undefined : named;
}

// If a service leaves the configuration out, its response to our update is all the proof there is.
function isFrom(config: Revision["source_revision_config"], sent: MadeBy["config"]): boolean {
  return config == null || matchesConfig(config, sent);
}

/**
 * The revision that our update made: the one that the response names, if it has our configuration; else the one in the
 * list, or the one that the deployment names later if the service has no list.
 */
export async function findOurRevision(patched: Deployment, made: Made, deps: TimedDeps): Promise<Revision | undefined> {
  const { controlPlane } = deps;
  const { id, latest_revision_id: named } = patched;
  const read = (look: () => Promise<Revision | undefined>) =>
    readPastLag({ look, isDone: (found) => found !== undefined, patience: made.request }, deps);
  const isOurs = ({ source_revision_config: config }: Revision) => isFrom(config, made.config);
  if (named != null && !isSameId(named, made.before)) {
    const revision = await read(() => controlPlane.revision(id, named));
    if (revision && isOurs(revision)) return revision;
  }
  return await read(async () => {
    try {
      return await findMade(controlPlane.revisions(id, { mostPages: NEWEST_PAGES }), made);
    } catch (error) {
      if (!isMissingEndpoint(error)) throw error;
      const revision = await readLatest(id, made.before, deps);
      return revision && isOurs(revision) ? revision : undefined;
    }
  });
}

/** The first revision of a deployment, which the response to a create may not name yet. */
export async function findFirst(created: Deployment, patience: Wait, deps: TimedDeps): Promise<Revision | undefined> {
  const { id, latest_revision_id: named } = created;
  const look = async () =>
    named == null ? await readLatest(id, undefined, deps) : await deps.controlPlane.revision(id, named);
  return await readPastLag({ look, isDone: (found) => found !== undefined, patience }, deps);
}

async function readLatest(id: string, before: string | undefined, { controlPlane }: TimedDeps) {
  const { latest_revision_id: latest } = await controlPlane.get(id);
  return latest == null || isSameId(latest, before) ? undefined : await controlPlane.revision(id, latest);
}

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
export async function findStanding(ours: OurRevision, deps: TimedDeps): Promise<Standing> {
  const { succeeded, outcome } = ours.fact;
  if (!succeeded) {
    const unread = { deployment: ours.deployment, isLatest: false, successor: undefined };
    if (outcome !== "superseded") return unread;
    try {
      const { deployment, isLatest, newer } = await readNewer(ours, deps);
      // One that made the service skip ours took its place, even if it failed afterwards.
      return { deployment, isLatest, successor: newer };
    } catch {
      deps.signal.throwIfAborted();
      return unread;
    }
  }
  const look = async (): Promise<Standing> => {
    const { deployment, isLatest, newer } = await readNewer(ours, deps);
    if (!hasFailed(newer?.status ?? "UNKNOWN")) return { deployment, isLatest, successor: newer };
    return { deployment, ...(await withoutFailed(ours, deployment, deps)) };
  };
  const isDone = ({ isLatest, successor }: Standing) => isLatest || successor !== undefined;
  return await readPastLag({ look, isDone, patience: ours.request }, deps);
}

/** The deployment, whether its latest revision is ours, and else that revision if it is proved to be newer. */
async function readNewer(ours: OurRevision, deps: TimedDeps) {
  const deployment = await deps.controlPlane.get(ours.deployment.id);
  const isLatest = isSameId(deployment.latest_revision_id, ours.revision.id);
  return { deployment, isLatest, newer: await asNewer(deployment.latest_revision_id, ours, deps) };
}

/**
 * How ours stands although the latest revision failed: one between the two in the list has taken its place, or without a
 * list the one that serves. Without both, nothing is proved.
 */
async function withoutFailed(
  ours: OurRevision,
  { active_revision_id: active }: Deployment,
  deps: TimedDeps,
): Promise<Pick<Standing, "isLatest" | "successor">> {
  const listed = await listedAbove(ours, deps);
  const ids = listed ? listed.filter(({ status = "UNKNOWN" }) => !hasFailed(status)).map(({ id }) => id) : [active];
  for (const id of ids) {
    // The status of a revision is read by its id.
    const newer = await asNewer(id, ours, deps);
    if (newer && !hasFailed(newer.status ?? "UNKNOWN")) return { isLatest: false, successor: newer };
  }
  return { isLatest: listed !== undefined || active != null, successor: undefined };
}

/** The revision of an id, if it is proved to be newer than ours by its time or by its place in the list. */
async function asNewer(
  id: string | null | undefined,
  ours: OurRevision,
  deps: TimedDeps,
): Promise<Successor | undefined> {
  if (id == null || isSameId(id, ours.revision.id) || isSameId(id, ours.before)) return undefined;
  const other = await deps.controlPlane.revision(ours.deployment.id, id).catch(noneIf(404));
  const [made, before] = [other && asSeen(other).madeAt, ours.madeAt];
  const isNewer = made === before || made === undefined || before === undefined ? undefined : made > before;
  const isAbove = async () => (await listedAbove(ours, deps))?.some((listed) => isSameId(listed.id, id)) ?? false;
  return (isNewer ?? (await isAbove())) ? (other ?? { id }) : undefined;
}

/** The revisions that the list, newest first, has above ours; undefined if there is no list that has ours. */
async function listedAbove(
  { deployment, revision, before }: OurRevision,
  { controlPlane }: TimedDeps,
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
