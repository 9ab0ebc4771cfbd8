import type { Clock } from "../../http/clock.ts";

/**
 * The starts of runs, in microseconds since 1970. Each start is later than the one before, even within one millisecond or
 * after the clock is set back, so that `dotted_order` sorts runs by their start and no child is before its parent.
 */
export class TraceClock {
  readonly #clock: Pick<Clock, "date" | "now">;
  // The wall clock may jump in the middle of a trace: it is read once, and the monotonic clock adds to it.
  readonly #epochMilliseconds: number;
  #last = 0;

  constructor(clock: Pick<Clock, "date" | "now">) {
    this.#clock = clock;
    this.#epochMilliseconds = clock.date().getTime() - clock.now();
  }

  /** A start: now, but later than any start before. */
  next(): number {
    this.#last = Math.max(this.#last + 1, this.now());
    return this.#last;
  }

  /** An end: now, but never before the last start. */
  now(): number {
    const wall = Math.floor((this.#epochMilliseconds + this.#clock.now()) * 1_000);
    return Math.max(this.#last, wall);
  }
}
