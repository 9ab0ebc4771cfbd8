import type { Clock } from "../http/clock.ts";
import { HttpStatusError } from "../http/errors.ts";
import { DEADLINE_MILLISECONDS, type CallOptions } from "../http/json-api.ts";

// A list may lag behind a write: looks that follow each other have a pause between them.
const PAUSE_MILLISECONDS = 1_000;

/** When an operation starts, and how long it may take. */
export interface DeadlineOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly options: CallOptions;
}

/** The one deadline of an operation that takes several requests. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #options: CallOptions;
  readonly #end: number;

  constructor({ clock, signal, options }: DeadlineOptions) {
    this.signal = signal;
    this.#clock = clock;
    this.#options = options;
    this.#end = clock.now() + (options.deadlineMilliseconds ?? DEADLINE_MILLISECONDS);
  }

  /** The options of the next request: it may take what is left. */
  get callOptions(): CallOptions {
    return { ...this.#options, deadlineMilliseconds: Math.max(1, this.#end - this.#clock.now()) };
  }

  /** Waits before the next look, as long as the server asks for; throws `failure` when there is no time for that. */
  async pauseAfter(failure: unknown): Promise<void> {
    const asked = failure instanceof HttpStatusError ? (failure.retryAfterMilliseconds ?? 0) : 0;
    const milliseconds = Math.max(PAUSE_MILLISECONDS, asked);
    if (milliseconds >= this.#end - this.#clock.now()) throw failure;
    await this.#clock.sleep(milliseconds, this.signal);
  }
}
