import type { Deployment, Revision } from "../contract/deployment.ts";
import { revisionStatusFact } from "../contract/revision-status.ts";
import { isSameId } from "../contract/uuid.ts";
import { noneIf } from "../http/errors.ts";
import { digestSource } from "../source/archive/digest.ts";
import type { SourceTree } from "../source/tree/tree.ts";
import type { DeployDeps, TimedDeps } from "./deps.ts";
import type { Recalled } from "./events.ts";
import { changeSince } from "./fingerprint.ts";
import type { Look } from "./look.ts";
import { changedSettings } from "./update.ts";
import type { DeployRecord } from "./record.ts";

/** A revision that an earlier run made of the same source. */
export interface Known extends Recalled {
  readonly verdict: "resume" | "unchanged";
  readonly deployment: Deployment;
  readonly revision: Revision;
  readonly record: DeployRecord;
  readonly digest: string;
}

/** What an earlier run left: a revision of the same source, or nothing usable. */
export type Recollection =
  | Known
  /** `digest`: that of the source as it is now, where the comparison came to it. */
  | (Recalled & { readonly verdict: "new"; readonly digest?: string | undefined });

/**
 * Compares the record of an earlier run with this deploy, cheap checks first; undefined if no record was requested, and for
 * a rollback, which always makes a revision. A deploy that is not proved to be equal is new.
 */
export async function recall(look: Look, deps: TimedDeps): Promise<Recollection | undefined> {
  if (!look.record || look.earlier) return undefined;
  const recollection = look.record.record ? await compare(look, look.record.record, deps) : asNew(look.record.reason);
  deps.emit({ type: "recalled", verdict: recollection.verdict, reason: recollection.reason });
  return recollection;
}

async function compare(look: Look, record: DeployRecord, deps: TimedDeps): Promise<Recollection> {
  const { existing: deployment, tree } = look;
  const { id } = record.revision;
  if (!tree) return asNew("a record is kept for a directory only");
  if (!deployment || !isSameId(deployment.id, record.deployment.id)) {
    return asNew(`the record is of deployment ${record.deployment.id}`);
  }
  if (!isSameId(deployment.latest_revision_id, id)) {
    return asNew(`revision ${deployment.latest_revision_id ?? "none"} is the latest now, and not ${id} of the record`);
  }
  const { request, config } = look;
  if (config.graph_config_path !== record.graph_config_path)
    return asNew(`graph_config_path changed since revision ${id}`);
  // Settings that create no revision may have been changed in the service.
  if (Object.keys(changedSettings(request.sourceConfig, deployment)).length > 0) {
    return asNew(`the settings of the deployment changed since revision ${id}`);
  }
  // The fingerprint is computed between two blocks of the files.
  const hashes = () => Promise.all([changeSince(record.fingerprint, request), hashSource(tree, deps)] as const);
  const [ofSettings, digest] = await deps.timeLimit.without(hashes);
  const ofSource = digest === record.source_digest ? "" : "the source changed";
  const change = ofSettings === "" ? ofSource : ofSettings;
  if (change !== "") return asNew(`${change} since revision ${id}`, digest);
  const revision = await deps.controlPlane.revision(deployment.id, id).catch(noneIf(404));
  if (!revision) return asNew(`revision ${id} of the record does not exist`, digest);
  const { terminal, outcome } = revisionStatusFact(revision.status);
  if (outcome !== undefined) return asNew(`revision ${id} of this source ended as ${revision.status}`, digest);
  const reason = `revision ${id} of this source is ${terminal ? "live" : "in progress"}`;
  return { verdict: terminal ? "unchanged" : "resume", reason, digest, deployment, revision, record };
}

/** The digest that packing the source would return; nothing is packed. */
export async function hashSource(tree: SourceTree, { signal, clock, emit }: DeployDeps): Promise<string> {
  const start = clock.now();
  const { digest } = await digestSource(tree, { signal });
  emit({ type: "source-hashed", digest });
  emit({ type: "step-ended", step: "source", milliseconds: clock.now() - start });
  return digest;
}

function asNew(reason: string, digest?: string): Recollection {
  return { verdict: "new", reason, digest };
}
