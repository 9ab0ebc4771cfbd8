import { describe, expect, test } from "vitest";
import { weave } from "../../../src/experiments/formats/weave.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const OPERATION = "weave:///e/p/op/Evaluation.predict_and_score:x";
const call = (fields: object = {}) => ({
  op_name: OPERATION,
  trace_id: "t",
  inputs: { example: { question: "?", expected: "a" } },
  output: { output: "a", scores: {} },
  ...fields,
});
const read = (...calls: readonly unknown[]) =>
  readAll(weave, storedFile(calls.map((it) => JSON.stringify(it)).join("\n")));

describe("a call of weave", () => {
  test("has the scores of each scorer, and texts as categories", async () => {
    const scores = { exact: { correct: true, deep: { n: 0.5 } }, tone: "short", none: null, many: [1] };
    const { rows } = await read(call({ output: { output: "a", scores } }), call());
    expect(rows[0]?.scores).toEqual([
      { key: "exact.correct", value: true },
      { key: "exact.deep.n", value: 0.5 },
      { key: "tone", value: undefined, more: { value: "short" } },
      { key: "none", value: null },
      { key: "many", value: undefined, more: { value: "[1]" } },
    ]);
  });

  test("of another operation is left out with a warning, and an error stays one", async () => {
    const { rows, warnings } = await read(
      call({ op_name: "weave:///e/p/op/predict:x" }),
      call({ exception: "no key" }),
    );
    expect(rows).toEqual([expect.objectContaining({ error: "no key" })]);
    expect(warnings).toEqual([expect.stringContaining("1 call of another operation")]);
  });

  test("that only names its example is known by it, with a warning", async () => {
    const example = "weave:///e/p/object/Dataset:d/attr/rows/id/abc";
    const { rows, warnings } = await read(call({ inputs: { example } }), call());
    expect(rows.map(({ id }) => id)).toEqual(["abc", undefined]);
    expect(warnings).toEqual([expect.stringContaining("`inputs.example`")]);
  });
});
