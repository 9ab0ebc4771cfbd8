import { MOST_SECTIONS } from "./body.ts";
import type { Section } from "./section.ts";
import type { Posted, PostSurroundings, PullRequestComments } from "./pull-request-comments.ts";
import { Writer } from "./writer.ts";

export type { OwnComment, Posted, PostSurroundings, PullRequestComments, WriteEnd } from "./pull-request-comments.ts";

/** What became of a section, and on which pull request; `number` is undefined where the run has none. */
export interface PostedOn {
  readonly number: number | undefined;
  readonly posted: Posted | undefined;
}

/**
 * Puts a section into the one comment of a pull request, and makes the comment where there is none.
 *
 * @throws GitHubError, also when other runs keep writing over it.
 */
export async function postSection(
  comments: PullRequestComments,
  section: Section,
  surroundings: PostSurroundings,
): Promise<Posted> {
  return await new Writer(comments, section, surroundings).run();
}

/** `#12: created`; for the log. */
export function postedText({ number, posted }: PostedOn): string {
  if (number === undefined || posted === undefined) return "none: this run does not belong to a pull request";
  const on = `pull request #${String(number)}`;
  switch (posted.outcome) {
    case "created":
      return `created on ${on}`;
    case "stale":
      return `left as it is on ${on}: a later run has written it`;
    case "no-room":
      return `left as it is on ${on}: it has no room beside the newest ${String(MOST_SECTIONS)} sections`;
    default:
      return `updated on ${on}`;
  }
}
