import type { Clock } from "../../src/http/clock.ts";
import type { Redact } from "../../src/text/foreign-text.ts";
import { countOf } from "../../src/text/number.ts";
import { commentRemoval } from "../github/comment/comment.ts";
import { isLasting } from "../github/errors.ts";
import { closeRecords, deleteRecords } from "../github/records/retirement.ts";
import type { RemovalInputs } from "./inputs.ts";
import { inLanes } from "./lanes.ts";
import type { LookContext, Preview, WhyRemoved } from "./previews.ts";
import { removedText } from "./report.ts";

/** A preview that is gone, and what GitHub still has of it. */
export interface GonePreview {
  readonly preview: Pick<Preview, "name" | "pullRequest">;
  readonly why: WhyRemoved;
  /** The deployment records that were there before the delete: those of a later deploy of the same preview stay. */
  readonly records: readonly number[];
  /** Records say that it was deployed to another service: a section that does not name this one may be of that. */
  readonly isElsewhere?: boolean;
  /** The pull request has another preview, of which its section is. */
  readonly isStillShown?: boolean;
}

export interface TidyingDeps extends Pick<LookContext, "bestEffort" | "github" | "service"> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly redact: Redact;
}

// GitHub takes 80 writes a minute.
const LONGEST_MILLISECONDS = 600_000;

/** Brings GitHub up to date once previews are gone: their sections in the comments, and then their records. */
export class Tidying {
  readonly #inputs: RemovalInputs;
  readonly #deps: TidyingDeps;
  readonly #end: number;
  /** By pull request: whether its comment says so. */
  readonly #comments = new Map<number, Promise<boolean>>();

  /** Made when the run begins: all of a sweep is to end in time. */
  constructor(inputs: RemovalInputs, deps: TidyingDeps) {
    this.#inputs = inputs;
    this.#deps = deps;
    const isSweep = inputs.which.pullRequest === undefined;
    this.#end = isSweep ? deps.clock.now() + Math.min(inputs.timeoutMilliseconds, LONGEST_MILLISECONDS) : Infinity;
  }

  get isOver(): boolean {
    return this.#deps.clock.now() >= this.#end;
  }

  /** Tidies up after as many as there is time for; the next run finds others by their records, so that those come last. */
  async after(gone: readonly GonePreview[]): Promise<void> {
    const hasRecords = ({ records }: GonePreview): boolean => records.length > 0;
    const left: GonePreview[] = [];
    // Each looks once more at its comment after some seconds, and the next ones need not wait for it.
    await inLanes([...gone.filter((one) => !hasRecords(one)), ...gone.filter(hasRecords)], async (one) => {
      if (this.isOver || !(await this.afterOne(one))) left.push(one);
    });
    this.#deps.signal.throwIfAborted();
    if (left.length === 0) return;
    const why = this.isOver
      ? "there was no time left for their records and comments"
      : "their records or comments could not be updated";
    const lost = left.filter((one) => !hasRecords(one)).length;
    const next =
      lost === 0
        ? "The next run of this step continues."
        : `The next run of this step continues with those that have records; the comments of ${String(lost)} without ` +
          `records stay as they are.${this.isOver ? " A longer `timeout` leaves more time." : ""}`;
    this.#deps.bestEffort.warn(
      `GitHub still shows ${String(left.length)} of ${countOf(gone.length, "removed preview")}, because ${why}. ${next}`,
    );
  }

  /**
   * Tidies up after one; false if something is left that a later run may mend. The records go last, and stay without a
   * comment that says "removed": they lead the next run here.
   */
  async afterOne({ preview, why, records, isElsewhere, isStillShown = false }: GonePreview): Promise<boolean> {
    const { bestEffort, github } = this.#deps;
    const commented = (): Promise<boolean> => {
      const begun = this.#comments.get(preview.pullRequest) ?? this.#comment(preview, why, isElsewhere);
      this.#comments.set(preview.pullRequest, begun);
      return begun;
    };
    const isCommented = isStillShown || (await commented());
    const isTidy = await bestEffort.attempt("Deleting the deployment records", async () => {
      await (isCommented ? deleteRecords : closeRecords)(github, records);
      return true;
    });
    return isCommented && isTidy === true;
  }

  /** False if the comment could not be updated, and a later run may be able to. */
  async #comment(
    { name, pullRequest }: GonePreview["preview"],
    why: WhyRemoved,
    isElsewhere: boolean | undefined,
  ): Promise<boolean> {
    const { bestEffort, github, clock, random, signal, redact } = this.#deps;
    const { stem, commentKey = stem.stem, github: inputs } = this.#inputs;
    // As the deploy of a preview calls its section: by its input, not by the pull request in which the comment is.
    const owner = { key: commentKey, service: this.#deps.service, run: inputs.run, redact };
    const text = `Removed: ${removedText({ pullRequest }, why)}.`;
    try {
      const removal = { name, text, isExact: isElsewhere, ...owner };
      await commentRemoval(github, pullRequest, removal, { clock, random, signal });
      return true;
    } catch (error) {
      bestEffort.report("Writing into the comment", error);
      // A token without the right has none tomorrow, and the conversation is still locked.
      return isLasting(error);
    }
  }
}
