import type { Deployment, Revision } from "../contract/deployment.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { isSameId } from "../contract/uuid.ts";
import { hasStatus } from "../http/errors.ts";
import { digestSource } from "../source/archive/digest.ts";
import type { SourceTree } from "../source/tree/tree.ts";
import type { DeployDeps } from "./deps.ts";
import { besideRequests } from "./request-time.ts";
import type { Recalled } from "./events.ts";
import { checkDigest } from "./plan.ts";
import { difference, fingerprintOf } from "./fingerprint.ts";
import type { Look } from "./look.ts";
import { changedSettings } from "./update.ts";
import type { DeployRecord } from "./record.ts";

/** A revision that an earlier run made of the same source. */
export interface Known extends Recalled {
  readonly verdict: "resume" | "unchanged";
  readonly deployment: Deployment;
  readonly revision: Revision;
  readonly record: DeployRecord;
}

/** What an earlier run left: a revision of the same source, or nothing usable. */
export type Recollection = Known | (Recalled & { readonly verdict: "new" });

/**
 * Compares the record of an earlier run with this deploy, cheap checks first; undefined if no record was requested, and for
 * a rollback, which always makes a revision. A deploy that is not proved to be equal is new.
 */
export async function recall(look: Look, deps: DeployDeps): Promise<Recollection | undefined> {
  if (look.record === undefined || look.earlier !== undefined) return undefined;
  const recollection =
    look.record.record === undefined ? asNew(look.record.reason) : await compare(look, look.record.record, deps);
  deps.emit({ type: "recalled", verdict: recollection.verdict, reason: recollection.reason });
  return recollection;
}

async function compare(look: Look, record: DeployRecord, deps: DeployDeps): Promise<Recollection> {
  const { existing: deployment, tree } = look;
  const { id } = record.revision;
  if (tree === undefined) return asNew("a record is kept for a directory only");
  if (deployment === undefined || !isSameId(deployment.id, record.deployment.id)) {
    return asNew(`the record is of deployment ${record.deployment.id}`);
  }
  if (!isSameId(deployment.latest_revision_id, id)) {
    return asNew(`revision ${deployment.latest_revision_id ?? "none"} is the latest now, and not ${id} of the record`);
  }
  const change = await changeSince(record, { ...look, deployment, tree }, deps);
  if (change !== undefined) return asNew(`${change} since revision ${id}`);
  const revision = await readRecorded(deployment.id, id, deps);
  if (revision === undefined) return asNew(`revision ${id} of the record does not exist`);
  const { terminal, succeeded } = revisionStatusFact(revision.status);
  checkDigest(look.request, record.source_digest);
  if (terminal && !succeeded) return asNew(`revision ${id} of this source ended as ${revision.status}`);
  return terminal
    ? { verdict: "unchanged", reason: `revision ${id} of this source is live`, deployment, revision, record }
    : { verdict: "resume", reason: `revision ${id} of this source is in progress`, deployment, revision, record };
}

async function readRecorded(deploymentId: string, id: string, { controlPlane }: DeployDeps) {
  try {
    return await controlPlane.revision(deploymentId, id);
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

type Compared = Look & { readonly deployment: Deployment; readonly tree: SourceTree };

/** What differs from the record, as the beginning of "… since revision X"; undefined if nothing does. */
async function changeSince(
  record: DeployRecord,
  { request, config, deployment, tree }: Compared,
  deps: DeployDeps,
): Promise<string | undefined> {
  if (config.graph_config_path !== record.graph_config_path) return "graph_config_path changed";
  // Settings that create no revision may have been changed in the service.
  if (Object.keys(changedSettings(request.sourceConfig, deployment)).length > 0) {
    return "the settings of the deployment changed";
  }
  const { signal, clock, emit } = deps;
  const start = clock.now();
  // Other threads compute the hashes while the files are read.
  const hashes = () =>
    Promise.all([fingerprintOf(request, record.fingerprint.salt), digestSource(tree, { signal })] as const);
  const [fingerprint, { digest }] = await besideRequests(deps, hashes);
  emit({ type: "source-hashed", digest });
  emit({ type: "step-ended", step: "source", milliseconds: clock.now() - start });
  return (
    difference(record.fingerprint, fingerprint) ?? (digest === record.source_digest ? undefined : "the source changed")
  );
}

function asNew(reason: string): Recollection {
  return { verdict: "new", reason };
}
