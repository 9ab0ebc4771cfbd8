import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { Clock } from "../http/clock.ts";
import { hasStatus, HttpStatusError, isTransient } from "../http/errors.ts";
import { backoffMilliseconds } from "../http/backoff.ts";
import { USUAL_LIMITS, type BatchLimits } from "./batch-limits.ts";
import type { BatchBody, Tracing } from "./client.ts";
import { BatchWriter } from "./batch-writer.ts";
import type { RunBatch } from "./run-batch.ts";
import type { RunOperation } from "./run-operation.ts";

const compress = promisify(gzip);
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
  /** How long a batch is tried that a service does not take, milliseconds. */
  readonly patienceMilliseconds: number;
  /** Ends the tries: what is not stored then is unsent. */
  readonly signal: AbortSignal;
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

  constructor(options: DeliveryOptions) {
    this.#options = options;
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
    return this.#deliver(writer.write(operations)).finally(() => this.#writers.push(writer));
  }

  async #deliver(batch: RunBatch): Promise<void> {
    const { receipts } = this.#options;
    try {
      if (await this.#send(batch)) receipts.onStored(batch);
      else await this.#deliverHalves(batch);
    } catch (error) {
      if (hasStatus(error, 409)) receipts.onStored(batch);
      else if (!hasStatus(error, 400, 413, 422)) receipts.onUnsent(batch, error);
      else if (batch.runs.length === 1) receipts.onRejected(batch, error);
      else await this.#deliverHalves(batch);
    }
  }

  // One of them is refused, or all are too much: the search ends at single runs.
  async #deliverHalves(batch: RunBatch): Promise<void> {
    for (const half of batch.halves()) await this.#deliver(half);
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
      if (hasStatus(error, 401, 403)) this.#refused = error;
      if (hasStatus(error, 413)) this.#mostBytes = Math.min(this.#mostBytes, body.length - 1);
      throw error;
    }
    return true;
  }

  /** The client tries a few times by itself; this goes on through an outage. */
  async #sendPatiently(body: BatchBody): Promise<void> {
    const { tracing, clock, signal, patienceMilliseconds, random = Math.random } = this.#options;
    const end = clock.now() + patienceMilliseconds;
    for (let round = 1; ; round += 1) {
      try {
        const deadlineMilliseconds = Math.max(1, end - clock.now());
        await tracing.sendBatch(body, { signal, deadlineMilliseconds });
        return;
      } catch (error) {
        if (!isTransient(error)) throw error;
        const asked = error instanceof HttpStatusError ? error.retryAfterMilliseconds : undefined;
        const pause = backoffMilliseconds(round, asked, random);
        if (clock.now() + pause >= end) throw error;
        await clock.sleep(pause, signal);
      }
    }
  }
}
