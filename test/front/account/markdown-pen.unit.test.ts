import { expect, test } from "vitest";
import { MarkdownPen } from "../../../front/account/markdown-pen.ts";
import { ForeignText } from "../../../src/text/foreign-text.ts";

const pen = new MarkdownPen(new ForeignText((raw) => raw.replaceAll("hunter-2", "***")));

test("a text has no secret and is nothing but text", () => {
  expect(pen.text("hunter-2 **x** <b>")).not.toMatch(/hunter|<b>|(?<!\\)\*\*x/);
  expect(pen.code("a`hunter-2`b")).not.toContain("hunter");
});

test("of a UUID its first digits are shown, and another id whole", () => {
  expect(pen.id("0F8FAD5B-d9cb-469f-a165-70867728950e")).toContain("0F8FAD5B");
  expect(pen.id("0F8FAD5B-d9cb-469f-a165-70867728950e")).not.toContain("d9cb");
  expect(pen.id("rev-17")).toContain("rev-17");
});

test("a long list of names is cut with its count", () => {
  expect(pen.names(["a", "b"])).toBe("`a`, `b`");
  expect(pen.names(["a", "b", "c"], 2)).toBe("`a`, `b`, and 1 more");
});

test("all but the first rows of a long table are closed at first, and the last are only counted", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, row) => [`r${String(row)}.`]);
  expect(pen.longTable("rows", ["a"], [])).toBe("");
  expect(pen.longTable("rows", ["a"], rows(20))).not.toContain("<details>");
  const long = pen.longTable("rows", ["a"], rows(1_025));
  expect(long).toContain("1,005 more rows");
  expect(long).toContain("and 5 more");
  expect([long.includes("r1019."), long.includes("r1020.")]).toEqual([true, false]);
});
