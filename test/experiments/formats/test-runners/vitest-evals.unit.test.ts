import { expect, test } from "vitest";
import { vitest } from "../../../../src/experiments/formats/test-runners/test-report.ts";
import { writeJsonValue, type JsonObject, type JsonValue } from "../../../../src/files/json/value.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

async function rowOf(meta: JsonObject) {
  const assertionResults = [{ ancestorTitles: [], title: "refund", status: "passed", meta }];
  const report = { numTotalTests: 1, testResults: [{ name: "/work/a.eval.ts", status: "passed", assertionResults }] };
  const { rows, faults } = await readAll(vitest, storedFile(writeJsonValue(report), "report.json"));
  expect(faults).toEqual([]);
  return rows[0];
}

const CALLS: JsonValue = [{ name: "lookup", arguments: { id: "1" }, status: "ok", result: { sum: 3 } }];
const EVENTS: JsonValue = [
  { type: "message", role: "user", content: "Refund 1" },
  { type: "tool_call", id: "c", name: "lookup", arguments: { id: "1" } },
  { type: "tool_result", toolCallId: "c", content: 3 },
];
const USAGE = {
  provider: "p",
  model: "m",
  inputTokens: 10,
  outputTokens: 4,
  totalTokens: 14,
  costUsd: 0.02,
  retries: 1,
};

test("the usage of a run of vitest-evals is read, with its cost and its model", async () => {
  expect(await rowOf({ harness: { name: "h", run: { usage: USAGE, errors: [] } } })).toMatchObject({
    usage: { inputTokens: 10, outputTokens: 4, totalTokens: 14 },
    cost: 0.02,
    metadata: { provider: "p", model: "m", retries: 1 },
  });
});

test.each<[string, JsonObject, JsonValue]>([
  ["of the evaluation", { eval: { scores: [], toolCalls: CALLS } }, CALLS],
  ["in the events of a session", { harness: { run: { session: { events: EVENTS }, errors: [] } } }, EVENTS.slice(1)],
  [
    "in the messages of an earlier version",
    { harness: { run: { session: { messages: [{ role: "assistant", toolCalls: CALLS }] }, errors: [] } } },
    CALLS,
  ],
  ["as their count alone", { harness: { run: { usage: { toolCalls: 2 }, errors: [] } } }, 2],
])("the tool calls of a run of vitest-evals are read: %s", async (_, meta, toolCalls) => {
  expect((await rowOf(meta))?.metadata).toEqual({ toolCalls });
});

test("a test without an evaluation has no metadata", async () => {
  expect(await rowOf({})).toMatchObject({ usage: undefined, cost: undefined, metadata: undefined });
});
