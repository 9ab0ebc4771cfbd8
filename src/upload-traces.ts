import { connectTracing } from "./connection.ts";
import { CallOptionsShape, readCall, type UploadOptions } from "./connection-options.ts";
import { ArgumentsError, readArgument } from "./contract/call-arguments.ts";
import { surroundings, warnIfUnchecked } from "./environment.ts";
import { readGivenTraces, TracesShape, type Traces } from "./given-traces.ts";
import type { UploadTracesDeps } from "./trace-files/arguments.ts";
import type { TraceEvent } from "./trace-files/events.ts";
import type { TraceRequest } from "./trace-files/request.ts";
import type { Sent } from "./trace-files/sending/trace-sending.ts";
import { uploadTraces as uploadRequest } from "./trace-files/upload.ts";

/** An upload of files by their paths, or of a request with the client of the caller. */
export async function uploadTraces(
  given: TraceRequest | Traces,
  more: UploadOptions<TraceEvent> | UploadTracesDeps = {},
): Promise<Sent> {
  const both = [given, more] as const;
  if (hasClient(both)) return await uploadRequest(...both);
  const around = surroundings();
  const shaped = readArgument(TracesShape, given, "the first argument");
  const options = readArgument(CallOptionsShape, more, "the second argument");
  const faults = [...shaped.faults, ...options.faults];
  const request = await readGivenTraces(shaped, around.workingDirectory, faults);
  const call = readCall(options, "GRAPH_DEPLOY_BASE_URL", around, faults);
  if (faults.length > 0) throw new ArgumentsError("uploadTraces", faults);
  const { emit, clock, signal, spoolDirectory } = call.deps;
  warnIfUnchecked(around, emit);
  const { fieldNames, ...connection } = call.connection;
  const service = connectTracing(connection);
  const unsentDirectory = shaped.value?.unsentDirectory ?? spoolDirectory;
  try {
    return await uploadRequest(request, { tracing: service.tracing, clock, signal, emit, unsentDirectory });
  } finally {
    await service.close();
  }
}

// Options have no client. Callers without types may give anything.
function hasClient(call: readonly [unknown, unknown]): call is readonly [TraceRequest, UploadTracesDeps] {
  const [, more] = call;
  return typeof more === "object" && more !== null && "tracing" in more;
}
