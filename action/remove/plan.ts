import type { Deployment } from "../../src/contract/deployment.ts";

/** A deployment whose name is that of a preview. */
export interface Preview {
  readonly name: string;
  readonly pullRequest: number;
  readonly deployment: Deployment;
}

/** What a plan must know of a preview. */
export interface KnownPreview extends Preview {
  readonly isOpen: boolean;
  /** This repository has deployed it, or no other one deploys previews of the name. */
  readonly isOurs: boolean;
  /** When its latest revision was made, milliseconds; undefined if unknown. */
  readonly deployedAt: number | undefined;
}

/** Why a preview is removed. */
export type WhyRemoved = "age" | "closed" | "count";
/** Why a preview stays. */
export type WhyKept = "cannot-delete" | "not-owned" | "open";

/** When a preview of an open pull request is removed; never when not given. */
export interface PreviewLimits {
  readonly maxAgeMilliseconds: number | undefined;
  readonly maxCount: number | undefined;
}

/** What happens to each preview. */
export interface RemovePlan {
  readonly removed: readonly { readonly preview: KnownPreview; readonly why: WhyRemoved }[];
  readonly kept: readonly { readonly preview: KnownPreview; readonly why: WhyKept }[];
}

/**
 * Decides on each preview. One of another repository is never removed and does not count. Those that are too many are
 * removed by their age, the oldest first; one of unknown age counts as new.
 */
export function planRemoval(
  previews: readonly KnownPreview[],
  { maxAgeMilliseconds = Infinity, maxCount = Infinity }: PreviewLimits,
  now: number,
): RemovePlan {
  const ageOf = ({ deployedAt = now }: KnownPreview): number => now - deployedAt;
  const ours = previews.filter(({ isOurs }) => isOurs);
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
      ...previews.filter(({ isOurs }) => !isOurs).map((preview) => ({ preview, why: "not-owned" as const })),
    ],
  };
}
