import fc from "fast-check";
import { expect, test } from "vitest";
import { literalLength, parseWildmatch } from "../../src/files/wildmatch.ts";

test.each([
  ["a*c", ["ac", "abbc"], ["a/c", "ab"]],
  ["a?c", ["abc", "aéc"], ["ac", "a/c"]],
  ["**/a", ["a", "x/a", "x/y/a"], ["xa"]],
  ["a/**", ["a/b", "a/b/c"], ["a"]],
  ["a/**/b", ["a/b", "a/x/y/b"], ["ab", "a/xb"]],
  ["[a-c]x", ["ax", "cx"], ["dx", "/x"]],
  ["[!a]x", ["bx"], ["ax", "/x"]],
  ["[]a]x", ["]x", "ax"], ["bx"]],
  ["[[:digit:]]", ["7"], ["a"]],
  ["\\*", ["*"], ["a"]],
])("%s matches %j and not %j", (pattern, good, bad) => {
  const wildcards = parseWildmatch(pattern);
  for (const text of good) expect(wildcards?.matches(text), text).toBe(true);
  for (const text of bad) expect(wildcards?.matches(text), text).toBe(false);
});

test("a pattern that is malformed matches nothing, as git has it", () => {
  expect(parseWildmatch("[a")).toBeUndefined();
});

test("a text without wildcards is a pattern of itself alone", () => {
  const plain = fc.string({ unit: fc.constantFrom("a", "b", "/", ".", "é", " "), minLength: 1 });
  fc.assert(
    fc.property(plain, plain, (pattern, text) => {
      expect(literalLength(pattern)).toBe(pattern.length);
      expect(parseWildmatch(pattern)?.matches(text)).toBe(pattern === text);
    }),
  );
  expect(literalLength("a/b*c")).toBe(3);
});
