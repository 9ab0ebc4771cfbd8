import { describe, expect, test } from "vitest";
import { openaiEvalItems } from "../../../../src/experiments/formats/openai/eval-items.ts";
import type { ResultFormat } from "../../../../src/experiments/formats/shared/format.ts";
import { numbersOf } from "../expected-file.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const lines = (...records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");
const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("a page of output items", () => {
  test("is a fault where further pages are missing", async () => {
    const item = { datasource_item_id: 1, datasource_item: { input: 1 }, results: [], status: "pass" };
    const { faults } = await readText(openaiEvalItems, JSON.stringify({ data: [item], has_more: true }));
    expect(faults).toEqual([expect.stringContaining("`has_more` is true")]);
  });

  test("gives two graders of one name two scores, and a grader without a number its verdict", async () => {
    const results = [
      { name: "same", score: 0.5 },
      { name: "same", score: null, passed: true },
    ];
    const { rows } = await readText(openaiEvalItems, lines({ datasource_item_id: 1, datasource_item: {}, results }));
    expect(rows.map(numbersOf)).toEqual([{ same: 0.5, "same 2": 1 }]);
  });
});
