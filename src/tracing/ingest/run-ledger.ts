import type { HttpStatusError } from "../../http/errors.ts";
import type { Receipts } from "./delivery.ts";
import type { RunBatch } from "./run-batch.ts";
import type { RunOperation } from "./run-operation.ts";
import { UnsentFile } from "./unsent-file.ts";

const MOST_DROPPED_IDS = 100_000;

/** What was handed over: a run, or an addition to one. */
export type HandedOver = Pick<RunOperation, "event" | "id">;

/** A run, or an addition to one, that a service does not take, for reasons of its own. */
export interface RejectedRun extends HandedOver {
  /** What the service says. */
  readonly reason: string;
}

/** Runs that could not be sent. */
export interface UnsentRuns {
  readonly runs: readonly HandedOver[];
  readonly error: unknown;
  /** Where they are kept; undefined where nobody named a file, or it cannot be written: they are lost. */
  readonly file: string | undefined;
}

/** What became of what was handed over. */
export interface IngestCounts {
  /** Runs that were taken. */
  readonly accepted: number;
  /** Runs that the service has. */
  readonly stored: number;
  /** Runs that were not taken, because too much waited: see `onFull`. */
  readonly dropped: number;
  /** Runs, and additions to runs that are stored, which the service refuses. */
  readonly rejected: number;
  /** Runs, and additions to runs that are stored, which could not be sent. */
  readonly unsent: number;
}

/** Who is told, and where what did not arrive is kept. */
export interface LedgerOptions {
  /** Takes the runs that could not be sent, and those that were rejected. */
  readonly unsentFile?: string | undefined;
  /** An error of these two goes nowhere: it must not hold up other runs. */
  readonly onRejected?: ((run: RejectedRun) => void) | undefined;
  readonly onUnsent?: ((runs: UnsentRuns) => void) | undefined;
}

/** Keeps count of runs, and keeps those that do not arrive. */
export class RunLedger implements Receipts {
  readonly #options: LedgerOptions;
  readonly #file: UnsentFile | undefined;
  readonly #counts = { accepted: 0, stored: 0, dropped: 0, rejected: 0, unsent: 0 };
  // Runs whose ends may still come.
  readonly #droppedIds = new Set<string>();
  readonly #writes = new Set<Promise<void>>();

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#file = options.unsentFile === undefined ? undefined : new UnsentFile(options.unsentFile);
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
    if (this.#droppedIds.size <= MOST_DROPPED_IDS) return;
    for (const oldest of this.#droppedIds) {
      this.#droppedIds.delete(oldest);
      break;
    }
  }

  /** True once for a run that was dropped: there is nothing that its end could be added to. */
  wasDropped(id: string): boolean {
    return this.#droppedIds.delete(id);
  }

  onStored({ runs }: RunBatch): void {
    for (const { event } of runs) if (event === "post") this.#counts.stored += 1;
  }

  onRejected(batch: RunBatch, error: HttpStatusError): void {
    const reason = error.details.join("; ") || error.message;
    for (const { event, id } of batch.runs) {
      this.#counts.rejected += 1;
      tell(() => this.#options.onRejected?.({ event, id, reason }));
    }
    const write = this.#file?.append(batch.lines());
    // The service has said why it does not want it: that nobody can keep it either is no news.
    if (write !== undefined) this.#keep(write.catch(() => undefined));
  }

  onUnsent(batch: RunBatch, error: unknown): void {
    const runs = batch.runs.map(({ event, id }) => ({ event, id }));
    this.#counts.unsent += runs.length;
    this.#keep(this.#write(this.#file === undefined ? [] : batch.lines(), { runs, error }));
  }

  /** Resolves when what did not arrive is written down. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }

  async #write(lines: readonly string[], unsent: Pick<UnsentRuns, "error" | "runs">): Promise<void> {
    const told = await this.#append(lines).then(
      (file) => ({ ...unsent, file }),
      (cause: unknown) => ({ ...unsent, error: cause, file: undefined }),
    );
    tell(() => this.#options.onUnsent?.(told));
  }

  async #append(lines: readonly string[]): Promise<string | undefined> {
    await this.#file?.append(lines);
    return this.#file?.path;
  }

  #keep(write: Promise<void>): void {
    this.#writes.add(write);
    void write.finally(() => this.#writes.delete(write));
  }
}

function tell(listener: () => void): void {
  try {
    listener();
  } catch {
    // A bug in what listens is not the runs'.
  }
}
