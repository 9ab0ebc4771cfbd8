import type { Deployment, Revision } from "../contract/deployment.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import type { RevisionConfigInput } from "../contract/source.ts";
import { isMissingEndpoint } from "../control-plane/create.ts";
import { matchesConfig } from "../control-plane/patch.ts";
import type { DeployDeps } from "./deps.ts";
import type { DeployRequest } from "./request.ts";

/**
 * A revision that is ours, and what it takes to see it through: a plan that was applied is one, and so is a revision
 * that an earlier run has begun.
 */
export interface OurRevision {
  /** The name of the deployment, for messages. */
  readonly name: string;
  /** How patiently it is waited for. */
  readonly request: Pick<DeployRequest, "pollCapMilliseconds" | "timeoutMilliseconds">;
  /** The deployment as it was before this revision; undefined when it came with it. */
  readonly existing: Deployment | undefined;
  readonly deployment: Deployment;
  /** As it was seen last. */
  readonly revision: Revision;
  /** The graphs that the agent must serve; undefined where the configuration file is not ours to read. */
  readonly graphs: readonly GraphEntry[] | undefined;
}

// A list may lag behind an update.
const PAUSES_MILLISECONDS = [0, 1_000, 2_000];

/**
 * The revision that our update made: the one that its answer names when it holds what was sent, else one that the
 * list shows before `latestBefore`. Never simply the newest, which may be somebody else's.
 */
export async function findRevision(
  patched: Deployment,
  latestBefore: string | undefined,
  config: RevisionConfigInput | undefined,
  deps: DeployDeps,
): Promise<Revision | undefined> {
  const named = patched.latest_revision_id ?? undefined;
  if (named !== undefined && named !== latestBefore) {
    const revision = await deps.controlPlane.revision(patched.id, named);
    // A service that leaves the configuration out of a revision gives no more proof than its answer.
    if (revision.source_revision_config == null || matchesConfig(revision.source_revision_config, config)) {
      return revision;
    }
  }
  for (const pause of PAUSES_MILLISECONDS) {
    if (pause > 0) await deps.clock.sleep(pause, deps.signal);
    const revision = await findInList(patched.id, latestBefore, config, deps);
    if (revision !== undefined) return revision;
  }
  return undefined;
}

async function findInList(
  id: string,
  latestBefore: string | undefined,
  config: RevisionConfigInput | undefined,
  { controlPlane }: DeployDeps,
): Promise<Revision | undefined> {
  try {
    for await (const revision of controlPlane.revisions(id)) {
      if (revision.id === latestBefore) return undefined;
      if (matchesConfig(revision.source_revision_config, config)) return revision;
    }
  } catch (error) {
    if (!isMissingEndpoint(error)) throw error;
  }
  return undefined;
}
