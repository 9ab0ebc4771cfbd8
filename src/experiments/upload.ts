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
import { sendExperiments } from "./sending/sender.ts";
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
  return await carriedOut("uploaded", request, deps, async ({ all }) => {
    const sent: SentExperiment[] = [];
    for (const one of all) for await (const each of sendExperiments(one, request, deps)) sent.push(each);
    return sent;
  });
}

/**
 * Reads and checks as an upload does, and writes the exact request bodies to files; returns their paths in order.
 * @throws ResultsError, and the error of a file that cannot be written.
 * @idempotence Sends nothing; each call writes new files.
 * @contract Section 2.6 has the bodies.
 */
export async function dryRunUpload(request: ExperimentRequest, deps: DryRunDeps): Promise<readonly string[]> {
  checkDryRun(request, deps);
  return await carriedOut("dry-run", request, deps, async ({ all }, planned) => {
    const folder = await mkdtemp(join(deps.requestDirectory, "graph-deploy-request-"));
    const paths: string[] = [];
    const bodies = all.flatMap((one) => one.ranges.map((range) => ({ one, range })));
    for (const [index, { one, range }] of bodies.entries()) {
      const path = join(folder, `experiment-${String(index + 1)}.json`);
      const { bytes, open } = one.body(planned[index]?.name ?? one.name, range);
      await pipeline(open(), createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal: deps.signal });
      deps.emit({ type: "request-written", path, bytes });
      paths.push(path);
    }
    return paths;
  });
}

/** Reads and checks, says what is planned, and does the work with it; the end is an event in any case. */
async function carriedOut<Value>(
  status: UploadStatus,
  request: ExperimentRequest,
  deps: ReadingDeps,
  work: (prepared: PreparedUploads, planned: readonly PlannedExperiment[]) => Promise<Value>,
): Promise<Value> {
  const prepareAndWork = async (): Promise<UploadOutcome<UploadStatus, Value>> => {
    await using prepared = await prepareUploads(request, deps);
    const planned = prepared.all.flatMap((one) => {
      const names = one.names();
      return one.ranges.map((range, index) => {
        const name = names.of(index + 1);
        return { name, rows: range.end - range.first, bytes: one.body(name, range).bytes };
      });
    });
    deps.emit({ type: "planned", experiments: planned, dataset: prepared.dataset });
    return { status, value: await work(prepared, planned) };
  };
  return await runToEnd(deps, prepareAndWork, (thrown) => {
    const isCancelled = deps.signal.aborted && !(thrown instanceof UploadCancelledError);
    const message = "The run was cancelled before anything was sent.";
    const error = isCancelled ? new UploadCancelledError(message, { cause: thrown }) : thrown;
    return { status: error instanceof ExperimentUnansweredError ? "uncertain" : "failed", error };
  });
}
