import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import type { Clock } from "../../../src/http/clock.ts";
import { NetworkError, TimeoutError } from "../../../src/http/errors.ts";
import type { CallOptions } from "../../../src/http/json-api.ts";

/** How long an operation asks a service that does not answer at all. */
const SILENCE_MILLISECONDS = 60_000;
// What another attempt takes at least, with the pause before it.
const NEXT_MILLISECONDS = 6_000;

/** A service did not answer for as long as an operation asks one. */
class UnreachedError extends GraphDeployError {
  readonly code = "UNREACHED";
}

/**
 * Requests of an operation that asks again and again. A service that answers, with an error too, may be asked for as
 * long as the operation has time; one that does not answer is asked for a minute in all, attempts and pauses together.
 */
export class Reach {
  readonly #clock: Clock;
  #heardAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#heardAt = clock.now();
  }

  /** Throws as the request does, and UnreachedError when there is no time to ask again. */
  async ask<Result>(request: (options: CallOptions) => Promise<Result>): Promise<Result> {
    try {
      const result = await request({ deadlineMilliseconds: Math.max(1, this.#left()) });
      this.#heardAt = this.#clock.now();
      return result;
    } catch (error) {
      if (!(error instanceof NetworkError || error instanceof TimeoutError)) this.#heardAt = this.#clock.now();
      else if (this.#left() < NEXT_MILLISECONDS) {
        throw new UnreachedError(error.message, { cause: error, advice: error.advice });
      }
      throw error;
    }
  }

  #left(): number {
    return this.#heardAt + SILENCE_MILLISECONDS - this.#clock.now();
  }
}
