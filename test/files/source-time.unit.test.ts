import { expect, test } from "vitest";
import { formatInstant } from "../../src/contract/instant.ts";
import { ExactNumber, NOT_A_NUMBER } from "../../src/files/json/value.ts";
import { readTime } from "../../src/files/source-time.ts";

test.each([
  ["2026-11-21T08:00:00+02:00", "2026-11-21T06:00:00Z", true],
  ["2026-11-21 06:00:00.123456Z", "2026-11-21T06:00:00.123456Z", true],
  ["2026-11-21T06:00:00", "2026-11-21T06:00:00Z", false],
  [1_795_240_800, "2026-11-21T06:00:00Z", true],
  [1_795_240_800.123456, "2026-11-21T06:00:00.123456Z", true],
  [1_795_240_800_123, "2026-11-21T06:00:00.123Z", true],
  ["1795240800123.456", "2026-11-21T06:00:00.123456Z", true],
])("%j is %s", (value, text, zoned) => {
  const time = readTime(value);
  expect(time?.zoned).toBe(zoned);
  expect(formatInstant(time?.microseconds ?? 0n)).toBe(text);
});

test("the last number that is a time is the last millisecond of the year 9999", () => {
  expect(formatInstant(readTime(253_402_300_799_999)?.microseconds ?? 0n)).toBe("9999-12-31T23:59:59.999Z");
});

test.each([
  253_402_300_800_000,
  8.64e15,
  "8640000000000001",
  "9".repeat(1_000_000),
  new ExactNumber("1e400"),
  NOT_A_NUMBER,
])("a number beyond it is no time", (value) => {
  expect(readTime(value)).toBeUndefined();
});

test.each(["soon", "", "2026-13-01T00:00:00Z", -1, true, null])("%j is no time", (value) => {
  expect(readTime(value)).toBeUndefined();
});
