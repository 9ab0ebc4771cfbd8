import { setImmediate as nextTurn } from "node:timers/promises";
import { Run } from "../../contract/run.ts";
import { withHeartbeat } from "../../http/heartbeat.ts";
import type { Tracing } from "../../tracing/client/client.ts";
import { RunIngest } from "../../tracing/ingest/ingest.ts";
import type { HandedOver, IngestCounts, RejectedRun } from "../../tracing/ingest/run-ledger.ts";
import { isOfFiles } from "../errors.ts";
import type { RefusedRun, TraceSums } from "../events.ts";
import type { ReadingDeps } from "../reading/read-traces.ts";
import { RunsFile } from "./runs-file.ts";
import type { SentRun, TraceSet } from "../reading/trace-set.ts";
import { sumsOf } from "../reading/trace-sums.ts";

const RUNS_PER_TURN = 256;
const PROGRESS_MILLISECONDS = 1_000;
const MOST_REFUSED = 20;

export interface SendingDeps extends ReadingDeps {
  readonly tracing: Tracing;
  /** The file for the runs that are not stored. */
  readonly unsentPath: string;
}

/** The result of an upload. */
export interface Sent {
  /** Of the stored runs; undefined when only their number is known. */
  readonly sums: TraceSums | undefined;
  readonly counts: IngestCounts;
  /** The first rejected runs and additions. */
  readonly refused: readonly RefusedRun[];
  /** How many of all rejected are additions. */
  readonly refusedAdditions: number;
  /** Why some are neither stored nor rejected; undefined when all were sent. */
  readonly error: unknown;
  /** True when the file has all runs that are not stored. */
  readonly isKept: boolean;
}

/** Sends the runs of one upload. */
export class TraceSending {
  readonly #traces: TraceSet;
  readonly #deps: SendingDeps;
  readonly #ingest: RunIngest;
  readonly #missing = new Set<number>();
  readonly #refused: RefusedRun[] = [];
  #refusedAdditions = 0;
  readonly #stop = new AbortController();
  readonly #begin: number;
  #trouble?: { readonly error: unknown };
  #isLost = false;

  constructor(traces: TraceSet, deps: SendingDeps) {
    const { tracing, clock, signal, unsentPath } = deps;
    this.#traces = traces;
    this.#deps = deps;
    this.#begin = clock.now();
    this.#ingest = new RunIngest({
      tracing,
      clock,
      signal: AbortSignal.any([signal, this.#stop.signal]),
      unsentFile: unsentPath,
      onRejected: (run) => {
        this.#refuse(run);
      },
      onUnsent: ({ runs, error, file }) => {
        this.#trouble ??= { error };
        for (const run of runs) this.#mark(run);
        this.#isLost ||= file === undefined;
        this.#stop.abort();
      },
    });
  }

  /**
   * Sends all runs. Once the ingest gives up on some, the others go to the file of unsent runs without another request.
   * Throws when that file cannot be written.
   */
  async send(): Promise<Sent> {
    const { clock, emit } = this.#deps;
    const totalRuns = this.#traces.table.count;
    const report = () => {
      const { stored, rejected } = this.#ingest.counts;
      const milliseconds = clock.now() - this.#begin;
      emit({ type: "upload-progress", sentRuns: stored + rejected, totalRuns, milliseconds });
    };
    try {
      return await withHeartbeat(this.#sendAll(), PROGRESS_MILLISECONDS, report, clock);
    } finally {
      // After an error such as a full disk, nothing may continue in the background.
      await this.#ingest.close();
    }
  }

  async #sendAll(): Promise<Sent> {
    const runs = this.#traces.runs();
    // True when the file has all runs that are not stored in the end.
    let isKept = false;
    try {
      const left = await this.#handOver(runs);
      await this.#ingest.close();
      isKept = await this.#keepRest(left, runs);
    } catch (error) {
      // A file that changed ends the upload; what was handed over before may be stored.
      if (!isOfFiles(error)) throw error;
      this.#trouble = { error };
    }
    return this.#outcome(await this.#ingest.close(), isKept);
  }

  /** Hands over runs until one cannot be sent; returns the first that was not handed over. */
  async #handOver(runs: Generator<SentRun, void, undefined>): Promise<SentRun | undefined> {
    let count = 0;
    for (let step = runs.next(); step.done !== true; step = runs.next()) {
      if (this.#trouble || this.#deps.signal.aborted) return step.value;
      const run = Run.parse(step.value.run);
      await (step.value.event === "patch" ? this.#ingest.patch(run.id, run) : this.#ingest.post(run));
      count += 1;
      if (count % RUNS_PER_TURN === 0) await nextTurn();
    }
    return undefined;
  }

  /** Writes the runs that were not handed over to the file where the ingest keeps those that it could not send. */
  async #keepRest(first: SentRun | undefined, runs: Iterable<SentRun>): Promise<boolean> {
    // A cancelled upload ends at once.
    if (this.#isLost || this.#deps.signal.aborted) return false;
    if (!first) return true;
    const file = new RunsFile(this.#deps.unsentPath);
    const keep = async (run: SentRun) => {
      this.#mark({ event: run.event, id: run.run.id });
      await file.add(run);
    };
    await keep(first);
    for (const run of runs) await keep(run);
    await file.flush();
    return true;
  }

  /** Marks a run as not stored. A run that only lacks an addition is stored. */
  #mark({ event, id }: HandedOver): void {
    const row = event === "post" ? this.#traces.table.rowOfId(id) : undefined;
    if (row !== undefined) this.#missing.add(row);
  }

  #refuse({ event, id, reason }: RejectedRun): void {
    this.#mark({ event, id });
    const row = this.#traces.table.rowOfId(id);
    const place = row === undefined ? undefined : this.#traces.table.placeOf(row);
    const run = { isAddition: event === "patch", id, reason, place };
    if (run.isAddition) this.#refusedAdditions += 1;
    if (this.#refused.length < MOST_REFUSED) this.#refused.push(run);
    this.#deps.emit({ type: "refused", run });
  }

  #outcome(counts: IngestCounts, isKept: boolean): Sent {
    const { table, tree } = this.#traces;
    const sums = isKept ? sumsOf(table, tree, (row) => this.#missing.has(row)) : undefined;
    const milliseconds = this.#deps.clock.now() - this.#begin;
    this.#deps.emit({ type: "sent", runs: counts.stored, sums, milliseconds });
    const [refused, refusedAdditions] = [this.#refused, this.#refusedAdditions];
    return { sums, counts, refused, refusedAdditions, error: this.#trouble?.error, isKept };
  }
}
