import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { formatInstant } from "../../../src/contract/instant.ts";
import { ExperimentUploads, type ReadyExperiment } from "../../../src/experiment-upload/client.ts";
import { readEvaluation, type Evaluation } from "../../../src/experiments/evaluation.ts";
import { FORMATS } from "../../../src/experiments/formats.ts";
import { parseMapping } from "../../../src/experiments/mapping.ts";
import { placeRows } from "../../../src/experiments/window.ts";
import { HttpClient } from "../../../src/http/http-client.ts";

/** Reads files as one evaluation; what it spooled is gone after the test. */
export async function read(paths: readonly string[], { dataset = "qa-set", mapping = "" } = {}): Promise<Evaluation> {
  const spoolDirectory = await mkdtemp(join(tmpdir(), "evaluation-"));
  onTestFinished(() => rm(spoolDirectory, { recursive: true, force: true }));
  const parsed = mapping === "" ? undefined : parseMapping(mapping);
  return await readEvaluation({
    files: paths.map((path) => ({ path, name: basename(path) })),
    format: undefined,
    formats: FORMATS,
    mapping: parsed?.ok === true ? parsed.mapping : undefined,
    workspace: "/nowhere",
    dataset,
    spoolDirectory,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    note: () => undefined,
    warn: () => undefined,
  });
}

/** The experiment of an evaluation, ready to be sent. */
export function ready(name: string, { spool, rows, faults }: Evaluation): ReadyExperiment {
  const window = placeRows(spool.times, {
    start: undefined,
    end: undefined,
    policy: "expand",
    now: 1_795_240_800_000_000n,
    fault: (row, message) => {
      faults.add(rows.placeOf(row), message);
    },
  });
  faults.throwIfAny();
  const head = {
    experiment_name: name,
    dataset_name: "qa-set",
    experiment_start_time: formatInstant(window.start),
    experiment_end_time: formatInstant(window.end),
  };
  const [begin, end] = [`${JSON.stringify(head).slice(0, -1)},"results":[`, "]}"];
  const bytes = Buffer.byteLength(begin) + spool.bytesOf(0, spool.count) + end.length;
  function* parts() {
    yield Buffer.from(begin);
    yield* spool.read(0, spool.count);
    yield Buffer.from(end);
  }
  return { name, rows: spool.count, body: { bytes, open: () => Readable.from(parts(), { objectMode: false }) } };
}

/** A client whose retries follow each other at once; it is closed after the test. */
export function uploads(url: string): ExperimentUploads {
  const http = new HttpClient({ random: () => 0 });
  onTestFinished(() => http.close());
  return new ExperimentUploads({ url, http, apiKey: undefined });
}
