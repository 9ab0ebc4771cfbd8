import { expect, test } from "vitest";
import { boundedSearch, patternIn } from "../../src/text/bounded-search.ts";

test("a search comes to what it finds, also to nothing", () => {
  expect(boundedSearch(() => "a")).toEqual({ found: "a" });
  expect(boundedSearch(() => undefined)).toEqual({ found: undefined });
});

test("a search that fails finds nothing, and the one after it is not in its way", () => {
  const failing = () => {
    throw new RangeError("too deep");
  };
  expect(boundedSearch(failing)).toBeUndefined();
  expect(boundedSearch(() => 1)).toEqual({ found: 1 });
});

test("a search that takes for ever is ended, and the one after it is not in its way", { tags: "slow" }, () => {
  expect(boundedSearch(() => /^(a+)+$/.test(`${"a".repeat(40)}b`))).toBeUndefined();
  expect(boundedSearch(() => 1)).toEqual({ found: 1 });
});

test.for([
  ["/a b/", /a b/],
  ["/a/imsu", /a/imsu],
  ["/a/b/", /a\/b/],
  ["/a", undefined],
  ["a", undefined],
  ["//", undefined],
  ["/(/", undefined],
  ["/a/g", undefined],
] as const)("%s is the pattern %s", ([written, pattern]) => {
  expect(patternIn(written)).toEqual(pattern);
});
