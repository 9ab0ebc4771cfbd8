import { expect, test } from "vitest";
import { hexDigit, MOST_BYTES_OF_UNIT } from "../../src/text/code-unit.ts";

test("a hex digit has its value in either case", () => {
  for (const digits of ["0123456789abcdef", "0123456789ABCDEF"]) {
    expect(Array.from({ length: 16 }, (_, at) => hexDigit(digits.charCodeAt(at)))).toEqual(
      Array.from({ length: 16 }, (_, at) => at),
    );
  }
});

test("no unit of UTF-16 takes more bytes than the most that are named, and some take as many", () => {
  const bytes = Array.from({ length: 0x1_0000 }, (_, code) => Buffer.byteLength(String.fromCharCode(code)));
  expect(Math.max(...new Set(bytes))).toBe(MOST_BYTES_OF_UNIT);
  expect(Buffer.byteLength("😀")).toBeLessThanOrEqual(2 * MOST_BYTES_OF_UNIT);
});
