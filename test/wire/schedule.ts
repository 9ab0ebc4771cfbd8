import type { Clock } from "../../src/http/clock.ts";

interface Waiter {
  readonly at: number;
  readonly go: () => void;
}

/** What a schedule is made with. */
export interface Pace {
  /** The same numbers make the same race. */
  readonly random: () => number;
  /** The longest way of a request to the server, with the way back of the response before it, milliseconds. */
  readonly way: number;
}

/**
 * One time for several who work at once with real servers. It moves when each of them waits, for the clock or for a
 * server, and then to the next in line: what comes first follows from the numbers, and not from the machine.
 */
export class Schedule implements Clock {
  readonly #pace: Pace;
  readonly #start: number;
  readonly #waiting: Waiter[] = [];
  #working = 0;
  #now = 0;

  constructor(pace: Pace, start = Date.UTC(2026, 0, 1)) {
    this.#pace = pace;
    this.#start = start;
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#start + this.#now);
  }

  /** Does all of this at once, each begun at some time within `spread` milliseconds. */
  async all<Result>(
    works: readonly (() => Promise<Result>)[],
    spread = 0,
  ): Promise<readonly PromiseSettledResult<Result>[]> {
    this.#working += works.length;
    return await Promise.allSettled(
      works.map(async (work) => {
        try {
          await this.#until(this.#now + spread * this.#pace.random());
          return await work();
        } finally {
          this.#working -= 1;
          this.#next();
        }
      }),
    );
  }

  /** For a server, before it does what a request asks for. */
  async turn(): Promise<void> {
    if (this.#working > 0) await this.#until(this.#now + this.#pace.way * this.#pace.random());
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#working > 0) await this.#until(this.#now + milliseconds);
    else this.#now += milliseconds;
    signal?.throwIfAborted();
  }

  /** Nothing here takes as long as a limit allows. */
  alarm(): () => void {
    return () => undefined;
  }

  async #until(at: number): Promise<void> {
    await new Promise<void>((go) => {
      this.#waiting.push({ at, go });
      this.#next();
    });
  }

  #next(): void {
    if (this.#waiting.length === 0 || this.#waiting.length < this.#working) return;
    const first = this.#waiting.reduce((one, other) => (other.at < one.at ? other : one));
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    this.#now = Math.max(this.#now, first.at);
    first.go();
  }
}
