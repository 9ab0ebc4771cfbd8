import { appendFile } from "node:fs/promises";
import type { HttpStatusError } from "../../http/errors.ts";
import { UnsentFileError } from "../client/errors.ts";
import type { RunBatch } from "./run-batch.ts";
import type { RunOperation } from "./run-queue.ts";

const MOST_DROPPED_IDS = 100_000;
// The file of unsent runs contains what the runs contain.
const OWNER_ONLY = 0o600;

/** What was handed over: a run, or an addition to a run. */
export interface HandedOver {
  /** `post` creates a run, `patch` adds to one. */
  readonly event: "patch" | "post";
  /** The id of the run. */
  readonly id: string;
}

/** A run, or an addition to a run, that the service rejects, whatever is sent with it. */
export interface RejectedRun extends HandedOver {
  /** From the service's response. */
  readonly reason: string;
}

/** Runs that could not be sent. */
export interface UnsentRuns {
  readonly runs: readonly HandedOver[];
  readonly error: unknown;
  /** The file that has them; undefined where no file was named or it cannot be written: the runs are lost. */
  readonly file: string | undefined;
}

/** Counts of what happened to the runs that were handed over. */
export interface IngestCounts {
  /** Runs that the ingest accepted. */
  readonly accepted: number;
  /** Runs that the service has. */
  readonly stored: number;
  /** Runs that the ingest did not accept because too many were waiting, see `onFull`. */
  readonly dropped: number;
  /** Runs, and additions to stored runs, that the service rejected. */
  readonly rejected: number;
  /** Runs, and additions to stored runs, that could not be sent. */
  readonly unsent: number;
}

/** Where lost runs are reported and kept. */
export interface LedgerOptions {
  /** The file that keeps the unsent and the rejected runs. */
  readonly unsentFile?: string | undefined;
  /** What these two listeners throw is ignored: it must not affect other runs. */
  readonly onRejected?: ((run: RejectedRun) => void) | undefined;
  /** Called with runs that could not be sent. */
  readonly onUnsent?: ((runs: UnsentRuns) => void) | undefined;
}

/** Counts runs, and keeps those that the service did not store. A batch is valid until the call returns. */
export class RunLedger {
  readonly #options: LedgerOptions;
  readonly #counts = { accepted: 0, stored: 0, dropped: 0, rejected: 0, unsent: 0 };
  // Their ends may still come.
  readonly #droppedIds = new Set<string>();
  readonly #writes = new Set<Promise<void>>();
  // One write at a time: lines must not mix.
  #written: Promise<void> = Promise.resolve();

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  get counts(): IngestCounts {
    return { ...this.#counts };
  }

  accept({ event }: RunOperation): void {
    if (event === "post") this.#counts.accepted += 1;
  }

  drop(id: string): void {
    this.#counts.dropped += 1;
    this.#droppedIds.add(id);
    const [oldest = ""] = this.#droppedIds;
    if (this.#droppedIds.size > MOST_DROPPED_IDS) this.#droppedIds.delete(oldest);
  }

  /** True once for a dropped run: its end has nothing to be added to. */
  wasDropped(id: string): boolean {
    return this.#droppedIds.delete(id);
  }

  onStored({ runs }: RunBatch): void {
    for (const { event } of runs) if (event === "post") this.#counts.stored += 1;
  }

  /** The service rejects the one run of this batch, and would reject it again. */
  onRejected(batch: RunBatch, error: HttpStatusError): void {
    const reason = error.details.join("; ") || error.message;
    for (const { event, id } of batch.runs) {
      this.#counts.rejected += 1;
      notify(() => this.#options.onRejected?.({ event, id, reason }));
    }
    // The rejection is reported already; that the run could not be kept either adds nothing.
    this.#keep(this.#append(batch).catch(() => undefined));
  }

  /** The runs could not be sent in time, or the service gave no permission. */
  onUnsent(batch: RunBatch, error: unknown): void {
    const runs = batch.runs.map(({ event, id }) => ({ event, id }));
    this.#counts.unsent += runs.length;
    const report = this.#append(batch).then(
      (): UnsentRuns => ({ runs, error, file: this.#options.unsentFile }),
      (cause: unknown): UnsentRuns => ({ runs, error: cause, file: undefined }),
    );
    this.#keep(
      report.then((unsent) => {
        notify(() => this.#options.onUnsent?.(unsent));
      }),
    );
  }

  /** Resolves when all writes to the file have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /**
   * Appends the runs to the file of unsent runs, where there is one: a line of JSON each, for a later `replay`. Throws
   * UnsentFileError; the lines are lost then.
   */
  async #append(batch: RunBatch): Promise<void> {
    const { unsentFile: path } = this.#options;
    if (path === undefined) return;
    const text = batch.lines().map((line) => `${line}\n`);
    const write = this.#written.then(() => appendFile(path, text.join(""), { mode: OWNER_ONLY }));
    this.#written = write.catch(() => undefined);
    try {
      await write;
    } catch (cause) {
      throw new UnsentFileError(`Could not write the unsent runs to ${path}.`, { cause });
    }
  }

  #keep(write: Promise<void>): void {
    this.#writes.add(write);
    void write.finally(() => this.#writes.delete(write));
  }
}

function notify(listener: () => void): void {
  try {
    listener();
  } catch {
    // An exception in a listener must not affect the runs.
  }
}
