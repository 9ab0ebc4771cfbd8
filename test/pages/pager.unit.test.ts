import { describe, expect, test } from "vitest";
import { pager } from "../../src/pages/pager.ts";

describe("a pager", () => {
  const linksOf = (offset: number, total: number) =>
    [...pager("/p?a=1", "rows", { offset, limit: 10, total }).text.matchAll(/offset=(\d+)">(\w+)/g)].map(
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
    expect(pager("/p", "rows", { offset: 30, limit: 10, total: 35 }).text).toContain("Rows 31 to 35 of 35");
    expect(pager("/p", "rows", { offset: 90, limit: 10, total: 35 }).text).toContain("35 in all");
  });
});
