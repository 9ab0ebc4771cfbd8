import { describe, expect, test } from "vitest";
import { jsonl } from "../../../src/experiments/formats/jsonl.ts";
import { opik } from "../../../src/experiments/formats/opik.ts";
import type { ResultFormat } from "../../../src/experiments/formats/shared/format.ts";
import { numbersOf } from "./expected-file.ts";
import { readAll } from "./reading.ts";
import { storedFile } from "./stored-file.ts";

const lines = (...records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("Opik", () => {
  test("leaves the names of several experiments in one table to a mapping", () => {
    const header = "id,dataset.question,one.evaluation_task.output,two.evaluation_task.output\n1,x,y,z\n";
    expect(opik.detect(storedFile(header))).toBe(false);
  });

  test("has the scores of items of its API, which are rows of anything", async () => {
    const item = { dataset_item_id: "d", trace_id: "t", input: { q: 1 }, output: { a: 1 }, total_estimated_cost: 0.5 };
    const scores = [{ name: "exact", value: 1, source: "sdk", reason: null }];
    const { rows } = await readText(
      jsonl,
      JSON.stringify({ content: [{ ...item, feedback_scores: scores }], page: 1 }),
    );
    expect(rows.map(({ id, cost }) => [id, cost])).toEqual([["d", 0.5]]);
    expect(rows.map(numbersOf)).toEqual([{ exact: 1 }]);
  });

  test("has an assertion as a score, and a category as what it is", async () => {
    const item = {
      dataset_item_id: "1",
      evaluation_task_output: { output: "x" },
      dataset_item_data: { id: "1", input: "q" },
      feedback_scores: [{ name: "kind", value: 2, category_name: "good" }],
      assertion_results: [{ value: "is polite", passed: false, reason: "no" }],
    };
    const { rows } = await readText(opik, lines(item));
    expect(rows.map(numbersOf)).toEqual([{ kind: 2, "is polite": 0 }]);
    expect(rows[0]?.inputs).toBe("q");
  });
});
