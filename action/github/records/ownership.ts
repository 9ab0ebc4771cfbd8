import type { Deployment } from "../../../src/contract/deployment.ts";
import { instantOfMilliseconds, parseInstant } from "../../../src/contract/instant.ts";
import { plainNames, previewNumber, type PreviewNames } from "../../../src/deployment/preview-name.ts";
import type { Run } from "../../../front/host.ts";
import type { GitHub } from "../client.ts";
import { isStatus } from "../errors.ts";
import { taskOf } from "./place.ts";
import { listRecords } from "./record.ts";
import { hasRevision } from "./states.ts";

/** Whose a deployment is that has the name of a preview; `undated` where only the time at which it was made would prove it. */
export type Owner = "foreign" | "ours" | "undated";

/** What proves that a deployment is a preview of this repository. */
export interface OwnershipContext {
  readonly github: GitHub;
  readonly names: PreviewNames;
  /** Nobody else deploys previews with plain names of this stem. */
  readonly isOnlyOwner: boolean;
  /** Whose deployment records count; see `marksOf`. */
  readonly service: string;
  /** The environment in which earlier versions recorded previews. */
  readonly environment: string;
  /** The run whose own record proves nothing: it was made for a deployment that the run did not see. */
  readonly except?: Pick<Run, "attempt" | "id"> | undefined;
}

// Each look is a request, and the newest records tell most.
const MOST_LOOKS = 20;

/**
 * Whose a deployment is. A name with the owner proves it by itself. For a plain name there must be a deployment record of
 * this repository whose run got as far as a revision: one that failed before proves nothing of what others make later.
 * That of a version that names the pull request is made only for an own preview. An earlier version made one for whatever it
 * found, so that it must be older than the deployment. What an earlier version recorded in another environment is not the
 * only owner's either, without such a proof. Throws a GitHubError where the records cannot be read.
 */
export async function ownerOf(
  { name, created_at: made }: Pick<Deployment, "created_at" | "name">,
  { names, isOnlyOwner, github, service, environment, except }: OwnershipContext,
): Promise<Owner> {
  if (name === undefined) return "foreign";
  if (names.repository !== undefined && previewNumber(names, name) !== undefined) return "ours";
  const number = previewNumber(plainNames(names), name);
  if (number === undefined) return "foreign";
  const madeAt = parseInstant(made ?? "")?.microseconds;
  /** The records that may prove it, newest first. */
  const proofs: { readonly id: number; readonly needsTime: boolean }[] = [];
  let isElsewhere = false;
  try {
    for await (const record of listRecords(github, { task: taskOf(name), service })) {
      // A workflow deploys to this name for good.
      if (record.preview === false) return "foreign";
      const isExcept = except !== undefined && record.runId === except.id && record.attempt === except.attempt;
      if (record.preview === number && !isExcept) proofs.push({ id: record.id, needsTime: false });
      if (record.preview !== undefined) continue;
      if (record.environment !== environment) isElsewhere = true;
      else if (record.madeAt) {
        const recordedAt = instantOfMilliseconds(record.madeAt.getTime());
        if (madeAt === undefined || madeAt >= recordedAt) proofs.push({ id: record.id, needsTime: true });
      }
    }
    if (isOnlyOwner && !isElsewhere) return "ours";
    let owner: Owner = "foreign";
    for (const { id, needsTime } of proofs.slice(0, MOST_LOOKS)) {
      if (!(await hasRevision(github, id))) continue;
      if (!needsTime || madeAt !== undefined) return "ours";
      owner = "undated";
    }
    return owner;
  } catch (error) {
    // A token that may not read them is enough for the only owner.
    if (!isOnlyOwner || !isStatus(error, 403, 404)) throw error;
    return "ours";
  }
}
