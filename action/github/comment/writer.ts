import { randomUUID } from "node:crypto";
import { GitHubError } from "../errors.ts";
import { REST_MILLISECONDS } from "../gate.ts";
import { counterpartIn, isOurBody, isOvertaken, mergeSections, sectionsOf, stamped, stampOf } from "./body.ts";
import type { OwnComment, Posted, PostSurroundings, PullRequestComments, WriteEnd } from "./pull-request-comments.ts";
import { compareAge, earlierIdentityOf, identityOf, newerOf, withoutService, type Section } from "./section.ts";

const MOST_ROUNDS = 60;
const MOST_WRITES = 12;
const MOST_CREATES = 2;
// Together at least ten seconds, about twenty on average.
const MOST_LOOKS = 6;
const LONGEST_PAUSE_MILLISECONDS = 8_000;
// GitHub has carried out edits 2.5 s after their connection had ended.
const LATE_MILLISECONDS = 3_000;
const SLOW_READ_MILLISECONDS = 1_000;
// Others that write all the time do not keep a step here.
const MOST_RESTLESS_LOOKS = 3;
const UNCLEAR_PAUSE_MILLISECONDS = 1_000;

/** What follows a look: an end, or a pause before the next one. */
type Next = { readonly ended: Posted } | { readonly pause: number };

/**
 * Writes one section into the one comment of a pull request. GitHub has no compare-and-swap: a write that is based on an
 * old body takes away what others have written since. So a writer
 *
 * - keeps each section that it sees, and puts back what is missing;
 * - looks again once every write that was based on an older body than its own has been carried out: after the longest
 *   time that its own writes have taken, and the time by which GitHub may be late;
 * - is done when the body has not changed for so long, since all writes that may still be under way are then based on
 *   this very body. Each write has a stamp, so that no change is missed.
 *
 * Whichever write brings a section back, its writer looks after the last write that could take it away: without steps
 * that are killed no section is lost, and with them none that has stood for so long.
 *
 * Of several comments the one with the lowest id stays. Whoever sees another moves its sections there, and deletes it
 * once they have stood for as long.
 */
export class Writer {
  readonly #comments: PullRequestComments;
  #section: Section;
  readonly #with: PostSurroundings;
  readonly #id = randomUUID().slice(0, 13);
  readonly #maker: string;
  readonly #seen = new Map<string, Section>();
  /** Comments that are gone, or another's by now. */
  readonly #ignored = new Set<number>();
  readonly #counts = { writes: 0, unclear: 0, creates: 0, looks: 0, restless: 0 };
  /** Undefined when it is to be listed again. */
  #listed: readonly OwnComment[] | undefined;
  #made: number | undefined;
  #isLost = false;
  #lastWrite: { readonly at: number; readonly isUnclear: boolean } | undefined;
  #longestWrite = 0;
  #isReadAgain = false;
  /** What became of the section, as far as it is known: what holds if a later look fails. */
  #reached: Posted | undefined;
  #body: { readonly text: string; readonly since: number } | undefined;

  constructor(comments: PullRequestComments, section: Section, surroundings: PostSurroundings) {
    this.#comments = comments;
    this.#section = section;
    this.#with = surroundings;
    this.#maker = `${section.facts.run}.${String(section.facts.attempt)}.${this.#id}`;
  }

