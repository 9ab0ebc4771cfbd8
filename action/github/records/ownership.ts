import type { Deployment } from "../../../src/contract/deployment.ts";
import { plainNames, previewNumber, type PreviewNames } from "../../../src/deployment/preview-name.ts";
import type { WorkflowRun } from "../../inputs/workflow-run.ts";
import type { GitHub } from "../client.ts";
import { isStatus } from "../errors.ts";
import { taskOf } from "./place.ts";
import { listRecords } from "./record.ts";

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
  readonly except?: Pick<WorkflowRun, "attempt" | "id"> | undefined;
}

const MOST_PAGES = 10;

/**
 * Whose a deployment is. A name with the owner proves it by itself. For a plain name there must be a deployment record of
 * this repository. That of a version that names the pull request is made only for an own preview. An earlier version made
 * one for whatever it found, so that it must be older than the deployment. Throws a GitHubError where the records cannot be
 * read.
 */
export async function ownerOf(
  { name, created_at: made }: Pick<Deployment, "created_at" | "name">,
  { names, isOnlyOwner, github, service, environment, except }: OwnershipContext,
): Promise<Owner> {
  if (name === undefined) return "foreign";
  if (names.repository !== undefined && previewNumber(names, name) !== undefined) return "ours";
  const number = previewNumber(plainNames(names), name);
  if (number === undefined) return "foreign";
  let isNamed = isOnlyOwner;
  let oldest: number | undefined;
  try {
    for await (const record of listRecords(github, { task: taskOf(name), service }, { mostPages: MOST_PAGES })) {
      // A workflow deploys to this name for good.
      if (record.preview === false) return "foreign";
      const isExcept = except !== undefined && record.runId === except.id && record.attempt === except.attempt;
      if (record.preview === number && !isExcept) isNamed = true;
      if (record.preview !== undefined || record.environment !== environment || record.madeAt === undefined) continue;
      oldest = Math.min(oldest ?? Infinity, record.madeAt.getTime());
    }
  } catch (error) {
    // A token that may not read them is enough for the only owner.
    if (!isOnlyOwner || !isStatus(error, 403, 404)) throw error;
  }
  if (isNamed) return "ours";
  if (oldest === undefined) return "foreign";
  const madeAt = Date.parse(made ?? "");
  if (Number.isNaN(madeAt)) return "undated";
  return madeAt >= oldest ? "ours" : "foreign";
}
