import * as z from "zod";
import { anyText, checkCall, checkedArgument, type NamedArguments, objectOf } from "../../contract/call-arguments.ts";
import type { Run } from "../../contract/run.ts";
import { isUuid } from "../../contract/uuid.ts";
import type { Clock } from "../../http/clock.ts";
import type { RunFields, Tracing } from "../client/client.ts";
import { Delivery } from "./delivery.ts";
import { RunIdError, TracingClosedError } from "../client/errors.ts";
import { Flushes, runOperation, type RunEvent, type RunOperation, RunQueue, type Portion } from "./run-queue.ts";
import { TextStore } from "./text-store.ts";
import { RunLedger, type IngestCounts, type LedgerOptions } from "./run-ledger.ts";

// The number of connections to one service.
const CONCURRENCY = 8;
// More than all requests carry; callers that never wait need room for a burst. Texts that wait for longer than it takes to
// make as many again are copied by the collector.
const MOST_RUNS = { wait: 2_000, drop: 10_000 } as const;
const MOST_SIZE = { wait: 8 * 1024 * 1024, drop: 32 * 1024 * 1024 } as const;
// Larger batches are not faster, and each one takes its memory while it is on its way.
const MOST_BATCH_SIZE = 2 * 1024 * 1024;
const LINGER_MILLISECONDS = 100;
const PATIENCE_MILLISECONDS = 60_000;
const ROOM = Promise.resolve();

export interface IngestOptions extends LedgerOptions {
  /** The client of the service, as `connectTracing` returns it. */
  readonly tracing: Tracing;
  /** The time, as `connectTracing` returns it. */
  readonly clock: Clock;
  /** A number from 0 to 1, which varies the pauses between attempts; `Math.random` when not given. */
  readonly random?: (() => number) | undefined;
  /** The most requests at once; 8 when not given. */
  readonly concurrency?: number | undefined;
  /** The most runs that wait; 2,000 when not given, 10,000 with `onFull: "drop"`. */
  readonly mostRuns?: number | undefined;
  /** The most characters of JSON that wait, about; 8 Mi when not given, 32 Mi with `onFull: "drop"`. */
  readonly mostSize?: number | undefined;
  /** At these limits, `wait` (the default) lets callers wait; `drop` drops new runs and counts them. */
  readonly onFull?: "drop" | "wait" | undefined;
  /** How long a run waits for others to fill its batch, milliseconds; 100 when not given. */
  readonly lingerMilliseconds?: number | undefined;
  /** How long to retry while the service stores nothing, milliseconds; a minute when not given. */
  readonly patienceMilliseconds?: number | undefined;
  /** Ends all retries: waiting runs go to the file of unsent runs. The signal of the connection when not given. */
  readonly signal?: AbortSignal | undefined;
}

// Without them, every run would fail in the background.
const OptionsShape = z.looseObject({ tracing: objectOf<Tracing>(), clock: objectOf<Clock>() });

/**
 * Sends runs in batches, in the background, with bounded memory and several requests at once, until each run is stored,
 * rejected or in the file of unsent runs. Waiting runs keep the process alive; `close` sends them and takes no more.
 */
export class RunIngest {
  readonly #options: IngestOptions;
  readonly #delivery: Delivery;
  readonly #queue = new RunQueue();
  readonly #texts = new TextStore();
  readonly #ledger: RunLedger;
  readonly #concurrency: number;
  readonly #mostRuns: number;
  readonly #mostSize: number;
  #portion?: Portion;
  #isAsking = false;
  #requests = 0;
  #room: PromiseWithResolvers<void> | undefined;
  readonly #flushes = new Flushes();
  #timer: NodeJS.Timeout | undefined;
  // Callers that wait let the event loop send requests.
  #turn: PromiseWithResolvers<undefined> | undefined;
  // The linger time is over: send what waits even if it does not fill a batch.
  #isDue = false;
  #isClosed = false;

