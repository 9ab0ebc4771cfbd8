import { connectTracingTo } from "../../../src/connection.ts";
import type { TraceEvent } from "../../../src/trace-files/events.ts";
import { dryRunTraces, uploadTraces } from "../../../src/trace-files/upload.ts";
import { reachService } from "../rehearsal.ts";
import { retriesTo, type Surroundings } from "../run-step.ts";
import { makeSpool } from "../spool.ts";
import type { TraceOptions } from "./inputs.ts";

export async function carryOut(
  { task, request, connection }: TraceOptions,
  { host, redactor, signal, clock, emit }: Surroundings<TraceEvent>,
): Promise<void> {
  if (request.files.length === 0) {
    emit({ type: "ended", status: "no-files", milliseconds: 0, error: undefined });
    return;
  }
  const deps = { clock, signal, emit };
  if (task === "dry-run" || !connection) {
    await dryRunTraces(request, { ...deps, requestDirectory: host.place.temp });
    return;
  }
  await using spool = await makeSpool(host);
  const { service: at, ...settings } = connection;
  await using reached = await reachService(at, host.place);
  await using service = connectTracingTo(reached.endpoint, {
    ...settings,
    redactor,
    signal,
    onRetry: retriesTo(emit),
  });
  const { tracing } = service;
  await uploadTraces(request, { ...deps, tracing, spoolDirectory: spool.directory, unsentDirectory: host.place.temp });
}
