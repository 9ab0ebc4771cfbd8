import type { HttpStatusError } from "../../http/errors.ts";
import { RunsRefusedError } from "../client/errors.ts";

// A service that has stored nothing and refuses so many single runs for one reason refuses the sender, not the runs.
const MOST_EQUAL = 20;
// Runs beside each other may be wrong together; more than two batches of them in a row are more than that.
const MOST_REFUSED = 200;

/** How many runs a service refuses in a row, each by itself, and when that is enough. */
export class RefusalStreak {
  readonly #pauseMilliseconds: number;
  #hasStored = false;
  #refused = 0;
  #equal = 0;
  #reason = "";
  #givenUp: { readonly error: RunsRefusedError; readonly until: number } | undefined;

  /** `pauseMilliseconds`: how long a service that is given up is left alone before it is tried once more. */
  constructor(pauseMilliseconds: number) {
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  /** True when the service has ever stored a run. */
  get hasStored(): boolean {
    return this.#hasStored;
  }

  /** The service stored runs. */
  end(): void {
    this.#hasStored = true;
    this.#refused = this.#equal = 0;
    this.#givenUp = undefined;
  }

  /** The service refused a single run. */
  add(error: HttpStatusError, now: number): void {
    const reason = reasonOf(error);
    this.#refused += 1;
    this.#equal = reason === this.#reason ? this.#equal + 1 : 1;
    this.#reason = reason;
    if (this.#refused < MOST_REFUSED && (this.#hasStored || this.#equal < MOST_EQUAL)) return;
    const refused = { count: this.#refused, hasStored: this.#hasStored };
    this.#give(new RunsRefusedError(refused, error), now);
  }

  /** Why nothing is sent now; undefined where something may be. After a pause the next caller tries alone. */
  givenUp(now: number): RunsRefusedError | undefined {
    if (this.#givenUp === undefined || now < this.#givenUp.until) return this.#givenUp?.error;
    this.#give(this.#givenUp.error, now);
    return undefined;
  }

  #give(error: RunsRefusedError, now: number): void {
    this.#givenUp = { error, until: now + this.#pauseMilliseconds };
  }
}

/** What services say of two runs in the same words, apart from ids, times and other words with digits. */
function reasonOf({ status, details }: HttpStatusError): string {
  const words = details.join("\n").split(/[^\w.-]+/);
  return [status, ...words.map((word) => (/\d/.test(word) ? "#" : word))].join(" ");
}
