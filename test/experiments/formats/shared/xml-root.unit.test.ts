import { expect, test } from "vitest";
import { rootName } from "../../../../src/experiments/formats/shared/xml-root.ts";

test.each([
  ["<testsuites>", "testsuites"],
  ['\n<?xml version="1.0"?>\n<!-- <no> -->\n<testsuite name="a"/>', "testsuite"],
  ['<!DOCTYPE a [<!ELEMENT b (c)>]>\n<a b="c">', "a"],
  ["<a/>", "a"],
  ["<!-- never closed <a>", undefined],
  ["a,b\n<c>", undefined],
  ["<", undefined],
  ["", undefined],
])("%j begins with %j", (text, name) => {
  expect(rootName(text)).toBe(name);
});

test("a long beginning without an end is passed in one go", () => {
  expect(rootName("<!--".repeat(50_000))).toBeUndefined();
  expect(rootName("<!".repeat(50_000))).toBeUndefined();
});
