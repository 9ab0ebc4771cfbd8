import { setFields } from "../../../src/contract/set-fields.ts";
import { DeployTrace } from "../../../src/deployment/deploy-trace.ts";
import type { DeployEvent, Emit } from "../../../src/deployment/events.ts";
import { nameOf } from "../../../src/deployment/target.ts";
import type { Endpoint } from "../../../src/http/endpoint.ts";
import { tracePage } from "../../../src/http/service-pages.ts";
import type { TraceOptions } from "../../options/trace.ts";
import type { Surroundings } from "../run-step.ts";
import { openTracing } from "../tracing.ts";
import type { DeployOptions, FollowOptions } from "./inputs.ts";

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
  const { service, session, run } = trace;
  const tracing = openTracing(trace, { redactor, signal, local, what: "deploy" });
  const clean = (text: string): string => redactor.text(text);
  const deployTrace = new DeployTrace(tracing.tracer, clean(titleOf(options)), {
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
      await using sending = tracing;
      const { runs, lost } = await sending.flush();
      const traceId = deployTrace.id;
      if (runs > 0) {
        // The local service ends with the step, and its pages with it.
        const page = service === "local" ? undefined : tracePage(service.url.href, traceId);
        emit({ type: "trace-sent", session, traceId, runs, page });
      }
      if (lost !== "") emit({ type: "warning", message: lost });
    },
  };
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
