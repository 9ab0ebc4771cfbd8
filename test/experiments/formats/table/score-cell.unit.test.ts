import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  commaOf,
  isMissingCell,
  isPercent,
  scoreOfCell,
  scoreReader,
  verdictOf,
  verdictPair,
} from "../../../../src/experiments/formats/table/score-cell.ts";
import { ExactNumber, type JsonValue } from "../../../../src/files/json/value.ts";

describe("a cell as a score", () => {
  test.each<[string, JsonValue]>([
    ["1", 1],
    [" +.5 ", 0.5],
    ["-1.", -1],
    ["1E-3", 0.001],
    ["007", 7],
    ["TRUE", true],
    ["#N/A", null],
    ["  ", null],
    ["-Infinity", null],
    ["0.1234567890123456789", new ExactNumber("0.1234567890123456789")],
    ["1,5", "1,5"],
    ["0x10", "0x10"],
    ["1 2", "1 2"],
  ])("%j is %j", (cell, score) => {
    expect(scoreOfCell(cell)).toEqual(score);
  });

  test("is the number that a program wrote", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const score = scoreOfCell(String(number));
        expect(score instanceof ExactNumber ? score.value : score).toBe(number === 0 ? score : number);
      }),
    );
  });
});

test.each([
  ["Yes", "agreement", true],
  [" n ", "agreement", false],
  ["passed", "pass", true],
  ["error", "ok", false],
  ["maybe", undefined, undefined],
])("%j is a word of %j", (text, pair, isGood) => {
  expect([verdictPair(text), verdictOf(text)]).toEqual([pair, isGood]);
});

test("a word counts in a column of its own pair alone", () => {
  expect([verdictOf("yes", "agreement"), verdictOf("yes", "pass")]).toEqual([true, undefined]);
});

test.each([
  ["1,5", "comma"],
  ["1,234", "unsure"],
  ["0,234", "comma"],
  ["1234,567", "comma"],
  ["1.5", undefined],
  ["1,2,3", undefined],
])("the comma of %j is %j", (text, comma) => {
  expect(commaOf(text)).toBe(comma);
});

test("percent and missing cells are known by their texts", () => {
  expect(["90 %", "12,5%", "90", "% 9"].map(isPercent)).toEqual([true, true, false, false]);
  expect(["", " NaN ", "n/a", "<NA>", "0", "-"].map(isMissingCell)).toEqual([true, true, true, true, false, false]);
});

test.each<[Parameters<typeof scoreReader>[0], JsonValue, JsonValue]>([
  ["percent", "12.3 %", 0.123],
  ["percent", "n/a", null],
  ["percent", 0.5, "0.5"],
  ["comma", "0,5", 0.5],
  ["comma", "2", 2],
  ["comma", "0.5", "0.5"],
  ["word", "passed", true],
  ["word", "yes", "yes"],
  ["word", 1, "1"],
  ["word", true, true],
  ["number", "0.5", 0.5],
  ["category", "good", "good"],
  ["category", "true", "true"],
  ["category", "", null],
])("in a column of the form %s, %j is %j", (form, value, score) => {
  expect(scoreReader(form, "pass")(value)).toEqual(score);
});

test.each<[Parameters<typeof scoreReader>[0], JsonValue, JsonValue]>([
  ["number", "1.234", 1_234],
  ["number", "-1.234.567,5", -1_234_567.5],
  ["number", "1,5", 1.5],
  ["number", "0.5", 0.5],
  ["number", 1.234, 1.234],
  ["number", "nan", null],
  ["comma", "1.234", 1_234],
  ["comma", "945", 945],
  ["comma", "0.5", "0.5"],
  ["percent", "1.234 %", 0.012_34],
])("as %s with points between thousands, %j is %j", (form, value, score) => {
  expect(scoreReader(form, undefined, true)(value)).toEqual(score);
});
