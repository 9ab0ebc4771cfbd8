import { connectTracingTo } from "./connection.ts";
import { readCall, type UploadOptions } from "./connection-options.ts";
import { readGivenTraces, TracesShape, type Traces } from "./given-traces.ts";
import type { UploadTracesDeps } from "./trace-files/arguments.ts";
import type { TraceEvent } from "./trace-files/events.ts";
import type { TraceRequest } from "./trace-files/request.ts";
import type { Sent } from "./trace-files/sending/trace-sending.ts";
import { uploadTraces as uploadRequest } from "./trace-files/upload.ts";

const TRACES = { shape: TracesShape, read: readGivenTraces };

/** An upload of files by their paths, or of a request with the client of the caller. */
export async function uploadTraces(
  given: TraceRequest | Traces,
  more: UploadOptions<TraceEvent> | UploadTracesDeps = {},
): Promise<Sent> {
  const both = [given, more] as const;
  if (hasClient(both)) return await uploadRequest(...both);
  const { request, endpoint, connection, deps } = await readCall("uploadTraces", both, TRACES, "GRAPH_DEPLOY_BASE_URL");
  const { unsentDirectory = deps.spoolDirectory, ...traces } = request;
  await using service = connectTracingTo(endpoint, connection);
  const { clock, signal, emit } = deps;
  return await uploadRequest(traces, { tracing: service.tracing, clock, signal, emit, unsentDirectory });
}

// Options have no client. Callers without types may give anything.
function hasClient(call: readonly [unknown, unknown]): call is readonly [TraceRequest, UploadTracesDeps] {
  const [, more] = call;
  return typeof more === "object" && more !== null && "tracing" in more;
}
