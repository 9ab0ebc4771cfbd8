import { describe, expect, test } from "vitest";
import { phoenix } from "../../../src/experiments/formats/phoenix.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const run = (fields: object = {}) => ({
  example_id: "RXhhbXBsZTox",
  repetition_number: 1,
  input: { q: 1 },
  reference_output: { a: 2 },
  output: "two",
  annotations: [],
  ...fields,
});
const read = (...runs: readonly unknown[]) => readAll(phoenix, storedFile(JSON.stringify(runs)));

describe("a run of phoenix", () => {
  test("has numbers, labels and both, and says which evaluator broke", async () => {
    const annotations = [
      { name: "exact", annotator_kind: "CODE", score: 1, label: "True" },
      { name: "judged", annotator_kind: "LLM", score: 0.5, explanation: "why" },
      { name: "tone", label: "short", score: null },
      { name: "broken", score: null, label: null, error: "ValueError: no key" },
    ];
    const { rows, faults } = await read(run({ annotations, trace_id: "t", metadata: { level: 1 } }));
    expect(faults).toEqual([]);
    expect(rows[0]?.scores).toEqual([
      { key: "exact", value: 1, by: "code", more: { value: "True" } },
      { key: "judged", value: 0.5, by: "model", comment: "why" },
      { key: "tone", value: null, more: { value: "short" } },
      { key: "broken", value: null },
    ]);
    expect(rows[0]?.metadata).toEqual({ level: 1, trace_id: "t", evaluator_errors: { broken: "ValueError: no key" } });
  });

  test("counts its tokens, and its repetition from the first", async () => {
    const { rows } = await read(run({ repetition_number: 3, prompt_token_count: 12, completion_token_count: null }));
    expect(rows[0]).toMatchObject({ repetition: 2, usage: { prompt_tokens: 12 } });
  });

  test("that is broken is a fault without its data, and the others are read", async () => {
    const { rows, faults } = await read(run({ annotations: [{ score: "secret" }] }), "secret", run());
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "row 1: `0.annotations.0.name` is absent, not a text",
      "row 2: a record is a text, not an object",
    ]);
  });

  test("in CSV has only the annotations that it has cells of", async () => {
    const header =
      "example_id,repetition_number,input,reference_output,output,annotation_a b_score,annotation_a b_label";
    const csv = `${header}\nx,1,"{""q"": 1}","{}",,0.25,good\ny,1,"{""q"": 2}","{}","[not json",,\n`;
    const { rows, faults } = await readAll(phoenix, storedFile(csv));
    expect(faults).toEqual([]);
    expect(rows.map(({ scores }) => scores)).toEqual([[{ key: "a b", value: 0.25, more: { value: "good" } }], []]);
    expect(rows.map(({ outputs }) => outputs)).toEqual(["", "[not json"]);
  });
});
