import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SentRun } from "../../src/trace-files/reading/trace-set.ts";
import { TracesError } from "../../src/trace-files/errors.ts";
import type { TraceEvent, TracesRead } from "../../src/trace-files/events.ts";
import type { TraceFormat } from "../../src/trace-files/request.ts";
import { readTraces } from "../../src/trace-files/reading/read-traces.ts";
import { placeText } from "../../src/files/json/errors.ts";
import { SimulatedClock } from "../wire/clocks.ts";

/** What a test sets of a reading. */
export interface Reading {
  readonly sessionName?: string | undefined;
  readonly format?: TraceFormat;
}

/** Writes files and reads them as one upload; gives the runs as they would be sent. */
export async function readFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  { sessionName = "tests", format }: Reading = {},
): Promise<{ readonly read: TracesRead; readonly sent: readonly SentRun[]; readonly warnings: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "traces-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const found = Object.keys(files).map((name) => ({ name, path: join(folder, name) }));
  const warnings: string[] = [];
  const emit = (event: TraceEvent) => {
    if (event.type === "warning") warnings.push(event.message);
  };
  const deps = { clock: new SimulatedClock(), signal: new AbortController().signal, emit };
  const traces = await readTraces({ files: found, format, sessionName: sessionName || undefined }, deps);
  return { read: traces.read, sent: [...traces.runs()], warnings };
}

/** The runs of one file of lines, as they would be sent. */
export async function runsOf(lines: readonly unknown[], options?: Reading) {
  return (await readFiles({ "runs.jsonl": linesOf(lines) }, options)).sent.map(({ run }) => run);
}

/** JSON, one value a line. */
export function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** The faults of files as sentences. */
export async function faultsOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  options?: Reading,
): Promise<readonly string[]> {
  const error = await readFiles(files, options).catch((caught: unknown) => caught);
  if (!(error instanceof TracesError)) throw new Error("nothing was refused", { cause: error });
  return error.faults.map(({ place, message }) => `${placeText(place)}: ${message}`);
}

/** the errors of lines in the format `jsonl`, without the name of the file. */
export async function lineFaults(lines: readonly unknown[], options?: Reading): Promise<readonly string[]> {
  const faults = await faultsOf({ "runs.jsonl": linesOf(lines) }, { format: "jsonl", ...options });
  return faults.map((fault) => fault.replace("runs.jsonl, ", ""));
}

/** A UUID by its number. */
export function uuid(number: number): string {
  return `019df237-5c80-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** A valid run in the format `jsonl`. */
export function run(number: number, fields: Readonly<Record<string, unknown>> = {}) {
  const start_time = `2026-05-04T09:00:${String(number % 60).padStart(2, "0")}Z`;
  return { id: uuid(number), name: `run ${String(number)}`, run_type: "chain", start_time, inputs: {}, ...fields };
}
