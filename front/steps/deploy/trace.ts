import { setFields } from "../../../src/contract/set-fields.ts";
import { DeployTrace } from "../../../src/deployment/deploy-trace.ts";
import type { DeployEvent, Emit } from "../../../src/deployment/events.ts";
import { nameOf } from "../../../src/deployment/target.ts";
import { tracePage } from "../../../src/http/service-pages.ts";
import type { TraceOptions } from "../../options/trace.ts";
import { openTracing, type TracingSurroundings } from "../tracing.ts";
import type { DeployOptions, FollowOptions } from "./inputs.ts";

type TracedOptions = Pick<DeployOptions, "request" | "task"> | Pick<FollowOptions, "request" | "task">;

interface OpenTrace extends AsyncDisposable {
  readonly note: Emit;
  /** The deploy threw. It has reported its end already, unless it could not even begin. */
  readonly fail: (error: unknown) => void;
}

/** Sends the events of a deploy as a trace. */
export function openTrace(
  options: TracedOptions,
  trace: TraceOptions,
  surroundings: TracingSurroundings<DeployEvent>,
): OpenTrace {
  const { service, session, run } = trace;
  const { target } = options.request;
  const about =
    options.task === "follow" ? { revision_id: options.request.revisionId } : { source: options.request.source.source };
  const onSent = (runs: number): void => {
    const traceId = deployTrace.id;
    // The local service ends with the step, and its pages with it.
    const page = service === "local" ? undefined : tracePage(service.url.href, traceId);
    surroundings.emit({ type: "trace-sent", session, traceId, runs, page });
  };
  const tracing = openTracing(trace, surroundings, { what: "deploy", onSent });
  const title = `${options.task === "follow" ? "follow" : "deploy"} ${nameOf(target, undefined)}`;
  const clean = (text: string): string => surroundings.redactor.text(text);
  const deployTrace = new DeployTrace(tracing.tracer, clean(title), {
    inputs: { ...setFields({ name: target.name, deployment_id: target.deploymentId }), ...about },
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
    [Symbol.asyncDispose]: () => tracing[Symbol.asyncDispose](),
  };
}
