import { setTimeout as sleep } from "node:timers/promises";
import { connectTracing } from "../../src/connection.ts";
import { DeployTrace } from "../../src/deployment/deploy-trace.ts";
import type { Emit } from "../../src/deployment/events.ts";
import { nameOf } from "../../src/deployment/target.ts";
import type { Redactor } from "../../src/http/redactor.ts";
import { countOf } from "../../src/text/number.ts";
import { RunIngest } from "../../src/tracing/ingest.ts";
import type { IngestCounts } from "../../src/tracing/run-ledger.ts";
import { Tracer } from "../../src/tracing/tracer.ts";
import type { DeployInputs, FollowInputs } from "./inputs.ts";
import type { TraceInputs } from "./trace-inputs.ts";

// The deploy is over: nobody should wait long for its trace, and a runner that cancels waits for 7.5 s.
const PATIENCE_MILLISECONDS = 10_000;
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;

/** What the traced work shares with the step around it. */
export interface TracedSurroundings {
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** The address of the embedded service, where there is one. */
  readonly rehearsalUrl: string | undefined;
}

/** Carries work out, and sends what it tells as a trace. That the trace does not arrive is a warning, never more. */
export async function traced(
  inputs: DeployInputs | FollowInputs,
  trace: TraceInputs,
  { redactor, signal, emit, rehearsalUrl }: TracedSurroundings,
  work: (emit: Emit) => Promise<void>,
): Promise<void> {
  const { url, session, workflowRun, ...settings } = trace;
  // Its own signal: a deploy that was cancelled is traced too.
  const end = new AbortController();
  await using service = connectTracing({
    ...settings,
    url: url === "local" ? (rehearsalUrl ?? "") : url.href,
    redactor,
    signal: end.signal,
  });
  const reasons: string[] = [];
  const ingest = new RunIngest({
    ...service,
    signal: end.signal,
    patienceMilliseconds: PATIENCE_MILLISECONDS,
    onRejected: ({ reason }) => reasons.push(reason),
    onUnsent: ({ error }) => reasons.push(error instanceof Error ? error.message : String(error)),
  });
  const clean = (text: string): string => redactor.text(text);
  const redact = { outputs: (value: unknown): unknown => JSON.parse(clean(JSON.stringify(value))), errors: clean };
  const tracer = new Tracer({ ...service, ingest, session: { session_name: session }, redact });
  const deployTrace = new DeployTrace(tracer, titleOf(inputs), {
    inputs: subjectOf(inputs),
    metadata: { ...workflowRun },
  });
  try {
    await work((event) => {
      deployTrace.note(event);
      emit(event);
    });
  } finally {
    const patience = signal.aborted ? CANCELLED_PATIENCE_MILLISECONDS : PATIENCE_MILLISECONDS;
    const counts = await flushed(ingest, patience, end);
    if (counts.stored > 0) emit({ type: "trace-sent", session, traceId: deployTrace.id, runs: counts.stored });
    if (counts.accepted > counts.stored) emit({ type: "warning", message: whyNot(counts, reasons[0]) });
  }
}

async function flushed(ingest: RunIngest, milliseconds: number, end: AbortController): Promise<IngestCounts> {
  const arrived = ingest.flush();
  const timeout = sleep(milliseconds, undefined, { ref: false }).then(() => {
    end.abort(new Error(`the service did not take it within ${String(milliseconds / 1000)} s`));
    return arrived;
  });
  return await Promise.race([arrived, timeout]);
}

function whyNot({ accepted, stored }: IngestCounts, reason = "no reason is known"): string {
  const lost = countOf(accepted - stored, "run");
  return `The trace of this deploy is not complete: ${lost} of ${String(accepted)} could not be sent. ${reason}`;
}

function titleOf({ task, request: { target } }: DeployInputs | FollowInputs): string {
  return `${task === "follow" ? "follow" : "deploy"} ${nameOf(target, undefined)}`;
}

function subjectOf(inputs: DeployInputs | FollowInputs): Readonly<Record<string, unknown>> {
  const { target } = inputs.request;
  const { name, deploymentId } = target;
  const named = {
    ...(name === undefined ? {} : { name }),
    ...(deploymentId === undefined ? {} : { deployment_id: deploymentId }),
  };
  if (inputs.task === "follow") return { ...named, revision_id: inputs.request.revisionId };
  return { ...named, source: inputs.request.source.source };
}