  async run(): Promise<Posted> {
    try {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const next = await this.#look();
        if ("ended" in next) return next.ended;
        await this.#with.clock.sleep(next.pause, this.#with.signal);
      }
    } catch (error) {
      // What is left is to make sure of it.
      const isOver = this.#with.signal?.aborted === true || error instanceof GitHubError;
      if (isOver && this.#reached) return this.#reached;
      throw error;
    }
    if (this.#reached) return this.#reached;
    throw new GitHubError("other runs kept writing over it");
  }

  async #look(): Promise<Next> {
    const listed = (this.#listed ??= await this.#list());
    if (this.#isUnseen(listed) && this.#counts.looks < MOST_LOOKS) {
      this.#counts.looks += 1;
      this.#listed = undefined;
      return { pause: this.#pause(this.#counts.looks) };
    }
    const first = Math.min(...listed.map(({ id }) => id), this.#made ?? Infinity);
    if (first === Infinity) return await this.#create();
    const begun = this.#with.clock.now();
    const body = await this.#comments.read(first);
    if (body === undefined || !isOurBody(body)) {
      this.#ignore(first);
      return { pause: this.#pause(1) };
    }
    this.#keep(sectionsOf(body));
    if (this.#with.isOnlyUpdate === true && !this.#seen.has(identityOf(this.#section))) {
      // What is there has the name that its own step gave it.
      const earlier = this.#with.isExact === true ? undefined : earlierIdentityOf(this.#section);
      if (!this.#seen.has(earlier ?? "")) return { ended: { outcome: "absent", id: first } };
      this.#section = withoutService(this.#section);
    }
    const merged = mergeSections(body, [...this.#seen.values(), this.#section]);
    const isShown = counterpartIn(merged, this.#section) !== undefined;
    if (!isShown && !isOvertaken(this.#section, sectionsOf(merged)))
      return { ended: { outcome: "no-room", id: first } };
    if (hasAll(body, sectionsOf(merged))) return await this.#makeSure(first, body, begun);
    // What a slow read says is old by now. Where GitHub is always slow, a second one is as good as a third.
    const isOld = this.#with.clock.now() - begun > SLOW_READ_MILLISECONDS && !this.#isReadAgain;
    this.#isReadAgain = isOld;
    if (isOld) return { pause: 0 };
    return await this.#update(first, stamped(merged, this.#stamp(stampOf(body)?.maker)), begun);
  }

  /** All own comments; a comment of which the response was lost is recognised by its maker. */
  async #list(): Promise<readonly OwnComment[]> {
    const all = await this.#comments.list();
    const listed = all
      .filter(({ id, body }) => !this.#ignored.has(id) && isOurBody(body))
      .toSorted((a, b) => a.id - b.id);
    for (const { body } of listed) this.#keep(sectionsOf(body));
    if (this.#isLost) this.#made ??= listed.find(({ body }) => stampOf(body)?.maker === this.#maker)?.id;
    return listed;
  }

  /** Another one may have been made before ours, and a list that has ours has that, too. */
  #isUnseen(listed: readonly OwnComment[]): boolean {
    return this.#made === undefined ? this.#isLost : listed.every(({ id }) => id !== this.#made);
  }

  async #create(): Promise<Next> {
    if (this.#with.isOnlyUpdate === true) return { ended: { outcome: "absent", id: undefined } };
    if (this.#counts.creates >= MOST_CREATES) throw new GitHubError("GitHub did not confirm the new comment");
    const body = mergeSections(undefined, [...this.#seen.values(), this.#section]);
    this.#listed = undefined;
    const begun = this.#with.clock.now();
    const made = await this.#comments.create(stamped(body, this.#stamp(this.#maker)));
    if (made === "held") return { pause: this.#pauseAfter(made, begun) };
    [this.#made, this.#isLost] = [made, made === undefined];
    this.#counts.creates += 1;
    this.#counts.looks = 0;
    this.#lastWrite = { at: this.#with.clock.now(), isUnclear: this.#isLost };
    if (made !== undefined) this.#reached = { outcome: "created", id: made };
    return { pause: this.#pauseAfter(made === undefined ? "unclear" : "done", begun) };
  }

  async #update(id: number, text: string, begun: number): Promise<Next> {
    this.#reached = undefined;
    if (this.#counts.writes >= MOST_WRITES) {
      const isConfirmed = this.#counts.writes > this.#counts.unclear;
      throw new GitHubError(isConfirmed ? "other runs kept writing over it" : "GitHub did not confirm any write");
    }
    const sent = this.#with.clock.now();
    const end = await this.#comments.update(id, text);
    if (end === "held") return { pause: this.#pauseAfter(end, sent) };
    this.#counts.writes += 1;
    if (end === "unclear") this.#counts.unclear += 1;
    const at = this.#with.clock.now();
    this.#lastWrite = { at, isUnclear: end === "unclear" };
    this.#longestWrite = Math.max(this.#longestWrite, at - begun);
    if (end === "done") this.#reached = this.#posted(id, text);
    return { pause: this.#pauseAfter(end, sent, this.#counts.writes) };
  }

  /** Nothing is missing: ends when nothing that is under way can change that. */
  async #makeSure(first: number, text: string, begun: number): Promise<Next> {
    const posted = this.#posted(first, text);
    this.#reached = posted;
    if (this.#body?.text !== text) this.#body = { text, since: this.#with.clock.now() };
    const others = (this.#listed ?? []).filter(({ id }) => id !== first && !this.#ignored.has(id));
    if (!this.#lastWrite && others.length === 0) return { ended: posted };
    const settle = LATE_MILLISECONDS + this.#longestWrite;
    const { at = -Infinity, isUnclear = false } = this.#lastWrite ?? {};
    const left = Math.max(at, this.#body.since) + settle - begun;
    if (left <= 0) return (await this.#removeAll(others, text)) ?? { ended: posted };
    if (at + settle <= begun) {
      this.#counts.restless += 1;
      if (this.#counts.restless > MOST_RESTLESS_LOOKS) return { ended: posted };
    }
    // What it has sent may still take away what others write now: it has to see that before.
    return { pause: isUnclear ? Math.min(left, UNCLEAR_PAUSE_MILLISECONDS) : left };
  }

  /** Deletes comments whose sections all stand in `body`; undefined when all are gone. */
  async #removeAll(others: readonly OwnComment[], body: string): Promise<Next | undefined> {
    for (const { id } of others) {
      const last = await this.#comments.read(id);
      if (last !== undefined && isOurBody(last)) {
        this.#keep(sectionsOf(last));
        // What the merge leaves out is not missing.
        if (!hasAll(body, sectionsOf(mergeSections(body, sectionsOf(last))))) return { pause: this.#pause(1) };
        const begun = this.#with.clock.now();
        const end = await this.#comments.remove(id);
        if (end !== "done") return { pause: this.#pauseAfter(end, begun) };
      }
      this.#ignore(id);
    }
    return undefined;
  }

  #posted(first: number, body: string): Posted {
    const there = counterpartIn(body, this.#section);
    const { run, attempt, at } = this.#section.facts;
    const isOurs = there?.facts.run === run && there.facts.attempt === attempt && there.facts.at === at;
    const isStale = !isOurs && (!there || compareAge(this.#section, there) < 0);
    if (isStale) return { outcome: "stale", id: first };
    const isWritten = this.#counts.writes > 0;
    return { outcome: first === this.#made ? "created" : isWritten ? "updated" : "unchanged", id: first };
  }

  #keep(sections: readonly Section[]): void {
    for (const section of sections) {
      const there = this.#seen.get(identityOf(section));
      this.#seen.set(identityOf(section), there ? newerOf(there, section) : section);
    }
  }

  #ignore(id: number): void {
    this.#ignored.add(id);
    this.#listed = undefined;
    if (this.#reached?.id === id) this.#reached = undefined;
    if (id !== this.#made) return;
    [this.#made, this.#isLost] = [undefined, false];
  }

  #stamp(maker = "unknown") {
    return { maker, write: `${this.#id}.${String(this.#counts.writes + this.#counts.creates)}` };
  }

  /** Others than a write that was held want to be carried out; after one that GitHub did not answer nothing is sent for a while. */
  #pauseAfter(end: WriteEnd, begun: number, times = 1): number {
    const isSilent = end !== "done" && this.#with.clock.now() - begun >= REST_MILLISECONDS;
    return (end === "held" ? 0 : this.#pause(times)) + (isSilent ? REST_MILLISECONDS : 0);
  }

  /** 0.3 to 0.9 s, and longer each time. */
  #pause(times: number): number {
    return Math.min(LONGEST_PAUSE_MILLISECONDS, (300 + 600 * this.#with.random()) * 2 ** Math.max(0, times - 2));
  }
}

/** True when each section, or a later one in its place, stands in the body. */
function hasAll(body: string, sections: readonly Section[]): boolean {
  return sections.every((section) => {
    const there = counterpartIn(body, section);
    return there !== undefined && compareAge(newerOf(there, section), there) === 0;
  });
}
