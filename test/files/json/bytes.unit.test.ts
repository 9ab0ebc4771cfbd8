import { expect, test } from "vitest";
import { backslashesBefore, endsScalar, isSpace } from "../../../src/files/json/bytes.ts";

test("the white space of JSON is four bytes, and they and its signs end a number", () => {
  const spaces = Array.from({ length: 256 }, (_, byte) => byte).filter(isSpace);
  expect(Buffer.from(spaces).toString()).toBe("\t\n\r ");
  const ends = Array.from({ length: 256 }, (_, byte) => byte).filter(endsScalar);
  expect(Buffer.from(ends).toString()).toBe('\t\n\r ",:[]{}');
});

test.each([
  ['"', 0, 0, 0],
  ['\\"', 0, 1, 1],
  ["a\\\\\\b", 0, 4, 3],
  ["\\\\\\b", 2, 3, 1],
])("before a place of %j", (text, from, until, count) => {
  expect(backslashesBefore(Buffer.from(text), from, until)).toBe(count);
});
