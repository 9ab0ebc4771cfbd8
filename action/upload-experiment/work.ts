import { ExperimentUploads } from "../../src/experiment-upload/client.ts";
import type { Emit, ExperimentEvent } from "../../src/experiments/events.ts";
import { dryRunUpload, uploadResults } from "../../src/experiments/upload.ts";
import { systemClock } from "../../src/http/clock.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import type { RetryNotice } from "../../src/http/sender.ts";
import { VERSION } from "../../src/version.ts";
import { startRehearsal } from "../step/rehearsal.ts";
import type { Surroundings } from "../step/run-step.ts";
import { makeSpool } from "../step/spool.ts";
import type { ConnectionInputs } from "./connection.ts";
import type { UploadInputs } from "./inputs.ts";

type Around = Surroundings<ExperimentEvent>;

/** Does what the inputs ask for, against the service that they name. */
export async function carryOut({ task, request, connection, runner }: UploadInputs, around: Around): Promise<void> {
  const { signal, emit } = around;
  await using spool = await makeSpool(runner.temp);
  const deps = { spoolDirectory: spool.folder, clock: systemClock, signal, emit };
  if (task === "dry-run" || connection === undefined) {
    await dryRunUpload(request, { ...deps, requestDirectory: runner.temp });
    return;
  }
  await using rehearsal = connection.baseUrl === "local" ? await startRehearsal(runner.temp) : undefined;
  await using http = httpClient(connection, around);
  const { apiKey, tenantId } = connection;
  const url = rehearsal?.url ?? String(connection.baseUrl);
  const uploads = new ExperimentUploads({ url, http, apiKey, tenantId, onRetry: tellRetry(emit) });
  await uploadResults(request, { ...deps, uploads });
}

function httpClient({ caCertificate, allowHttp, proxy }: ConnectionInputs, { redactor, signal, emit }: Around) {
  const userAgent = `graph-deploy/${VERSION}`;
  return new HttpClient({ caCertificate, allowHttp, proxy, redactor, signal, userAgent, onRetry: tellRetry(emit) });
}

function tellRetry(emit: Emit): (notice: RetryNotice) => void {
  return (notice) => {
    emit({ type: "retry", notice });
  };
}
