import type { HttpStatusError } from "../../http/errors.ts";
import { RunsRefusedError } from "../client/errors.ts";

// A service that has stored nothing and rejects this many single runs for one reason rejects the sender, not the runs.
const MOST_EQUAL = 20;
// Neighbouring runs may share an error; two whole batches of them point to the sender.
const MOST_REFUSED = 200;

/** Counts the single runs that a service rejects in a row, and decides when to stop sending. */
export class RefusalStreak {
  readonly #pauseMilliseconds: number;
  #hasStored = false;
  #refused = 0;
  #equal = 0;
  #reason = "";
  #givenUp: { readonly error: RunsRefusedError; readonly until: number } | undefined;

  /** `pauseMilliseconds`: the time until one request tries the service again. */
  constructor(pauseMilliseconds: number) {
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  /** True once the service has stored a run. */
  get hasStored(): boolean {
    return this.#hasStored;
  }

  /** The service stored runs. */
  end(): void {
    this.#hasStored = true;
    this.#refused = this.#equal = 0;
    this.#givenUp = undefined;
  }

  /** The service rejected a single run. */
  add(error: HttpStatusError, now: number): void {
    const reason = reasonOf(error);
    this.#refused += 1;
    this.#equal = reason === this.#reason ? this.#equal + 1 : 1;
    this.#reason = reason;
    if (this.#refused < MOST_REFUSED && (this.#hasStored || this.#equal < MOST_EQUAL)) return;
    const refused = { count: this.#refused, hasStored: this.#hasStored };
    this.#give(new RunsRefusedError(refused, error), now);
  }

  /** The error while nothing may be sent, else undefined. After the pause, one caller may try. */
  givenUp(now: number): RunsRefusedError | undefined {
    if (this.#givenUp === undefined || now < this.#givenUp.until) return this.#givenUp?.error;
    this.#give(this.#givenUp.error, now);
    return undefined;
  }

  #give(error: RunsRefusedError, now: number): void {
    this.#givenUp = { error, until: now + this.#pauseMilliseconds };
  }
}

/** The same for two runs that are rejected in the same words; ids, times and other words with digits are ignored. */
function reasonOf({ status, details }: HttpStatusError): string {
  const words = details.join("\n").split(/[^\w.-]+/);
  return [status, ...words.map((word) => (/\d/.test(word) ? "#" : word))].join(" ");
}
