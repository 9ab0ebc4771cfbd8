// As many retries as seven requests may need that fail for good. A success gives back the retry that brought it, or pays
// for a fifth of one, as in the token buckets of the AWS SDKs.
const MOST_RETRIES = 20;
const RETRIES_FOR_SUCCESS = 0.2;

/**
 * How many retries all requests of a client may still make together. A service that stumbles is helped by retries; one
 * that is down for minutes, while a wait goes on looking at it, only gets four times as many requests from them.
 */
export class RetryBudget {
  #left = MOST_RETRIES;

  /** Takes one retry; false when there is none left. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** A request came through, after retries or at once. */
  refill({ retried }: { readonly retried: boolean }): void {
    this.#left = Math.min(MOST_RETRIES, this.#left + (retried ? 1 : RETRIES_FOR_SUCCESS));
  }
}
