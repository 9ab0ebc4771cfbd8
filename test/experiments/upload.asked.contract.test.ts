import { expect, test } from "vitest";
import * as z from "zod";
import { readFile } from "node:fs/promises";
import { uploadRig } from "./upload-rig.ts";

const ROW = {
  row_id: "refund-1",
  inputs: { question: "Where is my refund?" },
  expected_outputs: { answer: "in 3 days" },
  actual_outputs: { output: "in 3 days", tool_calls: [{ name: "lookup", args: { id: 7 } }] },
  start_time: "2026-11-27T10:00:00.125Z",
  end_time: "2026-11-27T10:00:02.125Z",
  evaluation_scores: [{ key: "correct", score: 1, comment: "equal" }],
  run_metadata: {
    ...{ case_id: "refund-1", repetition: 0, outcome: "answered", attempts: 2, in_flight: 3 },
    ...{ queued_ms: 700, run_ms: 1_300, first_token_ms: 90, run_id: "run-1", thread_id: "thread-1" },
    ...{ trace_id: "trace-1", revision_id: "rev-1", cost: 0.002, cluster: "doc-1" },
    usage: { "model-a": { input: 10, output: 5, cache_read: 2, reasoning: 1 } },
  },
};
const { actual_outputs: _outputs, evaluation_scores: _scores, ...NO_ANSWER } = ROW;
const UNASKED = {
  ...{ row_id: "refund-2", inputs: { question: "?" }, error: "the evaluation ended before" },
  run_metadata: { case_id: "refund-2", repetition: 0, outcome: "unasked" },
};
const ROWS = [
  ROW,
  { ...ROW, run_metadata: { ...ROW.run_metadata, repetition: 1 } },
  {
    ...{ ...NO_ANSWER, error: "the agent server closed the connection" },
    run_metadata: { ...ROW.run_metadata, repetition: 2, outcome: "unreachable" },
  },
  UNASKED,
];
const METADATA = {
  server_version: "0.16.7",
  revision_id: "rev-1",
  graph: "agent",
  evaluator_digest: "a1",
  shard: "2/5",
};
const HEADER = { type: "experiment", experiment_name: "asked", dataset_name: "qa", experiment_metadata: METADATA };

const Body = z.object({
  experiment_metadata: z.looseObject({}),
  results: z.array(z.looseObject({ row_id: z.string(), run_metadata: z.looseObject({}) })),
});

test("rows of an evaluation of a deployed agent are uploaded as they are, those without an answer too", async () => {
  const { write, dryRun } = await uploadRig();
  await write({ "results.jsonl": [HEADER, ...ROWS].map((line) => JSON.stringify(line)).join("\n") });
  const [path = ""] = await dryRun({ datasetName: undefined });
  const { results, experiment_metadata: metadata } = Body.parse(JSON.parse(await readFile(path, "utf8")));
  expect(metadata).toMatchObject(METADATA);
  // Each row has an id of its own then, and its case in its metadata.
  expect(new Set(results.map(({ row_id: id }) => id)).size).toBe(4);
  const asked = results.map(({ row_id: _id, ...row }) => row);
  for (const [at, { row_id: _id, ...row }] of ROWS.slice(0, 3).entries()) expect(asked[at]).toEqual(row);
  expect(asked[3]).toMatchObject({ error: UNASKED.error, run_metadata: UNASKED.run_metadata });
});
