import { connectUploadsTo } from "../../../src/connection.ts";
import type { Emit, ExperimentEvent } from "../../../src/experiments/events.ts";
import { dryRunUpload, uploadResults } from "../../../src/experiments/upload.ts";
import { reachService } from "../rehearsal.ts";
import { retriesTo, type Surroundings } from "../run-step.ts";
import { makeSpool } from "../spool.ts";
import type { ExperimentOptions } from "./inputs.ts";

export async function carryOut(
  { task, request, connection }: ExperimentOptions,
  { host, redactor, signal, clock, emit }: Surroundings<ExperimentEvent>,
): Promise<void> {
  const { results, expectedShards, expectedRows } = request;
  // What is expected and not there is an error all the same.
  if (results.files.length === 0 && expectedShards === undefined && expectedRows === undefined) {
    emit({ type: "ended", status: "no-files", milliseconds: 0, error: undefined });
    return;
  }
  await using spool = await makeSpool(host);
  const deps = { spoolDirectory: spool.directory, clock, signal, emit };
  if (task === "dry-run" || !connection) {
    await dryRunUpload(request, { ...deps, requestDirectory: host.place.temp });
    return;
  }
  const { service: at, ...settings } = connection;
  await using reached = await reachService(at, host.place);
  await using service = connectUploadsTo(reached.endpoint, {
    ...settings,
    redactor,
    signal,
    onRetry: retriesTo(emit),
  });
  const emitted = reached.isRehearsal ? withoutPages(emit) : emit;
  await uploadResults(request, { ...deps, uploads: service.uploads, emit: emitted });
}

/** The local service ends with the step, and so do its pages. */
function withoutPages(emit: Emit): Emit {
  return (event) => {
    emit(event.type === "sent" ? { ...event, experiment: { ...event.experiment, page: undefined } } : event);
  };
}
