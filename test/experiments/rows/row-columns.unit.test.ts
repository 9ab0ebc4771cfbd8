import { expect, test } from "vitest";
import { columnNames, columnText, settingTexts, statedRepetition } from "../../../src/experiments/rows/row-columns.ts";
import type { SourceRow } from "../../../src/experiments/rows/source-row.ts";

const ROW: SourceRow = {
  place: { file: "a.jsonl", line: 1 },
  inputs: { question: "q", persona: "poet" },
  metadata: { model: " gpt-5 ", size: 7, on: true, blank: " ", none: null, config: { llm: "a" }, tags: ["x"] },
  runName: "nightly",
  scores: [],
};
const OF_TABLE: SourceRow = {
  ...ROW,
  columns: { record: { model: "GPT", "a.b": "dot", answer: "x" }, isResult: (name) => name === "answer" },
};

test.each([
  [ROW, "model", { kind: "text", text: "gpt-5" }],
  [ROW, "size", { kind: "text", text: "7" }],
  [ROW, "on", { kind: "text", text: "true" }],
  [ROW, "config.llm", { kind: "text", text: "a" }],
  [ROW, "run_metadata.model", { kind: "text", text: "gpt-5" }],
  [ROW, "metadata.model", { kind: "text", text: "gpt-5" }],
  [ROW, "inputs.persona", { kind: "text", text: "poet" }],
  [ROW, "run_name", { kind: "text", text: "nightly" }],
  [ROW, "Model", { kind: "absent" }],
  [ROW, "blank", { kind: "empty" }],
  [ROW, "none", { kind: "empty" }],
  [ROW, "config", { kind: "nested" }],
  [ROW, "tags", { kind: "nested" }],
  [OF_TABLE, "model", { kind: "text", text: "GPT" }],
  [OF_TABLE, "a.b", { kind: "text", text: "dot" }],
  [OF_TABLE, "size", { kind: "text", text: "7" }],
] as const)("a column of a row: %#", (row, column, found) => {
  expect(columnText(row, column)).toEqual(found);
});

test("what may be a setting is no answer", () => {
  expect([...settingTexts(OF_TABLE)]).toEqual([
    ["model", "GPT"],
    ["a.b", "dot"],
  ]);
  expect([...settingTexts(ROW)].map(([name]) => name)).toEqual([
    ...["model", "size", "on", "config.llm", "inputs.question", "inputs.persona", "run_name"],
  ]);
  expect(columnNames(OF_TABLE)).toEqual(["model", "a.b", "answer"]);
  expect(columnNames(ROW)).toContain("run_name");
});

test("a repetition is stated by its field or by the metadata", () => {
  expect(statedRepetition({ ...ROW, repetition: 2 })).toBe(2);
  expect(statedRepetition({ ...ROW, metadata: { repetition: 1 } })).toBe(1);
  expect(statedRepetition(ROW)).toBeUndefined();
});
