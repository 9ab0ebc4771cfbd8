import { expect, test } from "vitest";
import { searchedList } from "../../src/pages/list.ts";
import { markup, type Content } from "../../src/pages/markup.ts";

const listOf = (shown: { total: number; search: string; offset?: number }, none?: Content) =>
  markup`${searchedList({ path: "/p?a=1,2", noun: "rows", shown: { limit: 10, offset: 0, ...shown }, items: "the rows", none })}`
    .text;

test("a list without items has no search, one where nothing is found keeps it", () => {
  expect(listOf({ total: 0, search: "" })).toBe('<p class="soft">No rows yet.</p>');
  expect(listOf({ total: 0, search: "" }, "None.")).toBe("None.");
  const found = listOf({ total: 0, search: "x" });
  expect(found).toContain('name="search" value="x"');
  expect(found).toContain("No rows.");
  expect(found).not.toContain("the rows");
});

test("a search keeps what else the page is asked for, and holds while the pages are turned", () => {
  const found = listOf({ total: 35, search: `"&b` });
  expect(found).toContain('<input type="hidden" name="a" value="1,2">');
  expect(found).toContain('value="&#34;&#38;b"');
  const [, next = ""] = /<a href="([^"]*)">next</.exec(found) ?? [];
  const { pathname, searchParams } = new URL(next.replaceAll("&#38;", "&"), "http://a.example");
  expect([pathname, Object.fromEntries(searchParams)]).toEqual(["/p", { a: "1,2", search: `"&b`, offset: "10" }]);
});

test("without a search the addresses of the pages are as they were", () => {
  expect(listOf({ total: 35, search: "" })).toContain('href="/p?a=1,2&#38;offset=10"');
});
