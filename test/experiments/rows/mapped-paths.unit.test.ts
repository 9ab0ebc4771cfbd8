import { expect, test } from "vitest";
import { mappedPaths, mapsColumns } from "../../../src/experiments/rows/mapped-paths.ts";

test("each path of a mapping has its part of a row", () => {
  const mapping = {
    id: "case",
    inputs: { question: "q.text" },
    outputs: "answer",
    latencySeconds: "took",
    scores: { exact: { path: "s" } },
  };
  expect(mappedPaths(mapping)).toEqual([
    { name: "case", role: { part: "id" } },
    { name: "q.text", role: { part: "inputs", key: "question" } },
    { name: "answer", role: { part: "outputs", key: undefined } },
    { name: "took", role: { part: "latency", unitMilliseconds: 1_000 } },
    { name: "s", role: { part: "score", key: "exact", kind: undefined } },
  ]);
  expect(mappedPaths({ latencyMilliseconds: "ms" })[0]?.role).toEqual({ part: "latency", unitMilliseconds: 1 });
});

test("a mapping that says only where the rows stand maps no columns", () => {
  expect([mapsColumns(undefined), mapsColumns({}), mapsColumns({ inputs: "q" })]).toEqual([false, false, true]);
});
