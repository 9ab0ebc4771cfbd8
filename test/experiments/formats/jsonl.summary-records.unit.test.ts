import { expect, test } from "vitest";
import { jsonl } from "../../../src/experiments/formats/jsonl.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const ROWS = ['{"input":"a","output":"b","exact":1}', '{"input":"c","output":"d","exact":0}'];
const read = (...lines: readonly string[]) => readAll(jsonl, storedFile(lines.join("\n")));

test("a summary behind the rows is reported, and is neither a row nor a score", async () => {
  const { rows, warnings, faults } = await read(...ROWS, '{"exact":0.5,"count":2}', '{"took_minutes":3}');
  expect(rows.map(({ inputs, scores }) => [inputs, scores])).toEqual([
    ["a", [{ key: "exact", value: 1 }]],
    ["c", [{ key: "exact", value: 0 }]],
  ]);
  expect(warnings).toEqual([
    "results.any, line 3: a record with `exact` and `count` has no inputs and is not taken as a row; 2 records are left out. " +
      "Scores of the whole belong in the summary scores.",
  ]);
  expect(faults).toEqual([]);
});

test("a record about the run before the rows is reported", async () => {
  const { rows, warnings } = await read('{"run":"r","model":"m"}', ...ROWS);
  expect(rows.map(({ inputs }) => inputs)).toEqual(["a", "c"]);
  expect(warnings).toEqual([expect.stringContaining("line 1: a record with `run` and `model` has no inputs")]);
});

test("a record between rows stays a row, and so does one with the keys of rows or an error", async () => {
  const [first = "", second = ""] = ROWS;
  const { rows, warnings } = await read(first, '{"took":"2 s"}', second, '{"exact":1}');
  expect(rows.map(({ inputs }) => inputs)).toEqual(["a", undefined, "c", undefined]);
  const failed = await read(first, '{"error":"no model","case":7}');
  expect(failed.rows.map(({ error }) => error)).toEqual([undefined, "no model"]);
  expect([...warnings, ...failed.warnings]).toEqual([]);
});

test("more than 100 records behind the rows are no summary", async () => {
  const { rows } = await read(...ROWS, ...Array.from({ length: 101 }, (_, index) => `{"count":${index}}`));
  expect(rows).toHaveLength(103);
});
