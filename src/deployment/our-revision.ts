import type { Deployment, Revision } from "../contract/deployment.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { parseInstant } from "../contract/instant.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { matchesConfig } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";
import { findMade, type MadeBy, NEWEST_PAGES } from "../control-plane/writes.ts";
import { EndlessListError, isMissingEndpoint, unlessMissing } from "../http/errors.ts";
import { poll } from "../http/poll.ts";
import type { TimeLimit } from "../http/time-limit.ts";
import type { DeployDeps } from "./deps.ts";
import { READ_LAG_MILLISECONDS, ReadPatience } from "./read-patience.ts";
import type { Patience } from "./request.ts";
import type { SmokePlan } from "./smoke-plan.ts";

/** How to read what was written a moment ago. */
interface Search<Value> {
  readonly look: () => Promise<Value>;
  /** True for the value of a read that is up to date. */
  readonly isDone: (value: Value) => boolean;
  /** The timeout of the run, which may be shorter than a read may lag. */
  readonly patience: Wait;
}

type Wait = Pick<Patience, "pollCapMilliseconds" | "timeoutMilliseconds">;

/**
 * Reads again until the value is up to date, for as long as reads may lag; a 404 counts as stale. A service that is down is
 * waited for, within the time of the run. Returns the last value; throws the error of the last read if there is none.
 */
export async function readPastLag<Value>(
  { look, isDone, patience: wait }: Search<Value>,
  { clock, random, signal, emit, timeLimit }: DeployDeps,
): Promise<Value> {
  let failure = new Error("Nothing was looked at.");
  let last: { readonly value: Value } | undefined;
  const start = clock.now();
  const patience = new ReadPatience(clock, { ids: [], hasRead: false });
  await poll<Value>({
    look: async () => {
      last = { value: await look() };
      patience.end();
      return last.value;
    },
    isDone: (value) => isDone(value) || clock.now() - start >= READ_LAG_MILLISECONDS,
    stateOf: () => "",
    isTransient: (error) => patience.tolerates(error),
    onTransient: (error) => {
      // An earlier "not found" proves nothing once a later read has failed.
      if (last?.value === undefined) last = undefined;
      failure = error instanceof Error ? error : new Error(String(error));
      emit({ type: "look-failed", message: failure.message });
    },
    timeoutMilliseconds: Math.min(wait.timeoutMilliseconds, timeLimit?.forLooks() ?? wait.timeoutMilliseconds),
    capMilliseconds: wait.pollCapMilliseconds,
    clock,
    random,
    signal,
  });
  if (last === undefined) throw failure;
  return last.value;
}

/**
 * A revision that is ours, and what waiting for it needs: that of an applied plan, or one that an earlier run began.
 */
export interface OurRevision {
  /** The name of the deployment, for messages. */
  readonly name: string;
  /** How patiently it is waited for. */
  readonly request: Wait;
  /** When the wait for it is over; when not given, the time of the request begins with the wait. */
  readonly timeLimit?: TimeLimit | undefined;
  /** The deployment before this revision; undefined if it was created with it. */
  readonly existing: Deployment | undefined;
  readonly deployment: Deployment;
  /** The latest revision before this one, if known. */
  readonly before?: string | undefined;
  /** As it was read last. */
  readonly revision: Revision;
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
export async function findOurRevision(
  patched: Deployment,
  made: Made,
  deps: DeployDeps,
): Promise<Revision | undefined> {
  const { controlPlane } = deps;
  const { id, latest_revision_id: named } = patched;
  const read = (look: () => Promise<Revision | undefined>) =>
    readPastLag({ look, isDone: isFound, patience: made.request }, deps);
  const isOurs = ({ source_revision_config: config }: Revision) => isFrom(config, made.config);
  if (named != null && !isSameId(named, made.before)) {
    const revision = await read(() => controlPlane.revision(id, named));
    if (revision !== undefined && isOurs(revision)) return revision;
  }
  return await read(async () => {
    try {
      return await findMade(controlPlane.revisions(id, { mostPages: NEWEST_PAGES }), made);
    } catch (error) {
      if (!isMissingEndpoint(error)) throw error;
      const revision = await readLatest(id, made.before, deps);
      return revision !== undefined && isOurs(revision) ? revision : undefined;
    }
  });
}

/** The first revision of a deployment, which the response to a create may not name yet. */
export async function findFirst(created: Deployment, patience: Wait, deps: DeployDeps): Promise<Revision | undefined> {
  const { id, latest_revision_id: named } = created;
  const look = async () =>
    named == null ? await readLatest(id, undefined, deps) : await deps.controlPlane.revision(id, named);
  return await readPastLag({ look, isDone: isFound, patience }, deps);
}

async function readLatest(id: string, before: string | undefined, { controlPlane }: DeployDeps) {
  const { latest_revision_id: latest } = await controlPlane.get(id);
  return latest == null || isSameId(latest, before) ? undefined : await controlPlane.revision(id, latest);
}

function isFound(revision: Revision | undefined): boolean {
  return revision !== undefined;
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
export async function findStanding(ours: OurRevision, deps: DeployDeps): Promise<Standing> {
  const { succeeded, outcome } = revisionStatusFact(ours.revision.status);
  if (succeeded) {
    const look = async (): Promise<Standing> => {
      const { deployment, isLatest, newer } = await readNewer(ours, deps);
      if (newer === undefined || !hasFailed(newer)) return { deployment, isLatest, successor: newer };
      return { deployment, ...(await withoutFailed(ours, deployment, deps)) };
    };
    const isDone = ({ isLatest, successor }: Standing) => isLatest || successor !== undefined;
    return await readPastLag({ look, isDone, patience: ours.request }, deps);
  }
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

/** The deployment, whether its latest revision is ours, and else that revision if it is proved to be newer. */
async function readNewer(ours: OurRevision, deps: DeployDeps) {
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
  deps: DeployDeps,
): Promise<Pick<Standing, "isLatest" | "successor">> {
  const listed = await listedAbove(ours, deps);
  const ids = listed === undefined ? [active] : listed.filter((other) => !hasFailed(other)).map(({ id }) => id);
  for (const id of ids) {
    // The status of a revision is read by its id.
    const newer = await asNewer(id, ours, deps);
    if (newer !== undefined && !hasFailed(newer)) return { isLatest: false, successor: newer };
  }
  return { isLatest: listed !== undefined || active != null, successor: undefined };
}

/** True for a revision that ended without going live. */
function hasFailed({ status = "UNKNOWN" }: Successor): boolean {
  const { terminal, succeeded } = revisionStatusFact(status);
  return terminal && !succeeded;
}

/** The revision of an id, if it is proved to be newer than ours by its time or by its place in the list. */
async function asNewer(id: string | null | undefined, ours: OurRevision, deps: DeployDeps) {
  if (id == null || isSameId(id, ours.revision.id) || isSameId(id, ours.before)) return undefined;
  const other = await unlessMissing(deps.controlPlane.revision(ours.deployment.id, id), 404);
  const [made, before] = [madeAt(other), madeAt(ours.revision)];
  const isNewer = made === before || made === undefined || before === undefined ? undefined : made > before;
  const isAbove = async () => (await listedAbove(ours, deps))?.some((listed) => isSameId(listed.id, id)) ?? false;
  return (isNewer ?? (await isAbove())) ? (other ?? { id }) : undefined;
}

function madeAt(revision: Successor | undefined): bigint | undefined {
  return parseInstant(revision?.created_at ?? "")?.microseconds;
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
