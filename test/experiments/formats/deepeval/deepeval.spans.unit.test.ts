import { expect, test } from "vitest";
import { deepeval } from "../../../../src/experiments/formats/deepeval/deepeval.ts";
import { writeJsonValue, type JsonValue } from "../../../../src/files/json/value.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const metric = (name: string, score: number) => ({ name, score, threshold: 0.5, success: score >= 0.5 });
const span = (name: string, ...metricsData: JsonValue[]) => ({ uuid: "u", name, metricsData });

async function scoresOf(trace: JsonValue) {
  const testCases = [{ name: "case", input: "q", metricsData: [metric("Relevancy", 0.9)], trace }];
  const { rows, faults } = await readAll(
    deepeval,
    storedFile(writeJsonValue({ testCases, metricsScores: [] }), "r.json"),
  );
  expect(faults).toEqual([]);
  return rows[0]?.scores.map(({ key, value }) => [key, value]);
}

test.each<[string, JsonValue, [string, number][]]>([
  ["have the span before their name", { llmSpans: [span("rerank", metric("Brief", 0.15))] }, [["rerank.Brief", 0.15]]],
  [
    "of all kinds of spans are read",
    {
      agentSpans: [span("a", metric("M", 0.1))],
      retrieverSpans: [span("r", metric("M", 0.2))],
      toolSpans: [span("t", metric("M", 0.3))],
      baseSpans: [span("b", metric("M", 0.4))],
    },
    [
      ["a.M", 0.1],
      ["r.M", 0.2],
      ["t.M", 0.3],
      ["b.M", 0.4],
    ],
  ],
  [
    "of several calls have one key",
    { toolSpans: [span("search", metric("Right", 1)), span("search", metric("Right", 0))] },
    [
      ["search.Right", 1],
      ["search.Right", 0],
    ],
  ],
  ["of the whole trace that the case has, too, count once", { metricsData: [metric("Relevancy", 0.9)] }, []],
  ["of the whole trace alone have their name", { metricsData: [metric("Done", 1)] }, [["Done", 1]]],
  ["that are none are none", { llmSpans: [{ uuid: "u", name: "n", metricsData: null }], toolSpans: null }, []],
])("the metrics of spans %s", async (_, trace, scores) => {
  expect(await scoresOf(trace)).toEqual([["Relevancy", 0.9], ...scores]);
});

test("a name that a metric of cases and one of spans have is told", async () => {
  const testCases = [
    { name: "one", input: "q", metricsData: [metric("rerank.Brief", 0.9)] },
    {
      name: "two",
      input: "r",
      metricsData: [metric("M", 1)],
      trace: { llmSpans: [span("rerank", metric("Brief", 0.1))] },
    },
  ];
  const read = async (cases: readonly JsonValue[]) =>
    (await readAll(deepeval, storedFile(writeJsonValue({ testCases: cases, metricsScores: [] }), "r.json"))).warnings;
  expect(await read(testCases)).toEqual([
    "r.json: `rerank.Brief` is the name of a metric of cases and of a metric of spans, and has one mean. Rename the span or the metric.",
  ]);
  expect(await read(testCases.slice(1))).toEqual([]);
});

test("the tokens of a case are read", async () => {
  const testCases = [
    { name: "case", input: "q", metricsData: [metric("M", 1)], inputTokenCount: 12, outputTokenCount: 3 },
  ];
  const { rows } = await readAll(deepeval, storedFile(writeJsonValue({ testCases, metricsScores: [] }), "r.json"));
  expect(rows[0]?.usage).toEqual({ inputTokenCount: 12, outputTokenCount: 3 });
});
