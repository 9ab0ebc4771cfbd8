import { Deployment, type DeploymentPatch, type Revision } from "../contract/deployment.ts";
import { makesRevision, REVISION_CONFIG_FIELDS, type RevisionConfigInput } from "../contract/source.ts";
import type { Clock } from "../http/clock.ts";
import { mayHaveBeenProcessed } from "../http/errors.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";

const MOST_PATCHES = 3;
const PAUSE_MILLISECONDS = 1_000;

export interface PatchDeps {
  readonly api: JsonApi;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly get: (id: string) => Promise<Deployment>;
  readonly revisions: (id: string) => AsyncIterable<Revision>;
}

/**
 * Updates a deployment, and makes one revision at most. After a failure that leaves open whether the update was
 * carried out, the deployment is compared with what was asked for before it is sent again.
 * `latestBefore` is the latest revision id as it was before the update.
 */
export async function patchOnce(
  id: string,
  body: DeploymentPatch,
  latestBefore: string | undefined,
  deps: PatchDeps,
  options: CallOptions,
): Promise<Deployment> {
  for (let patch = 1; ; patch += 1) {
    try {
      const path = `/v2/deployments/${encodeURIComponent(id)}`;
      return await deps.api.request({ ...options, method: "PATCH", path, body, schema: Deployment });
    } catch (error) {
      if (!mayHaveBeenProcessed(error)) throw error;
      const done = await carriedOut(id, body, latestBefore, deps);
      if (done !== undefined) return done;
      if (patch === MOST_PATCHES) throw error;
    }
  }
}

async function carriedOut(
  id: string,
  { source_revision_config: config }: DeploymentPatch,
  latestBefore: string | undefined,
  { clock, signal, get, revisions }: PatchDeps,
): Promise<Deployment | undefined> {
  // Without a revision the same update twice is the same update.
  if (!makesRevision(config)) return undefined;
  for (const pause of [0, PAUSE_MILLISECONDS]) {
    if (pause > 0) await clock.sleep(pause, signal);
    const now = await get(id);
    if ((now.latest_revision_id ?? undefined) === latestBefore) continue;
    if (matchesConfig(now.source_revision_config, config)) return now;
    // Somebody else's revision is the latest; ours may stand behind it.
    for await (const revision of revisions(id)) {
      if (revision.id === latestBefore) break;
      if (matchesConfig(revision.source_revision_config, config)) return { ...now, latest_revision_id: revision.id };
    }
  }
  return undefined;
}

/** True when a revision holds each field that was asked for. */
export function matchesConfig(
  actual: RevisionConfigInput | null | undefined,
  asked: RevisionConfigInput | undefined,
): boolean {
  return REVISION_CONFIG_FIELDS.every((field) => asked?.[field] == null || asked[field] === actual?.[field]);
}
