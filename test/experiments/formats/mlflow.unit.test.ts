import { describe, expect, test } from "vitest";
import { mlflow } from "../../../src/experiments/formats/mlflow.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const feedback = (assessment_name: string, value: unknown, more: object = {}) => ({
  assessment_name,
  feedback: { value },
  ...more,
});
const trace = (assessments: unknown, fields: object = {}) => ({
  trace_id: "tr-1",
  request: { q: 1 },
  response: "a",
  state: "OK",
  assessments,
  ...fields,
});
const read = (...traces: readonly unknown[]) => readAll(mlflow, storedFile(JSON.stringify(traces)));

describe("a trace of mlflow", () => {
  test("counts yes and no, and keeps other words as categories", async () => {
    const { rows } = await read(
      trace([
        feedback("safe", "Yes", { source: { source_type: "LLM_JUDGE" }, rationale: "why" }),
        feedback("right", "no"),
        feedback("tone", "unknown"),
        feedback("exact", true, { source: { source_type: "CODE" } }),
        feedback("parts", { a: 1 }),
        feedback("exact", 0.5),
      ]),
    );
    expect(rows[0]?.scores).toEqual([
      { key: "safe", value: 1, more: { value: "Yes" }, by: "model", comment: "why" },
      { key: "right", value: 0, more: { value: "no" } },
      { key: "tone", value: undefined, more: { value: "unknown" } },
      { key: "exact", value: true, by: "code" },
      { key: "parts", value: undefined, more: { value: '{"a":1}' } },
      { key: "exact 2", value: 0.5 },
    ]);
  });

  test("has no score of what was expected, and none that was corrected", async () => {
    const { rows } = await read(
      trace([
        { assessment_name: "letters", expectation: { value: 5 } },
        { assessment_name: "facts", expectation: { serialized_value: { value: '["a"]' } } },
        feedback("old", 0, { valid: false }),
      ]),
    );
    expect(rows[0]).toMatchObject({ expected: { letters: 5, facts: '["a"]' }, scores: [] });
  });

  test("that failed has an error and no output", async () => {
    const { rows } = await read(trace([], { state: "ERROR", response: null }));
    expect(rows[0]).toMatchObject({ outputs: undefined, error: expect.stringContaining("failure") as string });
  });

  test("whose assessments are a text is a fault", async () => {
    const { rows, faults } = await read(trace("[cut"), trace([]));
    expect(rows).toHaveLength(1);
    expect(faults).toEqual(["row 1: `0.assessments` is a text, not a list"]);
  });
});
