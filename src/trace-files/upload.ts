import { mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Tracing } from "../tracing/client/client.ts";
import { TracesCancelledError } from "./errors.ts";
import type { TraceStatus } from "./events.ts";
import { notStored } from "./sending/not-stored.ts";
import { readTraces, type ReadingDeps } from "./reading/read-traces.ts";
import type { TraceRequest } from "./request.ts";
import { RunsFile } from "./sending/runs-file.ts";
import { UNSENT_PREFIX } from "./sending/runs-file.ts";
import { TraceSending, type Sent } from "./sending/trace-sending.ts";
import type { TraceSet } from "./reading/trace-set.ts";

const NAME = "runs.jsonl";
const CANCELLED = "The run was cancelled before anything was sent.";

/** What an upload works with. */
export interface UploadTracesDeps extends ReadingDeps {
  readonly tracing: Tracing;
  /** An existing folder for what is on its way; whoever made it removes it. */
  readonly spoolDirectory: string;
  /** An existing folder that keeps the runs which could not be stored, in a folder of their own. */
  readonly unsentDirectory: string;
}

/** What a dry run works with. */
export interface DryRunTracesDeps extends ReadingDeps {
  /** An existing folder for the file of runs. */
  readonly requestDirectory: string;
}

/**
 * Reads and checks trace files, and uploads their runs. Throws TracesError before anything is sent or when a file
 * changes on the way, and RunsNotStoredError when some runs are stored and others are not, or the error of the service
 * when none is.
 */
export async function uploadTraces(request: TraceRequest, deps: UploadTracesDeps): Promise<Sent> {
  return await runToEnd(deps, async () => {
    const traces = await readTraces(request, deps);
    const unsentPath = join(deps.spoolDirectory, NAME);
    const value = await new TraceSending(traces, { ...deps, unsentPath }).send();
    const { stored, rejected } = value.counts;
    const isSome = stored > 0 || isSomeAdded(value, traces);
    // Where nothing is stored, the files themselves are what is not stored.
    const isMissing = rejected > 0 || value.error !== undefined;
    const keptIn = value.isKept && isSome && isMissing ? await keep(unsentPath, deps) : undefined;
    const facts = { total: traces.table.count, isCancelled: deps.signal.aborted, keptIn };
    const error = notStored(value, facts);
    if (error === undefined) return { status: "uploaded", value, error };
    return { status: isSome ? "partial" : "failed", value, error };
  });
}

/** True where additions are all there is, and the service takes one of them. */
function isSomeAdded({ counts, error }: Sent, { table, read }: TraceSet): boolean {
  return table.count === 0 && error === undefined && read.additions > counts.rejected;
}

async function keep(path: string, { unsentDirectory, emit }: UploadTracesDeps): Promise<string> {
  const kept = join(await mkdtemp(join(unsentDirectory, UNSENT_PREFIX)), NAME);
  await rename(path, kept);
  emit({ type: "unsent-written", path: kept });
  return kept;
}

/** Reads and checks as an upload does, and leaves the runs as they would be sent in a file; answers its path. */
export async function dryRunTraces(request: TraceRequest, deps: DryRunTracesDeps): Promise<string> {
  return await runToEnd(deps, async () => {
    const traces = await readTraces(request, deps);
    const file = new RunsFile(join(await mkdtemp(join(deps.requestDirectory, "graph-deploy-request-")), NAME));
    for (const run of traces.runs()) {
      deps.signal.throwIfAborted();
      await file.add(run);
    }
    await file.flush();
    deps.emit({ type: "request-written", path: file.path, bytes: file.bytes });
    return { status: "dry-run", value: file.path, error: undefined };
  });
}

interface Outcome<Value> {
  readonly status: TraceStatus;
  readonly value: Value;
  readonly error: Error | undefined;
}

/** Runs a workflow and tells how it ended. */
async function runToEnd<Value>(
  { clock, emit, signal }: ReadingDeps,
  work: () => Promise<Outcome<Value>>,
): Promise<Value> {
  const start = clock.now();
  const end = (status: TraceStatus, error: Error | undefined) => {
    emit({ type: "ended", status, milliseconds: clock.now() - start, error });
  };
  let outcome: Outcome<Value>;
  try {
    outcome = await work();
  } catch (thrown) {
    const error = signal.aborted ? new TracesCancelledError(CANCELLED, { cause: thrown }) : thrown;
    end("failed", error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
  end(outcome.status, outcome.error);
  if (outcome.error !== undefined) throw outcome.error;
  return outcome.value;
}
