import { previewBeginning, previewName, previewNumber, type PreviewNames } from "../../src/deployment/preview-name.ts";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import type { BestEffort } from "../github/best-effort.ts";
import type { GitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import { readPullRequestState } from "../github/pull-request-state.ts";
import { taskOf } from "../github/records/record.ts";
import { recordsOf } from "../github/records/retirement.ts";
import { UnknownStateError } from "./errors.ts";
import type { Which } from "./inputs.ts";
import type { KnownPreview, Preview } from "./plan.ts";

/** What looking at previews needs. */
export interface LookContext {
  readonly controlPlane: ControlPlane;
  readonly github: GitHub;
  readonly bestEffort: BestEffort;
  readonly isOnlyOwner: boolean;
}

/** Where previews are looked for. */
export interface SearchContext {
  readonly controlPlane: ControlPlane;
  readonly names: PreviewNames;
}

/** The previews that there are, all of them: throws UnknownStateError where the list is not complete. */
export async function findPreviews(which: Which, context: SearchContext): Promise<readonly Preview[]> {
  const { controlPlane, names } = context;
  try {
    if (which.pullRequest === undefined) return await listPreviews(context);
    const name = previewName(names, which.pullRequest);
    const deployment = await controlPlane.findByName(name);
    return deployment === undefined ? [] : [{ name, pullRequest: which.pullRequest, deployment }];
  } catch (error) {
    if (!(error instanceof GraphDeployError)) throw error;
    throw new UnknownStateError(`The previews of ${names.stem} cannot be looked up: ${error.message}.`, {
      cause: error,
      advice: [error.advice, "Nothing was removed."].filter((sentence) => sentence !== undefined).join(" "),
    });
  }
}

async function listPreviews({ controlPlane, names }: SearchContext): Promise<readonly Preview[]> {
  const previews: Preview[] = [];
  for await (const deployment of controlPlane.list({ name_contains: previewBeginning(names) })) {
    const { name = "" } = deployment;
    const pullRequest = previewNumber(names, name);
    if (pullRequest !== undefined) previews.push({ name, pullRequest, deployment });
  }
  return previews;
}

/**
 * What decides about the previews. Throws UnknownStateError if the state of one pull request cannot be read: with half
 * an answer nothing is removed.
 */
export async function knowPreviews(
  previews: readonly Preview[],
  { needsAge }: { readonly needsAge: boolean },
  context: LookContext,
): Promise<readonly KnownPreview[]> {
  const known: KnownPreview[] = [];
  for (const preview of previews) {
    const isOurs = await isOursToRemove(preview, context);
    const isOpen = !isOurs || (await isPullRequestOpen(preview, context.github));
    const deployedAt = needsAge && isOurs && isOpen ? await deployedAtOf(preview, context) : undefined;
    known.push({ ...preview, isOpen, isOurs, deployedAt });
  }
  return known;
}

/** Throws UnknownStateError if GitHub does not say. */
export async function isPullRequestOpen({ pullRequest }: Pick<Preview, "pullRequest">, github: GitHub) {
  try {
    return (await readPullRequestState(github, pullRequest)).state === "open";
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { missing } = error;
    throw new UnknownStateError(
      `The state of pull request #${String(pullRequest)} could not be read: ${error.message}.`,
      {
        cause: error,
        advice: [
          ...(missing === undefined ? [] : [`Add \`${missing}\` to the \`permissions\` of the job.`]),
          "Nothing was removed whose pull request may be open.",
        ].join(" "),
      },
    );
  }
}

async function isOursToRemove({ name }: Preview, { isOnlyOwner, bestEffort, github }: LookContext): Promise<boolean> {
  if (isOnlyOwner) return true;
  const read = () => recordsOf(github, { task: taskOf(name) });
  const records = await bestEffort.attempt("Reading the deployment records", read);
  return records !== undefined && records.length > 0;
}

// The name stands for a deployment, and its age for the revision that serves.
async function deployedAtOf({ deployment }: Preview, { controlPlane }: LookContext): Promise<number | undefined> {
  const { id, latest_revision_id: revisionId, created_at } = deployment;
  const revision = revisionId == null ? undefined : await controlPlane.revision(id, revisionId).catch(ignoreFailure);
  const time = Date.parse(revision?.created_at ?? (revisionId == null ? created_at : undefined) ?? "");
  return Number.isNaN(time) ? undefined : time;
}

function ignoreFailure(error: unknown): undefined {
  // A preview of unknown age stays.
  if (!(error instanceof GraphDeployError)) throw error;
}
