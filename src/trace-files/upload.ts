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
const CANCELLED = "The upload was cancelled before anything was sent.";

export interface UploadTracesDeps extends ReadingDeps {
  readonly tracing: Tracing;
  /** An existing directory for temporary files; the caller removes it. */
  readonly spoolDirectory: string;
  /** An existing directory: runs that are not stored are kept in a new directory in it. */
  readonly unsentDirectory: string;
}

export interface DryRunTracesDeps extends ReadingDeps {
  /** An existing directory: the file of runs is written to a new directory in it. */
  readonly requestDirectory: string;
}

/**
 * Reads and checks trace files, and uploads their runs. Throws TracesError before anything is sent or when a file changes
 * meanwhile, RunsNotStoredError when some runs are not stored, or the error of the service when no run is stored.
 */
export async function uploadTraces(request: TraceRequest, deps: UploadTracesDeps): Promise<Sent> {
  return await runToEnd(deps, async () => {
    const traces = await readTraces(request, deps);
    const unsentPath = join(deps.spoolDirectory, NAME);
    const value = await new TraceSending(traces, { ...deps, unsentPath }).send();
    const { stored, rejected } = value.counts;
    const isSome = stored > 0 || isSomeAdded(value, traces);
    // Where nothing is stored, the files themselves have all that is not stored.
    const isMissing = rejected > 0 || value.error !== undefined;
    const keptIn = value.isKept && isSome && isMissing ? await keep(unsentPath, deps) : undefined;
    const facts = { total: traces.table.count, isCancelled: deps.signal.aborted, keptIn };
    const error = notStored(value, facts);
    if (error === undefined) return { status: "uploaded", value, error };
    return { status: isSome ? "partial" : "failed", value, error };
  });
}

/** True where the files have only additions and the service stored one of them. */
function isSomeAdded({ counts, error }: Sent, { table, read }: TraceSet): boolean {
  return table.count === 0 && error === undefined && read.additions > counts.rejected;
}

async function keep(path: string, { unsentDirectory, emit }: UploadTracesDeps): Promise<string> {
  const kept = join(await mkdtemp(join(unsentDirectory, UNSENT_PREFIX)), NAME);
  await rename(path, kept);
  emit({ type: "unsent-written", path: kept });
  return kept;
}

/** Reads and checks as an upload does, writes the runs as they would be sent to a file, and returns its path. */
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

/** Runs a workflow and emits how it ended. */
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
