import type { Clock } from "../../../src/http/clock.ts";
import { GitHubError } from "../errors.ts";
import { counterpartIn, isOurBody, mergeSections, sectionsOf } from "./body.ts";
import { compareAge, type Section } from "./section.ts";

/** A comment by our own author. */
export interface OwnComment {
  readonly id: number;
  readonly body: string;
  readonly createdAt: Date;
}

/** The comments of a pull request, as far as they are ours to write. */
export interface PullRequestComments {
  /** All of our own author. A list may lag behind what was written. */
  readonly list: () => Promise<readonly OwnComment[]>;
  /** The body as it is now; undefined when the comment is gone. */
  readonly read: (id: number) => Promise<string | undefined>;
  /** The id; undefined when the response was lost, and the comment may exist. */
  readonly create: (body: string) => Promise<number | undefined>;
  /** Of a comment that is gone nothing is written. */
  readonly update: (id: number, body: string) => Promise<void>;
  readonly remove: (id: number) => Promise<void>;
}

/** What a write shares with the step. */
export interface PostSurroundings {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Only where the comment has a section of this name already. */
  readonly isOnlyUpdate?: boolean | undefined;
}

/** What became of a section, and the comment that it is in. `stale`: a later run has written it already. */
export interface Posted {
  readonly outcome: "absent" | "created" | "stale" | "unchanged" | "updated";
  readonly id: number | undefined;
}

/** What became of a section, and on which pull request; `number` is undefined where the run has none. */
export interface PostedOn {
  readonly number: number | undefined;
  readonly posted: Posted | undefined;
}

const MOST_ROUNDS = 20;
const MOST_WRITES = 6;
const MOST_CREATES = 2;
// Together about twenty seconds.
const MOST_LOOKS = 5;
const LONGEST_PAUSE_MILLISECONDS = 8_000;
// The run that made a comment that long ago is not about to delete it.
const ABANDONED_MILLISECONDS = 10 * 60_000;

/**
 * Puts a section into the one comment of a pull request, and makes the comment where there is none. GitHub has no
 * compare-and-swap: what was written is read again after a pause, and written again if another run wrote over it. Of
 * several comments the one with the lowest id stays; the run that made another moves its sections there, makes sure of
 * them, and deletes only its own.
 *
 * @throws GitHubError, also when other runs keep writing over it.
 */
export async function postSection(
  comments: PullRequestComments,
  section: Section,
  { clock, random, signal, isOnlyUpdate = false }: PostSurroundings,
): Promise<Posted> {
  let made: number | undefined;
  let isLost = false;
  let isWritten = false;
  let isSettled = false;
  const counts = { writes: 0, creates: 0, looks: 0 };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (round > 0) await clock.sleep(pauseAfter(counts.looks, random()), signal);
    const listed = (await comments.list()).filter(({ body }) => isOurBody(body)).toSorted((a, b) => a.id - b.id);
    // A lost response is looked up: a comment with nothing but this very section is ours.
    if (made === undefined && isLost) made = listed.find(({ body }) => isAlone(section, body))?.id;
    const isUnseen = made === undefined ? isLost : listed.every(({ id }) => id !== made);
    if (isUnseen && counts.looks < MOST_LOOKS) {
      counts.looks += 1;
      continue;
    }
    const first = Math.min(...listed.map(({ id }) => id), made ?? Infinity);
    if (first === Infinity) {
      if (isOnlyUpdate) return { outcome: "absent", id: undefined };
      counts.creates += 1;
      if (counts.creates > MOST_CREATES) break;
      made = await comments.create(mergeSections(undefined, [section]));
      [isLost, counts.looks] = [made === undefined, 0];
      continue;
    }
    const body = await comments.read(first);
    if (body === undefined || !isOurBody(body)) {
      if (first === made) [made, isLost] = [undefined, false];
      continue;
    }
    const there = counterpartIn(body, section);
    if (there === undefined && isOnlyUpdate) return { outcome: "absent", id: first };
    const others = listed.filter(({ id }) => id !== first);
    const wanted = [section, ...others.flatMap((other) => sectionsOf(other.body))];
    if (!hasAll(body, wanted)) {
      counts.writes += 1;
      if (counts.writes > MOST_WRITES) break;
      await comments.update(first, mergeSections(body, wanted));
      [isWritten, isSettled] = [true, true];
      continue;
    }
    const leftovers = others.filter(({ id, createdAt }) => id === made || isAbandoned(createdAt, clock));
    // What another run has just moved there, a third one may still write over.
    const isEarly = leftovers.length > 0 && !isSettled;
    isSettled = true;
    if (isEarly || !(await removeAll(comments, leftovers, body))) continue;
    const isStale = there !== undefined && compareAge(section, there) < 0;
    return { outcome: isStale ? "stale" : first === made ? "created" : isWritten ? "updated" : "unchanged", id: first };
  }
  throw new GitHubError("other runs kept writing over it");
}

/** Deletes comments whose sections all stand in `body`; false when one got another section meanwhile. */
async function removeAll(
  comments: PullRequestComments,
  leftovers: readonly OwnComment[],
  body: string,
): Promise<boolean> {
  for (const { id } of leftovers) {
    const last = await comments.read(id);
    if (last === undefined) continue;
    if (!hasAll(body, sectionsOf(last))) return false;
    await comments.remove(id);
  }
  return true;
}

/** True when each section, or a later one in its place, stands in the body. */
function hasAll(body: string, sections: readonly Section[]): boolean {
  return sections.every((section) => {
    const there = counterpartIn(body, section);
    return there !== undefined && compareAge(section, there) <= 0;
  });
}

function isAlone(section: Section, body: string): boolean {
  const there = counterpartIn(body, section);
  return there !== undefined && compareAge(section, there) === 0 && sectionsOf(body).length === 1;
}

function isAbandoned(createdAt: Date, clock: Clock): boolean {
  return clock.date().getTime() - createdAt.getTime() > ABANDONED_MILLISECONDS;
}

/** 0.3 to 0.9 s, and longer each time that a list does not have what was made. */
function pauseAfter(looks: number, random: number): number {
  return Math.min(LONGEST_PAUSE_MILLISECONDS, (300 + 600 * random) * 2 ** Math.max(0, looks - 1));
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
    default:
      return `updated on ${on}`;
  }
}
