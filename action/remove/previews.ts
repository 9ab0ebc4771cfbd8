import {
  plainNames,
  previewBeginning,
  previewName,
  previewNumber,
  type PreviewNames,
} from "../../src/deployment/preview-name.ts";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { parseInstant } from "../../src/contract/instant.ts";
import type { BestEffort } from "../github/best-effort.ts";
import type { GitHub } from "../github/client.ts";
import { GitHubError } from "../github/errors.ts";
import { readPullRequestState } from "../github/pull-request.ts";
import { ownerOf, type Owner, type OwnershipContext } from "../github/records/ownership.ts";
import { UnknownStateError } from "./errors.ts";
import type { Deployment } from "../../src/contract/deployment.ts";

export interface Preview {
  readonly name: string;
  readonly pullRequest: number;
  readonly deployment: Deployment;
}

/** What a plan must know of a preview. */
export interface KnownPreview extends Preview {
  readonly isOpen: boolean;
  readonly owner: Owner;
  /** When its latest revision was made, milliseconds; undefined if unknown. */
  readonly deployedAt: number | undefined;
}

export type WhyRemoved = "age" | "closed" | "count";
export type WhyKept = "cannot-delete" | "not-owned" | "open" | "undated";

/** When a preview of an open pull request is removed; never when not given. */
export interface PreviewLimits {
  readonly maxAgeMilliseconds: number | undefined;
  readonly maxCount: number | undefined;
}

/**
 * Decides on each preview. One of another repository is never removed and does not count. Those that are too many are
 * removed by their age, the oldest first; one of unknown age counts as new.
 */
export function planRemoval(
  previews: readonly KnownPreview[],
  { maxAgeMilliseconds = Infinity, maxCount = Infinity }: PreviewLimits,
  now: number,
): {
  readonly removed: readonly { readonly preview: KnownPreview; readonly why: WhyRemoved }[];
  readonly kept: readonly { readonly preview: KnownPreview; readonly why: WhyKept }[];
} {
  const ageOf = ({ deployedAt = now }: KnownPreview): number => now - deployedAt;
  const ours = previews.filter(({ owner }) => owner === "ours");
  const closed = ours.filter(({ isOpen }) => !isOpen);
  const open = ours.filter(({ isOpen }) => isOpen).toSorted((one, other) => ageOf(one) - ageOf(other));
  const young = open.filter((preview) => ageOf(preview) <= maxAgeMilliseconds);
  const old = open.filter((preview) => ageOf(preview) > maxAgeMilliseconds);
  return {
    removed: [
      ...closed.map((preview) => ({ preview, why: "closed" as const })),
      ...old.map((preview) => ({ preview, why: "age" as const })),
      ...young.slice(maxCount).map((preview) => ({ preview, why: "count" as const })),
    ],
    kept: [
      ...young.slice(0, maxCount).map((preview) => ({ preview, why: "open" as const })),
      ...previews.flatMap((preview) => {
        if (preview.owner === "ours") return [];
        return { preview, why: preview.owner === "undated" ? ("undated" as const) : ("not-owned" as const) };
      }),
    ],
  };
}

export interface LookContext extends OwnershipContext {
  readonly controlPlane: ControlPlane;
  readonly bestEffort: BestEffort;
}

/** The previews that there are, of one pull request or all of them: throws UnknownStateError where the list is not complete. */
export async function findPreviews(
  { pullRequest }: { readonly pullRequest: number | undefined },
  { controlPlane, names }: Pick<LookContext, "controlPlane" | "names">,
): Promise<readonly Preview[]> {
  try {
    const found: Preview[] = [];
    if (pullRequest === undefined) {
      for await (const deployment of controlPlane.list({ name_contains: previewBeginning(names) })) {
        const { name = "" } = deployment;
        const number = numberOf(names, name);
        if (number !== undefined) found.push({ name, pullRequest: number, deployment });
      }
      return found;
    }
    // An earlier version made plain names, and so does an input.
    for (const name of [previewName(names, pullRequest), previewName(plainNames(names), pullRequest)]) {
      const deployment = await controlPlane.findByName(name);
      if (deployment) found.push({ name, pullRequest, deployment });
    }
    return found;
  } catch (error) {
    if (!(error instanceof GraphDeployError)) throw error;
    throw new UnknownStateError(`The previews of ${names.stem} cannot be looked up: ${error.message}.`, {
      cause: error,
      advice: `${error.advice ?? ""} Nothing was removed.`.trim(),
    });
  }
}

/** The number of a preview by its name, unique or plain. */
export function numberOf(names: PreviewNames, name: string): number | undefined {
  return previewNumber(names, name) ?? previewNumber(plainNames(names), name);
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
    const owner = await whoseIs(preview, context);
    const isOpen = owner !== "ours" || (await isPullRequestOpen(preview, context.github));
    const deployedAt = needsAge && owner === "ours" && isOpen ? await deployedAtOf(preview, context) : undefined;
    known.push({ ...preview, isOpen, owner, deployedAt });
  }
  return known;
}

/** Whose the deployment is now; one of which that is unknown counts as another's, and a warning says why. */
export async function whoseIs({ name, deployment }: Preview, context: LookContext): Promise<Owner> {
  const read = () => ownerOf({ ...deployment, name: deployment.name ?? name }, context);
  return (await context.bestEffort.attempt("Reading the deployment records", read)) ?? "foreign";
}

/** Throws UnknownStateError if GitHub does not say. */
export async function isPullRequestOpen({ pullRequest }: Pick<Preview, "pullRequest">, github: GitHub) {
  try {
    return (await readPullRequestState(github, pullRequest)).state === "open";
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const what = `The state of pull request #${String(pullRequest)} could not be read: ${error.message}.`;
    const advice = `${error.advice ?? ""} No preview was removed whose pull request may be open.`.trim();
    throw new UnknownStateError(what, { cause: error, advice });
  }
}

// The name stands for a deployment, and its age for the revision that serves.
async function deployedAtOf({ deployment }: Preview, { controlPlane }: LookContext): Promise<number | undefined> {
  const { id, latest_revision_id: revisionId, created_at } = deployment;
  let made = created_at;
  if (revisionId != null) {
    const revision = await controlPlane.revision(id, revisionId).catch((error: unknown) => {
      // A preview of unknown age stays.
      if (!(error instanceof GraphDeployError)) throw error;
      return undefined;
    });
    made = revision?.created_at;
  }
  const time = parseInstant(made ?? "");
  return time && Number(time.microseconds / 1000n);
}
