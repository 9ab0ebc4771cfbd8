import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { readDryRun, readUpload, type DryRunTracesDeps, type UploadTracesDeps } from "./arguments.ts";
import { TracesCancelledError, isOfFiles, RunsNotStoredError } from "./errors.ts";
import type { TraceStatus } from "./events.ts";
import { runToEnd, type UploadOutcome } from "../files/upload-end.ts";
import { readTraces, type ReadingDeps } from "./reading/read-traces.ts";
import type { TraceRequest } from "./request.ts";
import { RunsFile, UNSENT_PREFIX } from "./sending/runs-file.ts";
import { TraceSending, type Sent } from "./sending/trace-sending.ts";
import { RunsRefusedError } from "../tracing/client/errors.ts";
import { countOf, countText } from "../text/number.ts";
import { messageOf, sentenceOf, withoutFullStop } from "../text/reasons.ts";

const NAME = "runs.jsonl";
const CANCELLED = "The upload was cancelled before anything was sent.";

/** What the upload works with, with its defaults. */
type Deps = ReturnType<typeof readUpload>["deps"];

/**
 * Reads and checks trace files, and uploads their runs. Throws TracesError before anything is sent or when a file
 * changes meanwhile, RunsNotStoredError when some runs are not stored, or the error of the service when no run is
 * stored.
 * @idempotence Safe to call again: runs that are stored already stay as they are.
 * @contract Sections 2.5 and 4.3.
 */
export async function uploadTraces(given: TraceRequest, givenDeps: UploadTracesDeps): Promise<Sent> {
  const { request, deps } = readUpload(given, givenDeps);
  const work = async (): Promise<UploadOutcome<TraceStatus, Sent>> => {
    const traces = await readTraces(request, deps);
    await using spool = await spoolOf(deps);
    const unsentPath = join(spool.directory, NAME);
    const value = await new TraceSending(traces, { ...deps, unsentPath }).send();
    const { stored, rejected } = value.counts;
    // True where the files have only additions and the service stored one of them.
    const isSome =
      stored > 0 ||
      (traces.table.count === 0 && value.error === undefined && traces.read.additions > value.counts.rejected);
    // Where nothing is stored, the files themselves have all that is not stored.
    const isMissing = rejected > 0 || value.error !== undefined;
    let keptIn: string | undefined;
    if (value.isKept && isSome && isMissing) {
      keptIn = join(await mkdtemp(join(deps.unsentDirectory, UNSENT_PREFIX)), NAME);
      await rename(unsentPath, keptIn);
      deps.emit({ type: "unsent-written", path: keptIn });
    }
    const error = notStored(value, traces.table.count, keptIn, deps);
    return { status: error ? (isSome ? "partial" : "failed") : "uploaded", value, error };
  };
  return await runToEnd(deps, work, (thrown) => failure(thrown, deps));
}

/** The directory of the caller, or one that is removed in the end. */
async function spoolOf({ spoolDirectory: given, unsentDirectory }: Deps) {
  // On the disk where the file may have to stay.
  const directory = given ?? (await mkdtemp(join(unsentDirectory, "graph-deploy-spool-")));
  return {
    directory,
    [Symbol.asyncDispose]: async () => {
      if (given === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Reads and checks as an upload does, writes the runs as they would be sent to a file, and returns its path.
 * @throws TracesError, and the error of a file that cannot be written.
 * @idempotence Sends nothing; each call writes a new file.
 * @contract Section 4.3 has the requests.
 */
export async function dryRunTraces(given: TraceRequest, givenDeps: DryRunTracesDeps): Promise<string> {
  const { request, deps } = readDryRun(given, givenDeps);
  const work = async (): Promise<UploadOutcome<TraceStatus, string>> => {
    const traces = await readTraces(request, deps);
    const file = new RunsFile(join(await mkdtemp(join(deps.requestDirectory, "graph-deploy-request-")), NAME));
    for (const run of traces.runs()) {
      deps.signal.throwIfAborted();
      await file.add(run);
    }
    await file.flush();
    deps.emit({ type: "request-written", path: file.path, bytes: file.bytes });
    return { status: "dry-run", value: file.path };
  };
  return await runToEnd(deps, work, (thrown) => failure(thrown, deps));
}

function failure(thrown: unknown, { signal }: ReadingDeps): { readonly status: TraceStatus; readonly error: unknown } {
  const error = signal.aborted ? new TracesCancelledError(CANCELLED, { cause: thrown }) : thrown;
  return { status: "failed", error };
}

const AGAIN = "Runs that are stored already are not stored twice.";
const NOWHERE = { file: "traces" } as const;

/** Why not all of `total` runs are stored, and `keptIn` which file those are, if there is one; undefined when all are. */
function notStored(sent: Sent, total: number, keptIn: string | undefined, { signal }: Deps): Error | undefined {
  const { counts, error, refusedAdditions: additions } = sent;
  const stored = `${countText(counts.stored)} of ${countOf(total, "run")}`;
  if (signal.aborted) {
    return new TracesCancelledError(`The upload was cancelled when ${stored} were stored.`, {
      cause: error,
      advice: `Upload the same files again: ${lowerFirst(AGAIN)}`,
    });
  }
  if (error === undefined && counts.rejected === 0) return undefined;
  if (isOfFiles(error) || (error instanceof Error && counts.stored === 0 && counts.rejected === 0)) return error;
  const clauses = total > 0 ? [`${stored} are stored`] : [];
  if (error instanceof RunsRefusedError) clauses.push(lowerFirst(reasonOf(error)));
  else {
    const runs = counts.rejected - additions;
    const rejected = runs > 0 ? [countOf(runs, "run")] : [];
    if (additions > 0) rejected.push(`${countOf(additions, "addition")} to runs`);
    if (rejected.length > 0) clauses.push(`the service rejected ${rejected.join(" and ")}`);
    if (error !== undefined) clauses.push(`the others could not be sent: ${reasonOf(error)}`);
  }
  const what = error === undefined ? "The rejected runs are" : "The runs that are not stored are";
  const again =
    keptIn === undefined
      ? "Upload the same files again."
      : `${what} in ${keptIn}: upload that file, or the same files again.`;
  const correct = counts.rejected > 0 ? "Correct the errors that the service reports. " : "";
  return new RunsNotStoredError(
    sentenceOf(clauses.join("; ")),
    sent.refused.map(({ isAddition, id, place, reason }) => ({
      place: place ?? NOWHERE,
      message: `${isAddition ? "an addition to run" : "run"} ${id}: ${withoutFullStop(reason)}`,
    })),
    counts.rejected,
    { cause: error, advice: `${correct}${again} ${AGAIN}` },
  );
}

function reasonOf(error: unknown): string {
  return withoutFullStop(messageOf(error));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
