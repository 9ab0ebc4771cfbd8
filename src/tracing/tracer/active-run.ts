import { anyText, checkCall, objectOf } from "../../contract/call-arguments.ts";
import { dottedOrder } from "../../contract/dotted-order.ts";
import { MOST_NAME_CHARACTERS, type RunType } from "../../contract/run.ts";
import { utcText } from "../../contract/instant.ts";
import { cut } from "../../text/foreign-text.ts";
import { outgoingHeaders, type ParentRun } from "./propagation.ts";
import type { RunIngest } from "../ingest/ingest.ts";
import type { Redaction } from "./redaction.ts";
import type { RunIds } from "./run-id.ts";
import { refuseSession, type TracerSession } from "./session.ts";
import type { TraceClock } from "./trace-clock.ts";

// Some services reject an empty name.
const UNNAMED = "unnamed";
const LAST_MILLISECOND = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** What is known of a run when it begins. */
export interface RunOptions {
  /** `chain` when not given. The contract does not list all types: any text is sent as it is. */
  readonly runType?: RunType | undefined;
  /** What it works on; a value that is not an object is sent as `{ input }`. */
  readonly inputs?: unknown;
  /** Other facts, by name. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Words to find the run by. */
  readonly tags?: readonly string[] | undefined;
  /** When it began; now when not given. Never before its parent. */
  readonly startTime?: Date | undefined;
}

/** What the runs of a tracer share. */
export interface RunSurroundings {
  readonly ingest: RunIngest;
  readonly ids: RunIds;
  readonly clock: TraceClock;
  readonly redaction: Redaction;
  readonly session: TracerSession;
}

/** Where a run begins. */
export interface RunOrigin {
  /** Undefined for a root. */
  readonly parent?: ParentRun | undefined;
  /** The W3C id of the trace, 32 hex digits; the id of the root when not given. */
  readonly w3cTraceId?: string | undefined;
  /** Decides by the id of the trace whether it is sent. */
  readonly isSampled: (traceId: string) => boolean;
}

/** A run in progress: it is sent when it begins, and again when it ends. */
export class ActiveRun {
  readonly id: string;
  /** The id of the root. */
  readonly traceId: string;
  readonly dottedOrder: string;
  /** Microseconds since 1970. */
  readonly startMicroseconds: number;
  /** False when neither the run nor the runs below it are sent. */
  readonly isSampled: boolean;
  readonly #w3cTraceId: string | undefined;
  readonly #surroundings: RunSurroundings;
  readonly #parentId: string | undefined;
  readonly #events: unknown[] = [];
  #ended?: Promise<void>;

  constructor(surroundings: RunSurroundings, name: string, options: RunOptions, origin: RunOrigin) {
    const { parent } = origin;
    const { clock, ids } = surroundings;
    // Not for an invalid date, for what is none, and for one that a dotted order has no digits for.
    const milliseconds = options.startTime instanceof Date ? options.startTime.getTime() : undefined;
    const isUsable = milliseconds !== undefined && milliseconds >= 0 && milliseconds <= LAST_MILLISECOND;
    const startMicroseconds = Math.max(
      isUsable ? Math.round(milliseconds * 1_000) : clock.next(),
      parent?.startMicroseconds ?? 0,
    );
    this.#surroundings = surroundings;
    this.startMicroseconds = startMicroseconds;
    this.id = ids.next(startMicroseconds);
    this.traceId = parent?.traceId ?? this.id;
    this.dottedOrder = dottedOrder({ startMicroseconds, id: this.id, parent: parent?.dottedOrder });
    this.isSampled = origin.isSampled(this.traceId);
    this.#w3cTraceId = origin.w3cTraceId;
    this.#parentId = parent?.id;
    if (!this.isSampled) return;
    const { ingest, redaction, session } = surroundings;
    const { runType = "chain", inputs, metadata, tags } = options;
    // A constructor cannot wait; awaiting the end keeps the memory bounded.
    void ingest.post({
      ...this.#place(),
      name: cut(name, MOST_NAME_CHARACTERS) || UNNAMED,
      run_type: runType,
      start_time: timeText(startMicroseconds),
      parent_run_id: this.#parentId,
      ...session,
      inputs: redaction.inputs(inputs),
      tags,
      extra: metadata && { metadata },
    });
  }

  /** True once `end` or `fail` was called. */
  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Begins a run below this one; it may outlive it. */
  child(name: string, options: RunOptions = {}): ActiveRun {
    checkNewRun("child", name, options);
    refuseSession(options);
    return new ActiveRun(this.#surroundings, name, options, this.asOrigin());
  }

  /**
   * Where a run below this one begins.
   * @internal
   */
  asOrigin(): RunOrigin {
    return { parent: this, w3cTraceId: this.#w3cTraceId, isSampled: () => this.isSampled };
  }

  /** Records an event at the current time; it is sent with the end. */
  event(name: string, more: Readonly<Record<string, unknown>> = {}): void {
    this.#events.push({ name, time: timeText(this.#surroundings.clock.now()), ...more });
  }

  /**
   * Ends the run with its outputs, its error, or both; outputs that are not an object are sent as `{ output }`. Only the
   * first end counts. Resolves when there is room for more runs, see `RunIngest.post`.
   * @throws What `RunIngest.post` throws.
   * @idempotence A second call does nothing.
   * @contract Section 4.3.
   */
  end(outputs?: unknown, error?: unknown): Promise<void> {
    const { redaction, clock, ingest, session } = this.#surroundings;
    const fields = {
      outputs: redaction.outputs(outputs),
      error: error === undefined ? undefined : redaction.error(error),
    };
    if (!this.isSampled) return (this.#ended ??= Promise.resolve());
    this.#ended ??= ingest.patch(this.id, {
      ...this.#place(),
      parent_run_id: this.#parentId,
      ...session,
      end_time: timeText(clock.now()),
      events: this.#events,
      ...fields,
    });
    return this.#ended;
  }

  /**
   * Ends the run with an error.
   * @throws What `RunIngest.post` throws.
   * @idempotence A second call does nothing.
   * @contract Section 4.3.
   */
  fail(error: unknown): Promise<void> {
    return this.end(undefined, error ?? "no error was given");
  }

  /** The headers that make a run of another process a child of this one: `traceparent` and `baggage`. */
  headers(): Readonly<Record<string, string>> {
    const { id, traceId, dottedOrder: order, isSampled } = this;
    const w3cTraceId = this.#w3cTraceId ?? traceId.replaceAll("-", "");
    return outgoingHeaders({ id, traceId, dottedOrder: order, isSampled, w3cTraceId });
  }

  #place() {
    return { id: this.id, trace_id: this.traceId, dotted_order: this.dottedOrder };
  }
}

/**
 * Checks the beginning of a run, for callers without types. What its options hold is no error: tracing disturbs no
 * program. Throws ArgumentsError.
 */
export function checkNewRun(called: string, name: unknown, options: unknown): void {
  // A program starts many runs, and nearly all are right.
  if (typeof name === "string" && typeof options === "object" && options !== null) return;
  checkCall(called, { name: [anyText, name], options: [objectOf(), options] });
}

function timeText(microseconds: number): string {
  const [second, fraction] = utcText(microseconds);
  return `${second}.${fraction}Z`;
}
