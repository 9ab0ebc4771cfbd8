import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import { formatInstant } from "../../src/contract/instant.ts";
import { UPLOAD_MARK } from "../../src/contract/experiment-answer.ts";
import { ExperimentUploads } from "../../src/experiment-upload/client.ts";
import type { ReadyExperiment } from "../../src/experiment-upload/terms.ts";
import { readEvaluation, type Evaluation } from "../../src/experiments/reading/evaluation.ts";
import { experimentBody } from "../../src/experiments/sending/prepared-upload.ts";
import { parseMapping } from "../../src/experiments/rows/mapping.ts";
import { placeRows } from "../../src/experiments/sending/window.ts";
import { systemClock, type Clock } from "../../src/http/clock.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { FastClock } from "../wire/clocks.ts";

/** Reads files as one evaluation; what it spooled is gone after the test. */
export async function read(paths: readonly string[], { dataset = "qa-set", mapping = "" } = {}): Promise<Evaluation> {
  const spoolDirectory = await mkdtemp(join(tmpdir(), "evaluation-"));
  onTestFinished(() => rm(spoolDirectory, { recursive: true, force: true }));
  const parsed = mapping === "" ? undefined : await parseMapping(mapping);
  return await readEvaluation(
    {
      files: paths.map((path) => ({ path, name: basename(path) })),
      format: undefined,
      mapping: parsed?.ok === true ? parsed.mapping : undefined,
      workspace: "/nowhere",
      dataset,
      takesVerbatim: true,
    },
    {
      spoolDirectory,
      clock: systemClock,
      signal: new AbortController().signal,
      emit: () => undefined,
    },
  );
}

/** The experiment of an evaluation, ready to be sent. */
export function ready(name: string, { spool, rows, faults }: Evaluation, mark = "77:ab"): ReadyExperiment {
  const { window } = placeRows(spool.times, {
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
    experiment_metadata: { [UPLOAD_MARK]: mark },
  };
  const range = { first: 0, end: spool.count };
  const body = experimentBody(head, { spool, range, rowBytes: spool.bytesOf(range) });
  return { name, rows: spool.count, body, mark };
}

/** A client whose pauses take no time; it is closed after the test. */
export function uploads(url: string, clock: Clock = new FastClock()): ExperimentUploads {
  const http = new HttpClient({ clock, random: () => 0 });
  onTestFinished(() => http.close());
  return new ExperimentUploads({ endpoint: new Endpoint(url), http });
}
