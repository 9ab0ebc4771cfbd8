import { setImmediate as tick } from "node:timers/promises";
import type { Clock } from "../../src/http/clock.ts";

/** A clock on which pauses take no time; all else takes as long as it takes. */
export class FastClock implements Clock {
  /** Each pause so far, milliseconds. */
  readonly sleeps: number[] = [];
  #ahead = 0;

  now(): number {
    return performance.now() + this.#ahead;
  }

  date(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(milliseconds);
    this.#ahead += milliseconds;
    await tick();
    signal?.throwIfAborted();
  }
}

/** A clock that only moves when somebody sleeps or when a test moves it. */
export class SimulatedClock implements Clock {
  readonly sleeps: number[] = [];
  #now = 0;

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#now);
  }

  /** Time passes while something else happens. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(milliseconds);
    this.#now += milliseconds;
    await Promise.resolve();
    signal?.throwIfAborted();
  }
}
