import type { Clock } from "../../../src/http/clock.ts";
import { MOST_SECTIONS } from "./body.ts";

export interface OwnComment {
  readonly id: number;
  readonly body: string;
}

/** The comments of a pull request, as far as they are ours to write. */
export interface PullRequestComments {
  /** All of our own author. A list may lag behind what was written. */
  readonly list: () => Promise<readonly OwnComment[]>;
  /** The body as it is now; undefined when the comment is gone. */
  readonly read: (id: number) => Promise<string | undefined>;
  /** The id; undefined when the response was lost, and the comment may exist; `held` as of the other writes. */
  readonly create: (body: string) => Promise<number | "held" | undefined>;
  /** Of a comment that is gone nothing is written. */
  readonly update: (id: number, body: string) => Promise<WriteEnd>;
  readonly remove: (id: number) => Promise<WriteEnd>;
}

/**
 * How a write ended. `unclear`: GitHub may have carried it out, or may still do so. `held`: it was not sent, because
 * GitHub asked to wait first; what it was based on is old by now.
 */
export type WriteEnd = "done" | "held" | "unclear";

export interface PostSurroundings {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Only where the comment has a section of this name already. */
  readonly isOnlyUpdate?: boolean;
  /** Such a section without a service, which may be of another one, does not count. */
  readonly isExact?: boolean | undefined;
}

/**
 * What became of a section, and the comment that it is in. `stale`: a later run has written it already. `no-room`: the
 * comment has as many later sections as it may have.
 */
export interface Posted {
  readonly outcome: "absent" | "created" | "no-room" | "stale" | "unchanged" | "updated";
  readonly id: number | undefined;
}

/** What became of a section, and on which pull request; `number` is undefined where the run has none. */
export interface PostedOn {
  readonly number: number | undefined;
  readonly posted: Posted | undefined;
}

/** `#12: created`; for the log. */
export function postedText({ number, posted }: PostedOn): string {
  if (number === undefined || !posted) return "none: this run does not belong to a pull request";
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
