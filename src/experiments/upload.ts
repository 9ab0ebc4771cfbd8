import { mkdtemp } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ExperimentUnansweredError } from "../experiment-upload/errors.ts";
import { checkDryRun, checkUpload, type DryRunDeps, type UploadDeps } from "./arguments.ts";
import { UploadCancelledError } from "./errors.ts";
import type { ReadingDeps } from "./reading/file-reading.ts";
import type { PlannedExperiment, SentExperiment, UploadStatus } from "./events.ts";
import { runToEnd, type UploadOutcome } from "../files/upload-end.ts";
import { ExperimentSender } from "./sending/sender.ts";
import { prepareUploads, type PreparedUploads } from "./sending/prepared-upload.ts";
import type { ExperimentRequest } from "./request.ts";

/**
 * Reads and checks result files, uploads them as one experiment, as one for each value of a column, or as numbered ones
 * when there are more rows than one may have, and returns them in order. Throws ResultsError before anything is sent,
 * and the errors of ExperimentUploads; events report what was sent by then.
 * @idempotence Each upload is stored once: it is looked for before anything is sent again. A later attempt of the same
 *   `run` finds what an earlier one has stored.
 * @contract Sections 2.6, 2.7 and 4.2.
 */
export async function uploadResults(request: ExperimentRequest, deps: UploadDeps): Promise<readonly SentExperiment[]> {
  checkUpload(request, deps);
  const work = async (): Promise<UploadOutcome<UploadStatus, readonly SentExperiment[]>> => {
    await using prepared = await prepareUploads(request, deps);
    deps.emit({ type: "planned", experiments: plannedExperiments(prepared), dataset: prepared.dataset });
    const sent: SentExperiment[] = [];
    for (const one of prepared.all) {
      const sending = new ExperimentSender(one, request, deps);
      for (const index of one.ranges.keys()) sent.push(await sending.send(index + 1));
    }
    return { status: "uploaded", value: sent };
  };
  return await runToEnd(deps, work, (thrown) => failure(thrown, deps));
}

/**
 * Reads and checks as an upload does, and writes the exact request bodies to files; returns their paths in order.
 * @throws ResultsError, and the error of a file that cannot be written.
 * @idempotence Sends nothing; each call writes new files.
 * @contract Section 2.6 has the bodies.
 */
export async function dryRunUpload(request: ExperimentRequest, deps: DryRunDeps): Promise<readonly string[]> {
  checkDryRun(request, deps);
  const work = async (): Promise<UploadOutcome<UploadStatus, readonly string[]>> => {
    await using prepared = await prepareUploads(request, deps);
    const planned = plannedExperiments(prepared);
    deps.emit({ type: "planned", experiments: planned, dataset: prepared.dataset });
    const folder = await mkdtemp(join(deps.requestDirectory, "graph-deploy-request-"));
    const paths: string[] = [];
    const bodies = prepared.all.flatMap((one) => one.ranges.map((range) => ({ one, range })));
    for (const [index, { one, range }] of bodies.entries()) {
      const path = join(folder, `experiment-${String(index + 1)}.json`);
      const { bytes, open } = one.body(planned[index]?.name ?? one.name, range);
      await pipeline(open(), createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal: deps.signal });
      deps.emit({ type: "request-written", path, bytes });
      paths.push(path);
    }
    return { status: "dry-run", value: paths };
  };
  return await runToEnd(deps, work, (thrown) => failure(thrown, deps));
}

function plannedExperiments({ all }: PreparedUploads): readonly PlannedExperiment[] {
  return all.flatMap((prepared) => {
    const names = prepared.names();
    return prepared.ranges.map((range, index) => {
      const name = names.of(index + 1);
      return { name, rows: range.end - range.first, bytes: prepared.body(name, range).bytes };
    });
  });
}

function failure(thrown: unknown, { signal }: ReadingDeps): { readonly status: UploadStatus; readonly error: unknown } {
  const error =
    signal.aborted && !(thrown instanceof UploadCancelledError)
      ? new UploadCancelledError("The run was cancelled before anything was sent.", { cause: thrown })
      : thrown;
  return { status: error instanceof ExperimentUnansweredError ? "uncertain" : "failed", error };
}
