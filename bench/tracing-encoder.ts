import { randomUUID } from "node:crypto";
import { BatchWriter } from "../src/tracing/ingest/run-batch.ts";
import { runOperation } from "../src/tracing/ingest/run-queue.ts";
import { timed, type Case } from "./rounds.ts";
import { Random, sourceText } from "./text.ts";

/** The cases by name, as the table and the targets say them. */
export const ENCODERS = {
  ours: "ours",
  stringify: "JSON.stringify of the same values, and nothing else",
  blobs: "a Blob for each piece, and one of all",
  form: "FormData of Blobs, read as a Response",
} as const;

const RUNS_A_BATCH = 100;
const BATCHES = 100;
/** How many runs one case encodes in a round. */
export const ENCODED_RUNS = RUNS_A_BATCH * BATCHES;

/** Batches of 100 runs in three parts each, 1.6 kB a run, become the bytes of a body. */
export function encoderCases(): readonly Case[] {
  const runs = runsOfBatch();
  const writer = new BatchWriter(`run-${randomUUID()}`);
  const least = partsOf(runs).reduce((sum, { json }) => sum + json.length, 0);
  const repeat = (name: string, encode: () => Promise<number> | number) =>
    timed(name, async () => {
      for (let batch = 0; batch < BATCHES; batch++) {
        if ((await encode()) < least) throw new Error(`${name} has left something out`);
      }
    });
  return [
    repeat(ENCODERS.ours, () => writer.write(runs.map((run) => runOperation("post", run))).body.length),
    repeat(ENCODERS.stringify, () => partsOf(runs).reduce((sum, { json }) => sum + json.length, 0)),
    repeat(ENCODERS.blobs, async () => (await blobBody(partsOf(runs))).byteLength),
    repeat(ENCODERS.form, async () => (await formBody(partsOf(runs))).byteLength),
  ];
}

type EncodedRun = ReturnType<typeof runsOfBatch>[number];

function runsOfBatch() {
  const text = sourceText(new Random(3), 2 * RUNS_A_BATCH * 1_000).toString("latin1");
  return Array.from({ length: RUNS_A_BATCH }, (_, index) => {
    const id = randomUUID();
    const start = index * 1_200;
    const time = "2026-01-02T03:04:05.678901Z";
    return {
      id,
      trace_id: id,
      dotted_order: `20260102T030405678901Z${id}`,
      name: "bench",
      run_type: "chain",
      session_name: "bench",
      start_time: time,
      end_time: time,
      inputs: { question: text.slice(start, start + 600), index },
      outputs: { answer: text.slice(start + 600, start + 1_150) },
    } as const;
  });
}

interface Part {
  readonly name: string;
  readonly json: string;
}

function partsOf(runs: readonly EncodedRun[]): readonly Part[] {
  return runs.flatMap(({ inputs, outputs, ...fields }) => [
    { name: `post.${fields.id}`, json: JSON.stringify(fields) },
    { name: `post.${fields.id}.inputs`, json: JSON.stringify(inputs) },
    { name: `post.${fields.id}.outputs`, json: JSON.stringify(outputs) },
  ]);
}

const TYPE = "application/json";
const BOUNDARY = "----run-00000000-0000-4000-8000-000000000000";

function blobBody(parts: readonly Part[]): Promise<ArrayBuffer> {
  const blobs = parts.flatMap(({ name, json }) => {
    const content = new Blob([json], { type: TYPE });
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n`;
    return [new Blob([head, `Content-Type: ${TYPE}; length=${content.size}\r\n\r\n`]), content, new Blob(["\r\n"])];
  });
  return new Blob([...blobs, new Blob([`--${BOUNDARY}--\r\n`])]).arrayBuffer();
}

function formBody(parts: readonly Part[]): Promise<ArrayBuffer> {
  const form = new FormData();
  for (const { name, json } of parts) form.append(name, new Blob([json], { type: TYPE }));
  return new Response(form).arrayBuffer();
}
