import type { Endpoint } from "../../../src/http/endpoint.ts";
import type { Tracer } from "../../../src/tracing/tracer/tracer.ts";
import type { TraceOptions } from "../../options/trace.ts";
import type { Surroundings } from "../run-step.ts";
import { openTracing } from "../tracing.ts";
import type { EvaluateEvent } from "./events.ts";

/** The traces of the trials. Their ends are sent when it is disposed of. */
export interface TrialTraces extends AsyncDisposable {
  readonly tracer: Tracer;
}

/** Sends each trial as a trace. What does not arrive is a warning, never an error. */
export function openTraces(
  trace: TraceOptions,
  {
    redactor,
    signal,
    emit,
    local,
  }: Pick<Surroundings<EvaluateEvent>, "emit" | "redactor" | "signal"> & { readonly local: Endpoint },
): TrialTraces {
  const tracing = openTracing(trace, { redactor, signal, local, what: "evaluation" });
  return {
    tracer: tracing.tracer,
    [Symbol.asyncDispose]: async () => {
      await using sending = tracing;
      const { runs, lost } = await sending.flush();
      if (runs > 0) emit({ type: "traced", session: trace.session, runs });
      if (lost !== "") emit({ type: "warning", message: lost });
    },
  };
}
