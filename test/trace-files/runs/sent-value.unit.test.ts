import { expect, test } from "vitest";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../../src/files/json/value.ts";
import { MOST_DEPTH, objectOf, sentValue } from "../../../src/trace-files/runs/sent-value.ts";

const nested = (depth: number): JsonValue => (depth === 0 ? 1 : [nested(depth - 1)]);

test("numbers keep their digits, and what is no number is null", () => {
  const value = { a: [new ExactNumber("12345678901234567890"), NOT_A_NUMBER, 0.1], b: "x" };
  expect(JSON.stringify(sentValue(value))).toBe('{"a":[12345678901234567890,null,0.1],"b":"x"}');
});

test("a value that needs no change is not copied", () => {
  const value = { a: [1, { b: null }] };
  expect(sentValue(value)).toBe(value);
});

test("what is nested too deep is not sent, nor what holds it", () => {
  expect(sentValue(nested(MOST_DEPTH))).toEqual(nested(MOST_DEPTH));
  expect(sentValue(nested(MOST_DEPTH + 1))).toBeUndefined();
  expect(sentValue({ a: 1, b: nested(MOST_DEPTH) })).toBeUndefined();
});

test("a field that must be an object is one, by a name if need be", () => {
  expect(objectOf({ a: 1 }, "input")).toEqual({ a: 1 });
  expect(objectOf([1], "output")).toEqual({ output: [1] });
});