  /** Throws ArgumentsError. */
  constructor(options: IngestOptions) {
    checkedArgument("RunIngest", OptionsShape, options, "the first argument");
    const { tracing, clock, random, patienceMilliseconds = PATIENCE_MILLISECONDS } = options;
    this.#options = options;
    this.#concurrency = options.concurrency ?? CONCURRENCY;
    this.#mostRuns = options.mostRuns ?? MOST_RUNS[options.onFull ?? "wait"];
    this.#mostSize = options.mostSize ?? MOST_SIZE[options.onFull ?? "wait"];
    this.#ledger = new RunLedger(options);
    this.#delivery = new Delivery({
      tracing,
      clock,
      random,
      patienceMilliseconds,
      signal: options.signal,
      receipts: this.#ledger,
    });
  }

  get counts(): IngestCounts {
    return this.#ledger.counts;
  }

  /**
   * Hands over a copy of a run. Resolves when there is room for the next: awaiting it keeps the memory bounded.
   * @throws TracingClosedError after `close`, and RunIdError.
   * @idempotence A run is sent until it is stored, and is stored once.
   * @contract Sections 2.5 and 4.3.
   */
  post(run: RunFields & Pick<Run, "id">): Promise<void> {
    if (!isRun(run)) return misused("post", { run: [runShape, run] });
    if (this.#options.onFull === "drop" && this.#isFull()) {
      this.#ledger.drop(run.id);
      return ROOM;
    }
    return this.#add("post", run);
  }

  /**
   * Adds fields to a run that was handed over or that the service has; resolves as `post` does.
   * @throws What `post` throws.
   * @idempotence What is added is sent until it is stored, and has the same effect twice.
   * @contract Sections 2.5 and 4.3.
   */
  patch(id: string, fields: RunFields): Promise<void> {
    if (!isAddition(id, fields)) return misused("patch", { id: [anyText, id], fields: [objectOf(), fields] });
    return this.#ledger.wasDropped(id) ? ROOM : this.#add("patch", { ...fields, id });
  }

  /**
   * Sends all that waits. Resolves with the counts when each run that was handed over before this call is stored,
   * rejected or unsent.
   * @throws Nothing: runs that are not stored are counted.
   * @idempotence May be called again.
   * @contract Section 4.3.
   */
  async flush(): Promise<IngestCounts> {
    const open = this.#queue.ids();
    if (open.size > 0) {
      const done = this.#flushes.add(open);
      this.#pump();
      await done;
    }
    await this.#ledger.settled();
    return this.counts;
  }

  /**
   * Takes no more runs, and flushes.
   * @throws Nothing: runs that are not stored are counted.
   * @idempotence May be called again.
   * @contract Section 4.3.
   */
  async close(): Promise<IngestCounts> {
    this.#isClosed = true;
    return await this.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #add(event: RunEvent, run: RunFields & Pick<Run, "id">): Promise<void> {
    const { id } = run;
    // The id becomes part of a header.
    if (!this.#queue.has(id) && !isUuid(id)) {
      return rejected(new RunIdError(`Invalid run id ${JSON.stringify(id)}: must be a UUID.`));
    }
    if (this.#isClosed) {
      return rejected(new TracingClosedError(`Run ${id} was handed over after the ingest was closed.`));
    }
    // What waits for long would keep the memory of texts that are sent.
    const operation = runOperation(event, run, this.#queue.isUnderway(id) ? undefined : this.#texts);
    this.#ledger.accept(operation);
    this.#queue.add(operation);
    this.#schedule();
    if (this.#options.onFull !== "drop" && this.#isFull()) {
      this.#room ??= Promise.withResolvers();
      return this.#room.promise;
    }
    return this.#turn?.promise ?? ROOM;
  }

  #isFull(): boolean {
    return this.#queue.ready >= this.#mostRuns || this.#queue.size >= this.#mostSize;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#isDue = true;
      this.#pump();
    }, this.#options.lingerMilliseconds ?? LINGER_MILLISECONDS);
    const { ready, size } = this.#queue;
    // More than a batch: the last run has most often not ended yet.
    const isBatch = !this.#portion || ready > this.#portion.runs || size > this.#portion.size;
    if (this.#turn || !(isBatch || this.#isFull())) return;
    const turn = Promise.withResolvers<undefined>();
    this.#turn = turn;
    setImmediate(() => {
      this.#turn = undefined;
      this.#pump();
      turn.resolve(undefined);
    });
  }

  /** Sends as many batches as may be on their way at once. */
  #pump(): void {
    const portion = this.#portion;
    if (!portion) {
      void this.#learnLimits();
      return;
    }
    while (this.#requests < this.#concurrency && this.#delivery.hasRoom && this.#hasBatch(portion)) {
      void this.#send(this.#queue.take(portion));
    }
    if (!this.#isFull()) {
      this.#room?.resolve();
      this.#room = undefined;
    }
    if (this.#queue.ready > 0) return;
    // Nothing waits: the timer would only keep the process alive.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
  }

  #hasBatch({ runs, size }: Portion): boolean {
    const { ready } = this.#queue;
    if (ready === 0) return false;
    return this.#isDue || this.#flushes.isAny || ready >= runs || this.#queue.size >= size || this.#isFull();
  }

  async #learnLimits(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { runs, bytes } = await this.#delivery.limits();
    this.#portion = { runs, size: Math.min(bytes, MOST_BATCH_SIZE) };
    this.#pump();
  }

  async #send(operations: readonly RunOperation[]): Promise<void> {
    this.#requests += 1;
    const ids = operations.map(({ id }) => id);
    const delivered = this.#delivery.deliver(operations);
    for (const { parts } of operations) {
      for (const part of Object.values(parts)) if (typeof part === "object") this.#texts.release(part);
    }
    await delivered;
    this.#requests -= 1;
    this.#queue.settle(ids);
    this.#flushes.settle(ids, this.#queue);
    if (this.#queue.ready > 0) this.#schedule();
    this.#pump();
  }
}

const runShape = z.looseObject({ id: anyText }, "must be an object");

/** True for what can be handed over: callers without types may give anything, and nearly all is right. */
function isRun(run: unknown): boolean {
  return typeof run === "object" && run !== null && "id" in run && typeof run.id === "string";
}

/** The same of what is added to a run. */
function isAddition(id: unknown, fields: unknown): boolean {
  return typeof id === "string" && typeof fields === "object" && fields !== null;
}

function misused(called: string, given: NamedArguments): Promise<void> {
  try {
    checkCall(called, given);
    return ROOM;
  } catch (error) {
    return rejected(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Callers that do not await it must not end the process with an unhandled rejection. */
function rejected(error: Error): Promise<never> {
  const rejection = Promise.reject(error);
  rejection.catch(() => undefined);
  return rejection;
}
