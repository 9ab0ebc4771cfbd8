import type { Clock } from "./clock.ts";
import { TimeoutError } from "./errors.ts";
import { DEADLINE_MILLISECONDS, type CallOptions } from "./json-api.ts";

// What a write leaves of the limit of its operation to the looks that find out whether it was carried out.
const SHARE_OF_WRITE = 0.75;

/** One deadline for an operation of several requests. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #options: CallOptions;
  readonly #milliseconds: number;
  readonly #end: number;

  constructor(clock: Clock, signal: AbortSignal, options: CallOptions) {
    this.signal = signal;
    this.#clock = clock;
    this.#options = options;
    this.#milliseconds = options.deadlineMilliseconds ?? DEADLINE_MILLISECONDS;
    this.#end = clock.now() + this.#milliseconds;
  }

  /** The options of the next request: it may take what is left. */
  get callOptions(): CallOptions {
    return { ...this.#options, deadlineMilliseconds: Math.max(1, this.#end - this.#clock.now()) };
  }

  /** The options of a request that writes: if it gets no response, there is still time to look for what it did. */
  get writeOptions(): CallOptions {
    return { ...this.callOptions, timeLimit: this.#options.timeLimit?.early(SHARE_OF_WRITE) };
  }

  /** Throws a TimeoutError once the time is over; `target` names the operation. */
  check(target: string): void {
    if (this.#clock.now() < this.#end) return;
    throw new TimeoutError(this.#milliseconds / 1000, { target, mayHaveBeenProcessed: false });
  }

  /** Waits that long; returns false at once if there is not enough time left. */
  async pause(milliseconds: number): Promise<boolean> {
    const left = Math.min(this.#end - this.#clock.now(), this.#options.timeLimit?.left() ?? Number.POSITIVE_INFINITY);
    if (milliseconds >= left) return false;
    await this.#clock.sleep(milliseconds, this.signal);
    return true;
  }
}
