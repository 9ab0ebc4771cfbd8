import { setFields } from "../../../src/contract/set-fields.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { connectTracingTo } from "../../../src/connection.ts";
import { adviceAt, type AdviceTable } from "../../../src/contract/advice.ts";
import { GraphDeployError } from "../../../src/contract/graph-deploy-error.ts";
import { DeployTrace } from "../../../src/deployment/deploy-trace.ts";
import type { DeployEvent, Emit } from "../../../src/deployment/events.ts";
import { nameOf } from "../../../src/deployment/target.ts";
import type { Endpoint } from "../../../src/http/endpoint.ts";
import { countOf } from "../../../src/text/number.ts";
import { withFullStop } from "../../../src/text/reasons.ts";
import { RunIngest } from "../../../src/tracing/ingest/ingest.ts";
import type { IngestCounts } from "../../../src/tracing/ingest/run-ledger.ts";
import { tracePage } from "../../../src/http/service-pages.ts";
import { Tracer } from "../../../src/tracing/tracer/tracer.ts";
import type { Surroundings } from "../run-step.ts";
import type { DeployOptions, FollowOptions } from "./inputs.ts";
import type { TraceOptions } from "./trace-inputs.ts";

// The deploy is over: its trace should not hold up the job, and a runner that cancels waits for 7.5 s.
const PATIENCE_MILLISECONDS = 10_000;
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;
const TRACE_ADVICE: AdviceTable = { UNAUTHORIZED: "`trace-api-key` sets it." };

/** The part of the options that a trace shows. */
type TracedOptions = Pick<DeployOptions, "request" | "task"> | Pick<FollowOptions, "request" | "task">;

/** The trace of a deploy while it runs. Its end is sent when it is disposed of. */
export interface OpenTrace extends AsyncDisposable {
  readonly note: Emit;
  /** The deploy threw. It has reported its end already, unless it could not even begin. */
  readonly fail: (error: unknown) => void;
}

/**
 * Sends the events of a deploy as a trace, to `local` where the trace is for the local service. A trace that does not
 * arrive is a warning, never an error.
 */
export function openTrace(
  options: TracedOptions,
  trace: TraceOptions,
  {
    redactor,
    signal,
    emit,
    local,
  }: Pick<Surroundings<DeployEvent>, "emit" | "redactor" | "signal"> & { readonly local: Endpoint },
): OpenTrace {
  const { service: place, session, run, ...settings } = trace;
  // Its own signal: a deploy that was cancelled is traced too.
  const end = new AbortController();
  const service = connectTracingTo(place === "local" ? local : place, { ...settings, redactor, signal: end.signal });
  const reasons: string[] = [];
  const ingest = new RunIngest({
    ...service,
    signal: end.signal,
    onRejected: ({ reason }) => reasons.push(reason),
    onUnsent: ({ error }) => reasons.push(reasonOf(error)),
  });
  const clean = (text: string): string => redactor.text(text);
  const cleaned = (value: unknown): unknown => withTexts(value, clean);
  const redact = { inputs: cleaned, outputs: cleaned, errors: clean };
  const tracer = new Tracer({ ...service, ingest, session: { session_name: session }, redact });
  const deployTrace = new DeployTrace(tracer, clean(titleOf(options)), {
    inputs: subjectOf(options),
    metadata: Object.fromEntries(
      Object.entries(run).map(([name, value]) => [name, typeof value === "string" ? clean(value) : value]),
    ),
  });
  return {
    note: (event) => {
      deployTrace.note(event);
    },
    fail: (error) => {
      deployTrace.fail(error);
    },
    [Symbol.asyncDispose]: async () => {
      try {
        const counts = await flushed(ingest, signal, end);
        reportSent(counts, reasons, { trace, traceId: deployTrace.id, emit });
      } finally {
        await service[Symbol.asyncDispose]();
      }
    },
  };
}

function reportSent(
  counts: IngestCounts,
  reasons: readonly string[],
  { trace, traceId, emit }: { readonly trace: TraceOptions; readonly traceId: string; readonly emit: Emit },
): void {
  const { service, session } = trace;
  if (counts.stored > 0) {
    // The local service ends with the step, and its pages with it.
    const page = service === "local" ? undefined : tracePage(service.url.href, traceId);
    emit({ type: "trace-sent", session, traceId, runs: counts.stored, page });
  }
  if (counts.rejected + counts.unsent > 0) emit({ type: "warning", message: whyNot(counts, reasons[0]) });
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
  if (!(error instanceof GraphDeployError)) return error instanceof Error ? error.message : String(error);
  return `${withFullStop(error.message)} ${adviceAt(TRACE_ADVICE, error)}`.trim();
}

// A run is sent when it begins and again when it ends; both may be lost.
function whyNot({ accepted, stored, rejected, unsent }: IngestCounts, reason = "The reason is unknown."): string {
  const lost =
    accepted > stored
      ? `${countOf(accepted - stored, "run")} of ${String(accepted)}`
      : `the end of ${countOf(rejected + unsent, "run")}`;
  return `The trace of this deploy is incomplete: ${lost} could not be sent. ${reason}`;
}

function titleOf({ task, request: { target } }: TracedOptions): string {
  return `${task === "follow" ? "follow" : "deploy"} ${nameOf(target, undefined)}`;
}

function subjectOf(options: TracedOptions): Readonly<Record<string, unknown>> {
  const { target } = options.request;
  const { name, deploymentId } = target;
  const named = {
    ...setFields({ name, deployment_id: deploymentId }),
  };
  if (options.task === "follow") return { ...named, revision_id: options.request.revisionId };
  return { ...named, source: options.request.source.source };
}
