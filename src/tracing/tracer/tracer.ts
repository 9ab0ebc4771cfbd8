import { AsyncLocalStorage } from "node:async_hooks";
import * as z from "zod";
import { ArgumentsError, checkedArgument, objectOf } from "../../contract/call-arguments.ts";
import type { Clock } from "../../http/clock.ts";
import { ActiveRun, checkNewRun, type RunOptions, type RunOrigin, type RunSurroundings } from "./active-run.ts";
import type { RunIngest } from "../ingest/ingest.ts";
import { incomingContext, type IncomingHeaders } from "./propagation.ts";
import { Redaction, type RedactionOptions } from "./redaction.ts";
import type { IngestCounts } from "../ingest/run-ledger.ts";
import { RunIds } from "./run-id.ts";
import { readSession, refuseSession, type TracerSession } from "./session.ts";
import { TraceClock } from "./trace-clock.ts";

export interface TracerOptions {
  /** Sends the runs. */
  readonly ingest: RunIngest;
  /** The time, as `connectTracing` returns it. */
  readonly clock: Pick<Clock, "date" | "now">;
  /** The project of all runs. */
  readonly session: TracerSession;
  /** The share of traces to send, 0 to 1; all when not given. A trace is sent as a whole or not at all. */
  readonly samplingRate?: number | undefined;
  /** Functions that take out of runs what must not be sent. */
  readonly redact?: RedactionOptions | undefined;
  /** Called with what some services reject, at once: later, only `onRejected` says so. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const OptionsShape = z.looseObject({
  ingest: objectOf<TracerOptions["ingest"]>(),
  clock: objectOf<TracerOptions["clock"]>(),
  samplingRate: z.number("must be a number").min(0, "must be 0 or more").max(1, "must be 1 or less").optional(),
});

/** Options of a run that may belong to a trace which another process began. */
export interface TracedOptions extends RunOptions {
  /** The headers of the request that the run handles: the run of its caller becomes the parent. */
  readonly headers?: IncomingHeaders | undefined;
}

/** Records the work of a program as runs: a run that begins within another one becomes its child. */
export class Tracer {
  readonly #surroundings: RunSurroundings;
  readonly #samplingRate: number;
  readonly #current = new AsyncLocalStorage<ActiveRun>();

  /** Throws ArgumentsError, and TracerSessionError for an invalid project. */
  constructor(options: TracerOptions) {
    const { ingest, clock } = checkedArgument("Tracer", OptionsShape, options, "the first argument");
    const { samplingRate = 1, redact } = options;
    const session = readSession(options.session, options.onWarning);
    const redaction = new Redaction(redact);
    this.#surroundings = { ingest, session, redaction, ids: new RunIds(), clock: new TraceClock(clock) };
    this.#samplingRate = samplingRate;
  }

  /** The innermost run of `trace` around this call; undefined outside `trace`. */
  get current(): ActiveRun | undefined {
    return this.#current.getStore();
  }

  /**
   * Does work as a run, below the current one. What the work returns becomes the outputs, unless the work ended the run
   * itself; what it throws is recorded.
   * @throws ArgumentsError, what the work throws, and what `RunIngest.post` throws.
   * @idempotence Each call is a run.
   * @contract Section 4.3.
   */
  async trace<Result>(name: string, work: (run: ActiveRun) => Promise<Result> | Result): Promise<Result>;
  /**
   * The same with inputs, a type and other facts of the run.
   * @throws As above.
   * @idempotence As above.
   * @contract Section 4.3.
   */
  async trace<Result>(
    name: string,
    options: TracedOptions,
    work: (run: ActiveRun) => Promise<Result> | Result,
  ): Promise<Result>;
  async trace<Result>(
    name: string,
    ...rest:
      | readonly [(run: ActiveRun) => Promise<Result> | Result]
      | readonly [TracedOptions, (run: ActiveRun) => Promise<Result> | Result]
  ): Promise<Result> {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
    if (typeof work !== "function") throw new ArgumentsError("trace", ["the last argument must be a function"]);
    const run = this.start(name, options);
    try {
      const result = await this.#current.run(run, () => work(run));
      await settled(run.hasEnded ? undefined : run.end(result));
      return result;
    } catch (error) {
      await settled(run.fail(error));
      throw error;
    }
  }

  /** Begins a run that the caller ends, below the run of the headers or the current one. */
  start(name: string, given: TracedOptions = {}): ActiveRun {
    checkNewRun("start", name, given);
    const { headers, ...options } = given;
    refuseSession(options);
    return new ActiveRun(this.#surroundings, name, options, this.#origin(headers));
  }

  /**
   * Sends all runs; resolves when each is stored, rejected or unsent.
   * @throws Nothing: runs that are not stored are counted.
   * @idempotence May be called again.
   * @contract Section 4.3.
   */
  async flush(): Promise<IngestCounts> {
    return await this.#surroundings.ingest.flush();
  }

  #origin(headers: IncomingHeaders | undefined): RunOrigin {
    const remote = headers && incomingContext(headers);
    if (remote) {
      const { parent, w3cTraceId } = remote;
      return { parent, w3cTraceId, isSampled: (id) => remote.isSampled && this.#isChosen(id) };
    }
    const { current } = this;
    if (!current) return { isSampled: (id) => this.#isChosen(id) };
    return current.asOrigin();
  }

  // By the id of the trace, whose last 32 bits are random: all processes choose the same traces.
  #isChosen(traceId: string): boolean {
    return this.#samplingRate >= 1 || Number.parseInt(traceId.slice(-8), 16) / 2 ** 32 < this.#samplingRate;
  }
}

/** An error of tracing must not fail the work. */
async function settled(ended: Promise<void> | undefined): Promise<void> {
  await ended?.catch(() => undefined);
}
