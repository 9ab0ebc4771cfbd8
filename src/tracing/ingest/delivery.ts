import { randomUUID } from "node:crypto";
import type { Clock } from "../../http/clock.ts";
import { hasStatus, HttpStatusError, isTransient } from "../../http/errors.ts";
import { backoffMilliseconds, retry } from "../../http/retry.ts";
import { USUAL_LIMITS, type BatchBody, type BatchLimits, type Tracing } from "../client/client.ts";
import { BatchWriter, type RunBatch } from "./run-batch.ts";
import type { RunLedger } from "./run-ledger.ts";
import type { RunOperation } from "./run-queue.ts";
import { RunsRefusedError } from "../client/errors.ts";

// Three bytes for each character of a usual batch, and room to grow; the memory of one huge run is released.
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
// Three large batches, which keep the threads that compress busy. Small ones are bounded by the number of requests.
const MOST_BYTES_UNDERWAY = 6 * 1024 * 1024;
// The share of the patience that a batch late in an outage still gets: the outage may be over.
const LEAST_PATIENCE = 0.1;

export interface DeliveryOptions {
  /** Learns what became of sent runs. */
  readonly receipts: RunLedger;
  readonly tracing: Tracing;
  readonly clock: Clock;
  readonly random: (() => number) | undefined;
  /** How long to retry while the service stores nothing, milliseconds. */
  readonly patienceMilliseconds: number;
  /** Ends the retries: what is not stored then is unsent. The signal of the client when not given. */
  readonly signal: AbortSignal | undefined;
}

