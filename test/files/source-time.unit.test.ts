import fc from "fast-check";
import { expect, test } from "vitest";
import { formatInstant } from "../../src/contract/instant.ts";
import { ExactNumber, NOT_A_NUMBER } from "../../src/files/json/value.ts";
import { readStatedTime, readTime } from "../../src/files/source-time.ts";
import { propertyRuns } from "../property-runs.ts";

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

test("each date as Excel counts it is refused with that word, and the same date in any other form is taken", () => {
  const dayOf = (milliseconds: number) => milliseconds / 86_400_000 + 25_569;
  const [from, to] = [Date.UTC(1990, 0, 1), Date.UTC(2100, 0, 1)];
  fc.assert(
    fc.property(fc.integer({ min: from, max: to }), fc.boolean(), (milliseconds, isText) => {
      const asWritten = (value: number) => (isText ? String(value) : value);
      const serial = readStatedTime(asWritten(dayOf(milliseconds)));
      expect(serial.fault).toMatch(/^is a serial number of a date in Excel; write it as 2026-/);
      const whole = Math.floor(milliseconds / 1_000);
      for (const form of [new Date(milliseconds).toISOString(), asWritten(whole)])
        expect(readStatedTime(form).time).toBeDefined();
    }),
    { numRuns: propertyRuns(1) },
  );
});

test.each(["yesterday", "2026-01-31", "31.01.2026 10:00", true, {}])(
  "%j is no time, and the forms are said",
  (value) => {
    expect(readStatedTime(value).fault).toMatch(/, not a time; write it as 2026-01-31T09:30:00Z, or as the seconds/);
  },
);
