import type { KnownPullRequest } from "../pull-request.ts";

export interface Checkout {
  /** The commit that is checked out. */
  readonly commit: string;
  /** What the run of a pull request checks out by default: a merge commit that its page does not know. */
  readonly merge: string | undefined;
}

export interface NamedCommit {
  readonly commit: string | undefined;
  /** What stands behind it. */
  readonly note?: { readonly text: string; readonly commit: string };
  readonly warning?: string;
}

/**
 * Names the commit that a step worked on, not the one that its event names: for some events that is the newest one of the
 * default branch. A merge commit is named by the newest commit of the pull request, with itself behind it.
 */
export function nameCommit(
  checkout: Checkout | undefined,
  { ofRun, pull }: { readonly ofRun: string | undefined; readonly pull: KnownPullRequest | undefined },
): NamedCommit {
  const head = pull?.headCommit ?? ofRun;
  if (!checkout) return { commit: head };
  const { commit, merge } = checkout;
  if (!pull && merge === undefined) return { commit };
  if (head === undefined || commit === head) return { commit };
  if (commit === merge || commit === pull?.mergeCommit) {
    return { commit: head, note: { text: "merged as", commit } };
  }
  const which = pull ? `pull request #${String(pull.number)}` : "the pull request";
  const warning =
    `The step worked on commit ${commit.slice(0, 7)}, which is neither the newest commit of ${which}, ` +
    `${head.slice(0, 7)}, nor its merge commit. Check \`ref\` of \`actions/checkout\`.`;
  return { commit, note: { text: "the pull request is at", commit: head }, warning };
}