/** Sends batches until each run is stored, is rejected by itself, or cannot be sent. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #boundary = `run-${randomUUID()}`;
  // The writers that no batch on its way uses.
  readonly #writers: BatchWriter[] = [];
  #bytesUnderway = 0;
  #limits?: Promise<BatchLimits>;
  // A proxy may allow less than the service names.
  #mostBytes = Number.POSITIVE_INFINITY;
  // A key that is rejected once is rejected each time.
  #refused?: HttpStatusError;
  readonly #streak: RefusalStreak;
  /** Since when the service has stored nothing; undefined while it does. */
  #silentSince: number | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#streak = new RefusalStreak(options.patienceMilliseconds);
  }

  /** The limits of a batch, requested once. Never rejects: the error returns when a batch is sent. */
  async limits(): Promise<BatchLimits> {
    const { tracing, signal } = this.#options;
    this.#limits ??= tracing.limits({ signal }).catch(() => USUAL_LIMITS);
    return await this.#limits;
  }

  /** False while so many bytes are on their way that a further batch must wait. */
  get hasRoom(): boolean {
    return this.#bytesUnderway < MOST_BYTES_UNDERWAY;
  }

  /** Never rejects: the receipts get the result. The operations are copied at once. */
  deliver(operations: readonly RunOperation[]): Promise<void> {
    const writer = this.#writers.pop() ?? new BatchWriter(this.#boundary);
    const batch = writer.write(operations);
    const bytes = batch.body.length;
    this.#bytesUnderway += bytes;
    return this.#settle(batch).finally(() => {
      this.#bytesUnderway -= bytes;
      if (writer.kept <= MOST_KEPT_BYTES) this.#writers.push(writer);
    });
  }

  async #settle(batch: RunBatch): Promise<void> {
    if (!(await this.#deliver(batch))) await this.#settleHalves(batch);
  }

  // The service rejects one run, or the batch is too large: the search ends at single runs, or when the service is given
  // up. Both halves are sent before one is divided, so that an accepted half is found early.
  async #settleHalves(batch: RunBatch): Promise<void> {
    const open: RunBatch[] = [];
    for (const half of batch.halves()) if (!(await this.#deliver(half))) open.push(half);
    for (const half of open) await this.#settleHalves(half);
  }

  /** False for a batch that must be divided; any other batch is settled. */
  async #deliver(batch: RunBatch): Promise<boolean> {
    const { receipts, clock } = this.#options;
    const givenUp = this.#streak.givenUp(clock.now());
    try {
      if (givenUp) throw givenUp;
      if (!(await this.#send(batch))) return false;
      this.#store(batch);
    } catch (error) {
      if (hasStatus(error, 409)) this.#store(batch);
      else if (!hasStatus(error, 400, 413, 422)) receipts.onUnsent(batch, error);
      else if (batch.runs.length > 1) return false;
      else {
        this.#streak.add(error, clock.now());
        receipts.onRejected(batch, error);
      }
    }
    return true;
  }

  #store(batch: RunBatch): void {
    this.#streak.end();
    this.#options.receipts.onStored(batch);
  }

  /** False when the batch is larger than the service allows. */
  async #send(batch: RunBatch): Promise<boolean> {
    if (this.#refused) throw this.#refused;
    const limits = await this.limits();
    const { contentType, body, runs } = batch;
    if (batch.runs.length > 1 && body.length > Math.min(limits.bytes, this.#mostBytes)) return false;
    try {
      await this.#sendPatiently({
        contentType,
        bytes: body,
        encoding: limits.encoding,
        ids: runs.map(({ id }) => id),
      });
    } catch (error) {
      // After a success, a 403 may come from a firewall that blocks the text of one batch.
      if (hasStatus(error, 401) || (hasStatus(error, 403) && !this.#streak.hasStored)) this.#refused = error;
      if (hasStatus(error, 413)) this.#mostBytes = Math.min(this.#mostBytes, body.length - 1);
      throw error;
    }
    return true;
  }

  /** Retries through an outage: each round is a request with a few attempts, until the patience is over. */
  async #sendPatiently(body: BatchBody): Promise<void> {
    const { tracing, clock, signal, random = Math.random } = this.#options;
    const begin = clock.now();
    const send = async (): Promise<void> => {
      const deadlineMilliseconds = Math.max(1, this.#endOf(begin) - clock.now());
      await tracing.sendBatch(body, { signal, deadlineMilliseconds });
      this.#silentSince = undefined;
    };
    const pauseAfter = (error: unknown, round: number): number => {
      this.#silentSince = isTransient(error) ? (this.#silentSince ?? clock.now()) : undefined;
      if (!isTransient(error)) throw error;
      const hint = error instanceof HttpStatusError ? error.retryAfterMilliseconds : undefined;
      const pause = backoffMilliseconds(round, hint, random);
      if (clock.now() + pause >= this.#endOf(begin)) throw error;
      return pause;
    };
    await retry(send, pauseAfter, { clock, signal });
  }

  /** When the retries of a batch end: an outage counts once, not for each batch in its turn. */
  #endOf(begin: number): number {
    const { patienceMilliseconds } = this.#options;
    const end = Math.min(begin, this.#silentSince ?? begin) + patienceMilliseconds;
    return Math.max(end, begin + patienceMilliseconds * LEAST_PATIENCE);
  }
}

// A service that has stored nothing and rejects this many single runs for one reason rejects the sender, not the runs.
const MOST_EQUAL = 20;
// Neighbouring runs may share an error; two whole batches of them point to the sender.
const MOST_REFUSED = 200;

/** Counts the single runs that a service rejects in a row, and decides when to stop sending. */
export class RefusalStreak {
  readonly #pauseMilliseconds: number;
  hasStored = false;
  #refused = 0;
  #equal = 0;
  #reason = "";
  #givenUp: { readonly error: RunsRefusedError; readonly until: number } | undefined;

  /** `pauseMilliseconds`: the time until one request tries the service again. */
  constructor(pauseMilliseconds: number) {
    this.#pauseMilliseconds = pauseMilliseconds;
  }

  /** The service stored runs. */
  end(): void {
    this.hasStored = true;
    this.#refused = this.#equal = 0;
    this.#givenUp = undefined;
  }

  /** The service rejected a single run. */
  add(error: HttpStatusError, now: number): void {
    // The same for two runs that are rejected in the same words; ids, times and other words with digits are ignored.
    const words = error.details.join("\n").split(/[^\w.-]+/);
    const reason = [error.status, ...words.map((word) => (/\d/.test(word) ? "#" : word))].join(" ");
    this.#refused += 1;
    this.#equal = reason === this.#reason ? this.#equal + 1 : 1;
    this.#reason = reason;
    if (this.#refused < MOST_REFUSED && (this.hasStored || this.#equal < MOST_EQUAL)) return;
    const refused = { count: this.#refused, hasStored: this.hasStored };
    this.#give(new RunsRefusedError(refused, error), now);
  }

  /** The error while nothing may be sent, else undefined. After the pause, one caller may try. */
  givenUp(now: number): RunsRefusedError | undefined {
    if (!this.#givenUp || now < this.#givenUp.until) return this.#givenUp?.error;
    this.#give(this.#givenUp.error, now);
    return undefined;
  }

  #give(error: RunsRefusedError, now: number): void {
    this.#givenUp = { error, until: now + this.#pauseMilliseconds };
  }
}
