import type { Deployment, Revision } from "../contract/deployment.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { matchesConfig } from "../contract/source.ts";
import { isSameId } from "../contract/uuid.ts";
import { findMade, type MadeBy, NEWEST_PAGES } from "../control-plane/patch.ts";
import { hasStatus, isMissingEndpoint, isTransient } from "../http/errors.ts";
import { poll } from "../http/poll.ts";
import type { DeployDeps } from "./deps.ts";
import type { Patience } from "./request.ts";

/**
 * How long a read may lag behind a write, milliseconds. A copy of a database is seconds behind, and what stands before
 * a service seldom keeps an answer, a 404 too, for longer than a minute; what does not show by then is not there.
 */
export const LAG_MILLISECONDS = 60_000;

/**
 * How many looks in a row may fail for another reason than a 404. A control plane that is being updated may be away for
 * minutes; the time to wait bounds it in any case.
 */
export const TOLERATED_LOOKS = 20;

/** What was written a moment ago, and how to look for it. */
interface Search<Value> {
  readonly look: () => Promise<Value>;
  /** True for what a read that does not lag answers. */
  readonly isDone: (value: Value) => boolean;
  /** How patient the run is: what may take less time than reads may lag is not looked for any longer. */
  readonly patience: Pick<Patience, "pollCapMilliseconds" | "timeoutMilliseconds">;
}

/**
 * Looks again until a read has caught up, for as long as it may lag; a 404 is one that has not. Answers what was seen
 * last; throws the error of the last look when there is nothing to answer.
 */
export async function lookPastLag<Value>(
  { look, isDone, patience }: Search<Value>,
  { clock, random, signal, emit }: DeployDeps,
): Promise<Value> {
  let failure = new Error("Nothing was looked at.");
  let last: { readonly value: Value } | undefined;
  let failures = 0;
  await poll<Value>({
    look: async () => {
      last = { value: await look() };
      failures = 0;
      return last.value;
    },
    isDone,
    stateOf: () => "",
    isTransient: (error) => {
      const isMissing = hasStatus(error, 404);
      failures = isMissing ? 0 : failures + 1;
      return isMissing || (isTransient(error) && failures <= TOLERATED_LOOKS);
    },
    onTransient: (error) => {
      // That there was nothing is no answer once a later look has failed.
      if (last?.value === undefined) last = undefined;
      failure = error instanceof Error ? error : new Error(String(error));
      emit({ type: "look-failed", message: failure.message });
    },
    tolerated: Number.POSITIVE_INFINITY,
    timeoutMilliseconds: Math.min(LAG_MILLISECONDS, patience.timeoutMilliseconds),
    capMilliseconds: patience.pollCapMilliseconds,
    clock,
    random,
    signal,
  });
  if (last === undefined) throw failure;
  return last.value;
}

/**
 * A revision that is ours, and what it takes to see it through: a plan that was applied is one, and so is a revision
 * that an earlier run has begun.
 */
export interface OurRevision {
  /** The name of the deployment, for messages. */
  readonly name: string;
  /** How patiently it is waited for. */
  readonly request: Pick<Patience, "pollCapMilliseconds" | "smokeRun" | "timeoutMilliseconds">;
  /** The deployment as it was before this revision; undefined when it came with it. */
  readonly existing: Deployment | undefined;
  readonly deployment: Deployment;
  /** The latest revision before this one, where that is known. */
  readonly before?: string | undefined;
  /** As it was seen last. */
  readonly revision: Revision;
  /** The graphs that the agent must serve; undefined where the configuration file is not ours to read. */
  readonly graphs: readonly GraphEntry[] | undefined;
}

/** The revision that an update made, and how patiently it is looked for. */
interface Made extends MadeBy {
  readonly request: Pick<Patience, "pollCapMilliseconds" | "timeoutMilliseconds">;
}

/**
 * The revision that our update made: the one that its answer names when it holds what was sent, else the one that the
 * list shows, or that the deployment names later where there is no list.
 */
export async function findRevision(patched: Deployment, made: Made, deps: DeployDeps): Promise<Revision | undefined> {
  const { id, latest_revision_id: named } = patched;
  const patience = made.request;
  if (named != null && !isSameId(named, made.before)) {
    const look = () => deps.controlPlane.revision(id, named);
    const revision = await lookPastLag({ look, isDone: () => true, patience }, deps);
    if (holds(revision, made)) return revision;
  }
  const look = async () => {
    try {
      const newest = deps.controlPlane.revisions(id, { mostPages: NEWEST_PAGES });
      return await findMade(newest, made);
    } catch (error) {
      if (!isMissingEndpoint(error)) throw error;
      const revision = await readLatest(id, made.before, deps);
      return revision !== undefined && holds(revision, made) ? revision : undefined;
    }
  };
  return await lookPastLag({ look, isDone: isFound, patience }, deps);
}

/** The first revision of a deployment, which a create may name later than in its answer. */
export async function findFirst(
  created: Deployment,
  patience: Made["request"],
  deps: DeployDeps,
): Promise<Revision | undefined> {
  const { id, latest_revision_id: named } = created;
  const look = async () =>
    named == null ? await readLatest(id, undefined, deps) : await deps.controlPlane.revision(id, named);
  return await lookPastLag({ look, isDone: isFound, patience }, deps);
}

async function readLatest(id: string, before: string | undefined, { controlPlane }: DeployDeps) {
  const { latest_revision_id: latest } = await controlPlane.get(id);
  return latest == null || isSameId(latest, before) ? undefined : await controlPlane.revision(id, latest);
}

function isFound(revision: Revision | undefined): boolean {
  return revision !== undefined;
}

// A service that leaves the configuration out of a revision gives no more proof than its answer.
function holds({ source_revision_config: config }: Revision, made: MadeBy): boolean {
  return config == null || matchesConfig(config, made.config);
}
