import type { Clock } from "../../http/clock.ts";

/**
 * The starts of runs: microseconds since 1970 that grow with each start, so that `dotted_order` sorts runs as they were
 * begun, however many there are in one millisecond, and no child is before its parent. A clock that is set back, and
 * one that shows milliseconds only, are counted on from.
 */
export class TraceClock {
  readonly #clock: Pick<Clock, "date" | "now">;
  // The wall clock may jump in the middle of a trace: it is read once, and time goes on by the other.
  readonly #epochMilliseconds: number;
  #last = 0;

  constructor(clock: Pick<Clock, "date" | "now">) {
    this.#clock = clock;
    this.#epochMilliseconds = clock.date().getTime() - clock.now();
  }

  /** Now; at least one more than any start before. */
  next(): number {
    this.#last = Math.max(this.#last + 1, this.now());
    return this.#last;
  }

  /** Now, for an end: never before the last start. */
  now(): number {
    const wall = Math.floor((this.#epochMilliseconds + this.#clock.now()) * 1_000);
    return Math.max(this.#last, wall);
  }
}
