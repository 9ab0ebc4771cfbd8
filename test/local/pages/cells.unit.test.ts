import { expect, test } from "vitest";
import {
  foldedCell,
  objectCell,
  proseCell,
  spanText,
  stringOf,
  textCell,
  timeCell,
} from "../../../src/local/pages/cells.ts";

test("an object has a line a member, strings without quotes, and nothing shows where nothing is", () => {
  expect(objectCell('{"a":"<b>","n":1.50}')).toBe("<pre>a: &#60;b&#62;\nn: 1.50</pre>");
  expect([objectCell(undefined), objectCell("null"), foldedCell("x", "null"), proseCell(""), textCell("")]).toEqual([
    ...["", "", ""],
    ...["", ""],
  ]);
});

test("a long text is folded, and a very long one is cut with the count of the rest", () => {
  expect(textCell("x".repeat(320))).toBe(`<pre>${"x".repeat(320)}</pre>`);
  expect(textCell(`${"a\n".repeat(8)}b`)).toContain("show all 17 characters");
  const long = textCell("x".repeat(20_007));
  expect(long).toContain("… 7 more characters");
  expect(long.length).toBeLessThan(21_000);
});

test("a time is shown to the second, and a span in words", () => {
  const moment = "2026-05-04T10:00:01.123Z";
  expect(timeCell(Date.parse(moment))).toContain(`datetime="${moment}"`);
  expect(timeCell(moment)).toContain(">2026-05-04 10:00:01 UTC<");
  expect(timeCell('"><script>')).not.toContain("<script>");
  expect(spanText("2026-05-04T10:00:00Z", "2026-05-04T10:00:02Z")).toContain("2");
});

test("a JSON text that is a string has its value", () => {
  expect([stringOf('"a\\n"'), stringOf("1"), stringOf(undefined)]).toEqual(["a\n", undefined, undefined]);
});
