import { expect, test } from "vitest";
import type { JsonValue } from "../../../../src/files/json/value.ts";
import { NumberMarks } from "../../../../src/experiments/formats/table/number-marks.ts";

const look = (values: readonly JsonValue[]) => {
  const marks = new NumberMarks();
  for (const value of values) marks.add(value);
  return { sure: marks.sure(values.length), inCommas: marks.inCommas(values.length) };
};

test.each<[readonly JsonValue[], "comma" | "point" | undefined]>([
  [["0,5", "1"], "comma"],
  [["0,234"], "comma"],
  [["1.234,5"], "comma"],
  [["80,5 %", "81 %"], "comma"],
  [["1,200"], undefined],
  [["1.200", "945"], undefined],
  [["0,5", "x"], undefined],
  [["0,5", "0.5"], undefined],
  [["80,5 %", "80.5 %"], undefined],
  [["80,5 %", "x"], undefined],
  [["80 %"], undefined],
  [["0.5", "1.200"], "point"],
  [["12.3%"], "point"],
  [["1.2345"], "point"],
  [["1.5", "x"], undefined],
  [[0.5, 1], undefined],
  [[], undefined],
])("the decimal mark of %j is %s", (values, mark) => {
  expect(look(values).sure).toBe(mark);
});

test.each<[readonly JsonValue[], object | undefined]>([
  [["1.234", "945"], { isMarked: true, isGrouped: true, least: 945 }],
  [["1.234.567"], { isMarked: true, isGrouped: true, least: 1_234_567 }],
  [["1,200", "2"], { isMarked: true, isGrouped: false, least: undefined }],
  [["1.234,5", "1.234", "1,5"], { isMarked: true, isGrouped: true, least: undefined }],
  [["945", 7], { isMarked: false, isGrouped: true, least: 7 }],
  [["0,5", "1.000"], undefined],
  [["0.123"], undefined],
  [["1.234", 0.5], undefined],
  [["1.234", "true"], undefined],
  [[], undefined],
])("with a decimal comma, %j is read as %j", (values, reading) => {
  expect(look(values).inCommas).toEqual(reading);
});
