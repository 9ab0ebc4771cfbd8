import { expect, test } from "vitest";
import { isEmpty, markup, type Content } from "../../../src/pages/markup.ts";
import {
  endpointTable,
  foldedCell,
  objectCell,
  proseCell,
  spanText,
  stringOf,
  textCell,
  timeCell,
} from "../../../src/local/pages/cells.ts";

const shown = (content: Content) => markup`${content}`.text;

test("an object has a line a member, strings without quotes, and nothing shows where nothing is", () => {
  expect(shown(objectCell('{"a":"<b>","n":1.50}'))).toBe("<pre>a: &#60;b&#62;\nn: 1.50</pre>");
  const nothing = [objectCell(undefined), objectCell("null"), foldedCell("x", "null"), proseCell(""), textCell("")];
  expect(nothing.map(isEmpty)).toEqual(nothing.map(() => true));
});

test("a long text is folded, and a very long one is cut with the count of the rest", () => {
  expect(shown(textCell("x".repeat(320)))).toBe(`<pre>${"x".repeat(320)}</pre>`);
  expect(shown(textCell(`${"a\n".repeat(8)}b`))).toContain("show all 17 characters");
  const long = shown(textCell("x".repeat(20_007)));
  expect(long).toContain("… 7 more characters");
  expect(long.length).toBeLessThan(21_000);
});

test("a time is shown to the second, and a span in words", () => {
  const moment = "2026-05-04T10:00:01.123Z";
  expect(timeCell(Date.parse(moment)).text).toContain(`datetime="${moment}"`);
  expect(timeCell(moment).text).toContain(">2026-05-04 10:00:01 UTC<");
  expect(timeCell('"><script>').text).not.toContain("<script>");
  expect(spanText("2026-05-04T10:00:00Z", "2026-05-04T10:00:02Z")).toContain("2");
});

test("a JSON text that is a string has its value", () => {
  expect([stringOf('"a\\n"'), stringOf("1"), stringOf(undefined)]).toEqual(["a\n", undefined, undefined]);
});

test("a name in backticks in what is said of an endpoint is shown as a name", () => {
  expect(endpointTable("Lists", [["GET /sessions", "lists them; `name` finds one"]]).text).toContain(
    "lists them; <code>name</code> finds one",
  );
});
