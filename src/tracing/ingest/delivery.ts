import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { Clock } from "../../http/clock.ts";
import { hasStatus, HttpStatusError, isTransient } from "../../http/errors.ts";
import { backoffMilliseconds } from "../../http/backoff.ts";
import { USUAL_LIMITS, type BatchLimits } from "../client/client.ts";
import type { BatchBody, Tracing } from "../client/client.ts";
import { BatchWriter } from "./run-batch.ts";
import { RefusalStreak } from "./refusal-streak.ts";
import type { RunBatch } from "./run-batch.ts";
import type { RunOperation } from "./run-operation.ts";

const compress = promisify(gzip);
// Three bytes for each character of a usual batch, and room to grow; what one huge run has taken is given back.
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
// Of the patience, for a batch that comes late in an outage: it may be over.
const LEAST_PATIENCE = 0.1;
// The fastest level: runs are mostly text, which becomes a fraction with any.
const GZIP = { level: constants.Z_BEST_SPEED };

/** What became of runs that were sent; a batch is good until the call returns. */
export interface Receipts {
  onStored(batch: RunBatch): void;
  /** The service refuses the one run of this batch; it would refuse it again. */
  onRejected(batch: RunBatch, error: HttpStatusError): void;
  /** Nobody could take these in time, or may. */
  onUnsent(batch: RunBatch, error: unknown): void;
}

/** What a delivery works with. */
export interface DeliveryOptions {
  readonly receipts: Receipts;
  readonly tracing: Tracing;
  readonly clock: Clock;
  readonly random?: (() => number) | undefined;
  /** How long a service may take nothing before batches are given up, milliseconds. */
  readonly patienceMilliseconds: number;
  /** Ends the tries: what is not stored then is unsent. The client's own signal when not given. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends batches until each run is stored, is rejected by itself, or cannot be sent. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #boundary = `run-${randomUUID()}`;
  // One for each batch that is on its way.
  readonly #writers: BatchWriter[] = [];
  #limits: Promise<BatchLimits> | undefined;
  // A service in front may take less than the service says.
  #mostBytes = Number.POSITIVE_INFINITY;
  // A key that is refused once is refused each time.
  #refused: HttpStatusError | undefined;
  readonly #streak: RefusalStreak;
  /** Since when the service takes nothing; undefined while it does. */
  #silentSince: number | undefined;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#streak = new RefusalStreak(options.patienceMilliseconds);
  }

  /** What a batch may hold; asked for once. Never rejects: a refusal shows again when a batch is sent. */
  async limits(): Promise<BatchLimits> {
    const { tracing, signal } = this.#options;
    this.#limits ??= tracing.limits({ signal }).catch(() => USUAL_LIMITS);
    return await this.#limits;
  }

  /** Never rejects: the receipts tell. The operations are written down at once, and not kept. */
  deliver(operations: readonly RunOperation[]): Promise<void> {
    const writer = this.#writers.pop() ?? new BatchWriter(this.#boundary);
    return this.#settle(writer.write(operations)).finally(() => {
      if (writer.kept <= MOST_KEPT_BYTES) this.#writers.push(writer);
    });
  }

  async #settle(batch: RunBatch): Promise<void> {
    if (!(await this.#deliver(batch))) await this.#settleHalves(batch);
  }

  // One of them is refused, or all are too much: the search ends at single runs, or when the service is given up. Both
  // halves are sent before one is searched, so that what a service takes is found early.
  async #settleHalves(batch: RunBatch): Promise<void> {
    const open: RunBatch[] = [];
    for (const half of batch.halves()) if (!(await this.#deliver(half))) open.push(half);
    for (const half of open) await this.#settleHalves(half);
  }

  /** False for a batch that must be divided; any other one is settled. */
  async #deliver(batch: RunBatch): Promise<boolean> {
    const { receipts, clock } = this.#options;
    const givenUp = this.#streak.givenUp(clock.now());
    try {
      if (givenUp !== undefined) throw givenUp;
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

  /** False when they are more than the service takes at once. */
  async #send(batch: RunBatch): Promise<boolean> {
    if (this.#refused !== undefined) throw this.#refused;
    const limits = await this.limits();
    const { contentType, body } = batch;
    if (batch.runs.length > 1 && body.length > Math.min(limits.bytes, this.#mostBytes)) return false;
    try {
      await this.#sendPatiently(
        limits.gzip
          ? { contentType, bytes: await compress(body, GZIP), encoding: "gzip" }
          : { contentType, bytes: body },
      );
    } catch (error) {
      // After a success, a guard in front of the service may dislike the text of one batch.
      if (hasStatus(error, 401) || (hasStatus(error, 403) && !this.#streak.hasStored)) this.#refused = error;
      if (hasStatus(error, 413)) this.#mostBytes = Math.min(this.#mostBytes, body.length - 1);
      throw error;
    }
    return true;
  }

  /** The client tries a few times by itself; this goes on through an outage. */
  async #sendPatiently(body: BatchBody): Promise<void> {
    const { tracing, clock, signal, random = Math.random } = this.#options;
    const begin = clock.now();
    for (let round = 1; ; round += 1) {
      try {
        const deadlineMilliseconds = Math.max(1, this.#endOf(begin) - clock.now());
        await tracing.sendBatch(body, { signal, deadlineMilliseconds });
        this.#silentSince = undefined;
        return;
      } catch (error) {
        this.#silentSince = isTransient(error) ? (this.#silentSince ?? clock.now()) : undefined;
        if (!isTransient(error)) throw error;
        const asked = error instanceof HttpStatusError ? error.retryAfterMilliseconds : undefined;
        const pause = backoffMilliseconds(round, asked, random);
        if (clock.now() + pause >= this.#endOf(begin)) throw error;
        await clock.sleep(pause, signal);
      }
    }
  }

  /** Until when a batch is tried: an outage is waited out once, not by each batch in its turn. */
  #endOf(begin: number): number {
    const { patienceMilliseconds } = this.#options;
    const end = Math.min(begin, this.#silentSince ?? begin) + patienceMilliseconds;
    return Math.max(end, begin + patienceMilliseconds * LEAST_PATIENCE);
  }
}
