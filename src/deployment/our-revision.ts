import type { Deployment, Revision } from "../contract/deployment.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { matchesConfig } from "../contract/source.ts";
import { findMade, NEWEST_PAGES, type MadeBy } from "../control-plane/made-revision.ts";
import { hasStatus, isMissingEndpoint } from "../http/errors.ts";
import type { DeployDeps } from "./deps.ts";
import type { Patience } from "./request.ts";

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
  /** As it was seen last. */
  readonly revision: Revision;
  /** The graphs that the agent must serve; undefined where the configuration file is not ours to read. */
  readonly graphs: readonly GraphEntry[] | undefined;
}

// What a service reads may lag behind an update.
const PAUSES_MILLISECONDS = [0, 1_000, 2_000, 4_000];

/**
 * The revision that our update made: the one that its answer names when it holds what was sent, else the one that the
 * list shows.
 */
export async function findRevision(patched: Deployment, made: MadeBy, deps: DeployDeps): Promise<Revision | undefined> {
  const { controlPlane, clock, signal } = deps;
  const named = patched.latest_revision_id ?? undefined;
  if (named !== undefined && named !== made.before) {
    const revision = await readNew(patched.id, named, deps);
    // A service that leaves the configuration out of a revision gives no more proof than its answer.
    const config = revision.source_revision_config;
    if (config == null || matchesConfig(config, made.config)) return revision;
  }
  try {
    for (const pause of PAUSES_MILLISECONDS) {
      if (pause > 0) await clock.sleep(pause, signal);
      const revision = await findMade(controlPlane.revisions(patched.id, { mostPages: NEWEST_PAGES }), made);
      if (revision !== undefined) return revision;
    }
  } catch (error) {
    if (!isMissingEndpoint(error)) throw error;
  }
  return undefined;
}

/** A revision that was made a moment ago; a service that reads from a copy may not know it yet. */
export async function readNew(deploymentId: string, revisionId: string, deps: DeployDeps): Promise<Revision> {
  const { controlPlane, clock, signal } = deps;
  for (const pause of PAUSES_MILLISECONDS.slice(1)) {
    try {
      return await controlPlane.revision(deploymentId, revisionId);
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
      await clock.sleep(pause, signal);
    }
  }
  return await controlPlane.revision(deploymentId, revisionId);
}
