import type { Clock } from "./clock.ts";

// What another attempt takes at least, with the pause before it.
const NEXT_MILLISECONDS = 6_000;

/**
 * How long a service may be silent while an operation asks it, over all requests and the pauses between them: from the
 * first request without a response on. A service that responds, with an error too, may be asked for longer.
 */
export class Silence {
  /** The whole time; Infinity where there is no end to it. */
  readonly milliseconds: number;
  readonly #clock: Clock;
  #since: number | undefined;

  /** `milliseconds`: the whole time; without end when not given. */
  constructor(clock: Clock, milliseconds = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.milliseconds = milliseconds;
  }

  /** A request is sent now. */
  begin(): void {
    this.#since ??= this.#clock.now();
  }

  /** The service has responded. */
  end(): void {
    this.#since = undefined;
  }

  /** Bytes have moved, and the response may follow. */
  restart(): void {
    this.#since = this.#clock.now();
  }

  /** Milliseconds, negative once the time is over; without end while nothing waits for a response. */
  left(): number {
    return this.#since === undefined ? Number.POSITIVE_INFINITY : this.#since + this.milliseconds - this.#clock.now();
  }

  /** True when there is no time to ask again. */
  isOver(): boolean {
    return this.left() < NEXT_MILLISECONDS;
  }
}
