import { describe, expect, test } from "vitest";
import { listed, quoted } from "../../src/text/quoted.ts";

describe("a value of the user's", () => {
  test("is quoted on one line", () => {
    expect(quoted('a "b"\nc')).toBe('"a \\"b\\"\\nc"');
    expect(quoted("x".repeat(80))).toBe(`"${"x".repeat(80)}"`);
  });

  test("is cut at 80 characters, with their count, and no character is cut in half", () => {
    expect(quoted("x".repeat(12_345))).toBe(`"${"x".repeat(80)}…" (12,345 characters)`);
    expect(quoted("😀".repeat(50).slice(1))).not.toMatch(/\\ud83d…/);
  });
});

test("a list is written out, and a long one cut with the count of the others", () => {
  expect([listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], { conjunction: "and" })]).toEqual([
    "",
    "a",
    "a or b",
    "a, b and c",
  ]);
  expect(
    listed(
      Array.from({ length: 1_010 }, (_, index) => String(index)),
      { most: 10 },
    ),
  ).toBe("0, 1, 2, 3, 4, 5, 6, 7, 8, 9 or 1,000 more");
});
