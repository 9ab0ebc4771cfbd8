import { setTimeout as sleep } from "node:timers/promises";
import { connectTracingTo } from "../../src/connection.ts";
import { adviceAt, type AdviceTable } from "../../src/contract/advice.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { countOf } from "../../src/text/number.ts";
import { messageOf, withFullStop } from "../../src/text/reasons.ts";
import { RunIngest } from "../../src/tracing/ingest/ingest.ts";
import type { IngestCounts } from "../../src/tracing/ingest/run-ledger.ts";
import { Tracer } from "../../src/tracing/tracer/tracer.ts";
import type { WarningEvent } from "../account/reporters.ts";
import type { TraceOptions } from "../options/trace.ts";
import type { Surroundings } from "./run-step.ts";

// The work is over: its trace should not hold up the job, and a runner that cancels waits for 7.5 s.
const PATIENCE_MILLISECONDS = 10_000;
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;
const TRACE_ADVICE: AdviceTable = { UNAUTHORIZED: "`trace-api-key` sets it." };

export interface TracingSurroundings<Event> extends Pick<Surroundings<Event>, "emit" | "redactor" | "signal"> {
  /** Where the trace of a rehearsal goes. */
  readonly local: Endpoint;
}

/**
 * Traces what a step does, without its secrets, to `local` where the trace is for the local service. What waits is sent when
 * it is disposed of, for as long as a job should wait for it; what does not arrive is a warning, never an error. `onSent`
 * hears how many runs are stored in the end, if any are.
 */
export function openTracing(
  { service: place, session, run: _, ...settings }: TraceOptions,
  { redactor, signal, emit, local }: TracingSurroundings<WarningEvent>,
  { what, onSent }: { readonly what: string; readonly onSent: (runs: number) => void },
): AsyncDisposable & { readonly tracer: Tracer } {
  // Its own signal: work that was cancelled is traced too.
  const end = new AbortController();
  const service = connectTracingTo(place === "local" ? local : place, { ...settings, redactor, signal: end.signal });
  const reasons: string[] = [];
  const ingest = new RunIngest({
    ...service,
    signal: end.signal,
    // The work waits for no trace.
    onFull: "drop",
    onRejected: ({ reason }) => reasons.push(reason),
    onUnsent: ({ error }) => reasons.push(reasonOf(error)),
  });
  const clean = (text: string): string => redactor.text(text);
  const cleaned = (value: unknown): unknown => withTexts(value, clean);
  const redact = { inputs: cleaned, outputs: cleaned, errors: clean };
  return {
    tracer: new Tracer({ ...service, ingest, session: { session_name: session }, redact }),
    [Symbol.asyncDispose]: async () => {
      await using _ = service;
      const counts = await flushed(ingest, signal, end);
      if (counts.stored > 0) onSent(counts.stored);
      const isLost = counts.rejected + counts.unsent + counts.dropped > 0;
      if (isLost) emit({ type: "warning", message: whyNot(what, counts, reasons[0]) });
    },
  };
}

// Text by text: a secret in the JSON as a whole may begin within an escape, of which half would be left.
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), withTexts(item, change)]));
}

async function flushed(ingest: RunIngest, signal: AbortSignal, end: AbortController): Promise<IngestCounts> {
  const endAfter = async (milliseconds: number): Promise<void> => {
    await sleep(milliseconds, undefined, { ref: false });
    end.abort(new Error(`The service did not accept it within ${String(milliseconds / 1000)} s.`));
  };
  const hurry = (): void => void endAfter(CANCELLED_PATIENCE_MILLISECONDS);
  if (signal.aborted) hurry();
  else signal.addEventListener("abort", hurry, { once: true });
  void endAfter(PATIENCE_MILLISECONDS);
  return await ingest.flush();
}

function reasonOf(error: unknown): string {
  if (!(error instanceof GraphDeployError)) return messageOf(error);
  return `${withFullStop(error.message)} ${adviceAt(TRACE_ADVICE, error)}`.trim();
}

// A run is sent when it begins and again when it ends; both may be lost.
function whyNot(what: string, counts: IngestCounts, reason = "The reason is unknown."): string {
  const { stored, dropped, rejected, unsent } = counts;
  const accepted = counts.accepted + dropped;
  const lost =
    accepted > stored
      ? `${countOf(accepted - stored, "run")} of ${String(accepted)}`
      : `the end of ${countOf(rejected + unsent, "run")}`;
  return `The trace of this ${what} is incomplete: ${lost} could not be sent. ${reason}`;
}
