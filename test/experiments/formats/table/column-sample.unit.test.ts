import { expect, test } from "vitest";
import { ColumnValues, kindOfJson, kindOfText } from "../../../../src/experiments/formats/table/column-sample.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../../../src/files/json/value.ts";

test.each([
  ["", "nothing"],
  ["nan", "nothing"],
  ["1.5", "number"],
  ["true", "number"],
  ["90 %", "percent"],
  ["1,5", "comma"],
  ["1,234", "unsure"],
  ["passed", "word"],
  ["Paris", "text"],
])("the text %j is %s", (text, kind) => {
  expect(kindOfText(text)).toBe(kind);
});

test.each<[JsonValue, string]>([
  [null, "nothing"],
  [NOT_A_NUMBER, "nothing"],
  [new ExactNumber("1e400"), "number"],
  [true, "number"],
  ["1", "digits"],
  ["true", "word"],
  [{}, "object"],
  [[], "list"],
])("the value %j is %s", (value, kind) => {
  expect(kindOfJson(value)).toBe(kind);
});

const sampleOf = (...cells: readonly string[]) => {
  const values = new ColumnValues((value) => (typeof value === "string" ? kindOfText(value) : "nothing"));
  for (const cell of cells) values.add(cell);
  return values.sample("a");
};

test.each([
  [["1", "", "2"], "number", "number"],
  [["1,5", "1,234", "2"], "comma", "comma"],
  [["1,234", "x"], "text", undefined],
  [["yes", "no"], "word", "word"],
  [["yes", "passed"], "mixed", "word"],
  [["1", "2", "x"], "mixed", "number"],
  [["yes", "x", "y z"], "text", undefined],
  [["0.9", "0,9"], "notations", "number"],
  [["", "n/a"], "nothing", undefined],
])("a column of %j is %s", (cells, kind, form) => {
  const sample = sampleOf(...cells);
  expect([sample.kind, sample.form]).toEqual([kind, form]);
});

test("a column knows its least whole number, and whether all of it is true or false", () => {
  expect([sampleOf("3", "1", "").least, sampleOf("3", "1.5").least, sampleOf().least]).toEqual([
    1,
    undefined,
    undefined,
  ]);
  expect([sampleOf("true", "False").isBoolean, sampleOf("true", "1").isBoolean]).toEqual([true, false]);
  expect(sampleOf("", "b", "c").first).toBe("b");
});
