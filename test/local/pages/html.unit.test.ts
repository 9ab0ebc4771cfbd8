import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeHtml } from "../../../src/text/html.ts";
import { beginning, link, nameHtml, nameText, pager, table } from "../../../src/local/pages/html.ts";

const hostile = fc.string({
  unit: fc.constantFrom("<", ">", "&", '"', "'", "a", "/", ":", "_", " ", "🙂", "javascript:"),
});

test("no text becomes a tag, an attribute or an entity", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!#\d+;)/);
      expect(nameHtml(text).replaceAll("<wbr>", "")).not.toMatch(/[<>"']|&(?!#\d+;)/);
      expect(
        table(text, [text], [[escapeHtml(text)]])
          .match(/<[a-z]+/g)
          ?.filter((tag) => tag !== "<wbr"),
      ).toEqual([...["<div", "<table", "<tr", "<th", "<tr", "<td"]]);
    }),
  );
});

test("only web addresses and paths become links", () => {
  expect(link("https://a.example/x", "x")).toBe('<a href="https://a.example/x">x</a>');
  expect(link("/o/a", "x", 'a"b')).toBe('<a href="/o/a" title="a&#34;b">x</a>');
  for (const href of ["javascript:alert(1)", "//evil.example", "data:text/html,x", "", "ftp://a"]) {
    expect(link(href, "x")).toBe("x");
  }
});

test("a long name is cut, and a beginning holds no half of a character", () => {
  expect(nameText("x".repeat(200)).length).toBeLessThanOrEqual(121);
  expect(nameText("x".repeat(120))).toBe("x".repeat(120));
  expect(beginning("a🙂b", 2)).toBe("a");
});

describe("a pager", () => {
  const linksOf = (offset: number, total: number) =>
    [...pager("/p?a=1", "rows", { offset, limit: 10, total }).matchAll(/offset=(\d+)">(\w+)/g)].map(
      ([, at, name]) => `${name ?? ""} ${at ?? ""}`,
    );

  test.each([
    [0, 0, []],
    [0, 10, []],
    [0, 11, ["next 10", "last 10"]],
    [10, 35, ["first 0", "previous 0", "next 20", "last 30"]],
    [30, 35, ["first 0", "previous 20"]],
    [90, 35, ["first 0", "previous 30"]],
  ])("at %d of %d has the links %j", (offset, total, links) => {
    expect(linksOf(offset, total)).toEqual(links);
  });

  test("says where it is", () => {
    expect(pager("/p", "rows", { offset: 30, limit: 10, total: 35 })).toContain("Rows 31 to 35 of 35");
    expect(pager("/p", "rows", { offset: 90, limit: 10, total: 35 })).toContain("35 in all");
  });
});
