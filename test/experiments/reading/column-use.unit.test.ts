import { describe, expect, test } from "vitest";
import { caseWarning, ColumnUse, gapsWarning } from "../../../src/experiments/reading/column-use.ts";
import type { JsonObject } from "../../../src/files/json/value.ts";

function useOf(column: string, rows: readonly JsonObject[]) {
  const use = new ColumnUse(column);
  const values = rows.map((metadata, at) =>
    use.valueOf({ place: { file: "r.jsonl", line: at + 1 }, inputs: {}, metadata, scores: [] }),
  );
  return { use, values };
}

describe("a column that is named", () => {
  test("gives each row its value, without blanks around it", () => {
    const { use, values } = useOf("model", [{ model: " a " }, { model: 2 }, { model: true }]);
    expect(values).toEqual(["a", "2", "true"]);
    expect([use.isUnknown, use.gaps, gapsWarning(use), caseWarning(use.column, use.values)]).toEqual([
      false,
      [],
      undefined,
      undefined,
    ]);
    expect(use.valuesText).toBe("`2`, `a`, `true`");
  });

  test("is unknown where no row has it, and known where a row has it without a value", () => {
    expect(useOf("model", [{ Model: "a" }]).use.isUnknown).toBe(true);
    expect(useOf("model", [{ Model: "a" }]).use.unknownText).toBe(
      "no row has a column `model`; the columns are `Model`; did you mean `Model`?",
    );
    expect(useOf("model", [{}]).use.unknownText).toBe("no row has a column `model`, or any other");
    for (const nothing of [null, "", " ", { name: "a" }, ["a"]])
      expect(useOf("model", [{ model: nothing }]).use.isUnknown, JSON.stringify(nothing)).toBe(false);
    expect(useOf("model", []).use.isUnknown).toBe(false);
  });

  test("names each way to have no value once, with its first row", () => {
    const { use } = useOf("model", [{ model: "a" }, {}, { model: "" }, {}, { model: {} }, { model: null }]);
    expect(use.gaps.map(({ place, message, count }) => [place.line, message, count])).toEqual([
      [2, "the row has no `model`; so have 1 more rows", 2],
      [3, "`model` is empty; and in 1 more rows", 2],
      [5, "`model` is an object or a list, not a value", 1],
    ]);
    expect(gapsWarning(use)).toBe("5 rows have no value in `model` and are left out: the first is r.jsonl, line 2.");
  });

  test("warns of values that differ in case alone", () => {
    expect(caseWarning("model", useOf("model", [{ model: "GPT" }, { model: "gpt" }]).use.values)).toBe(
      "`model` has values that differ in case alone, which are not the same value: `GPT`, `gpt`.",
    );
  });

  test("keeps no more names and values than can be shown", () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ [`c${String(at)}`]: 1, model: `m${String(at)}` }));
    expect(useOf("model", rows).use.values.size).toBe(50);
  });
});
