import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatInstant, instantOfMilliseconds, parseInstant } from "../../src/contract/instant.ts";

const micros = (text: string) => parseInstant(text)?.microseconds;

describe("a time", () => {
  test.each([
    ["1970-01-01T00:00:00Z", 0n],
    ["2026-03-04T05:06:07Z", 1_772_600_767_000_000n],
    ["2026-03-04t05:06:07z", 1_772_600_767_000_000n],
    ["2026-03-04 05:06:07Z", 1_772_600_767_000_000n],
    ["2026-03-04T05:06:07.5Z", 1_772_600_767_500_000n],
    ["2026-03-04T05:06:07.000001Z", 1_772_600_767_000_001n],
    ["2026-03-04T05:06:07.123456789Z", 1_772_600_767_123_456n],
    ["2026-03-04T07:06:07+02:00", 1_772_600_767_000_000n],
    ["2026-03-04T07:06:07+0200", 1_772_600_767_000_000n],
    ["2026-03-03T21:36:07-07:30", 1_772_600_767_000_000n],
    ["2026-03-04T05:06:07-00:00", 1_772_600_767_000_000n],
    ["2016-12-31T23:59:60Z", 1_483_228_800_000_000n],
    ["2024-02-29T00:00:00Z", 1_709_164_800_000_000n],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000_000n],
    ["9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999n],
  ])("%s is read to the microsecond", (text, expected) => {
    expect(parseInstant(text)).toEqual({ microseconds: expected, zoned: true });
  });

  test("without a zone is UTC, and says that it has none", () => {
    expect(parseInstant("2026-03-04T05:06:07.25")).toEqual({ microseconds: 1_772_600_767_250_000n, zoned: false });
  });

  test.each([
    "",
    "now",
    "2026-03-04",
    "2026-03-04T05:06Z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-03-04T24:00:00Z",
    "2026-03-04T23:60:00Z",
    "2026-03-04T23:59:61Z",
    "9999-12-31T23:59:60Z",
    "9999-12-31T23:59:59-00:01",
    "0001-01-01T00:00:00+00:01",
    "2026-03-04T05:06:07.Z",
    "2026-03-04T05:06:07+24:00",
    "2026-03-04T05:06:07+02:60",
    "2026-03-04T05:06:07Z ",
    "0000-01-01T00:00:00Z",
    "1772600767",
    "20260304T050607Z",
  ])("is not %j", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test("is the one that Date reads, in milliseconds and in any zone", () => {
    const zone = fc.integer({ min: -1439, max: 1439 });
    const range = { min: new Date("0002-01-01T00:00:00Z"), max: new Date("9998-12-31T00:00:00Z"), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(range), zone, (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, "0");
        const rest = String(Math.abs(minutes) % 60).padStart(2, "0");
        expect(micros(`${local}${minutes < 0 ? "-" : "+"}${hours}:${rest}`)).toBe(
          instantOfMilliseconds(date.getTime()),
        );
      }),
    );
  });

  test("reads the same after it was written", () => {
    const years = { min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n };
    fc.assert(
      fc.property(fc.bigInt(years), (microseconds) => {
        expect(parseInstant(formatInstant(microseconds))).toEqual({ microseconds, zoned: true });
      }),
    );
  });

  test.each([
    [0n, "1970-01-01T00:00:00Z"],
    [1_500_000n, "1970-01-01T00:00:01.500Z"],
    [1_500_001n, "1970-01-01T00:00:01.500001Z"],
    [-1n, "1969-12-31T23:59:59.999999Z"],
  ])("%s is written as %s", (microseconds, text) => {
    expect(formatInstant(microseconds)).toBe(text);
  });

  test("is the same in the plainest form and in one that needs the pattern", () => {
    const two = fc.oneof(
      fc.nat(99).map((number) => String(number).padStart(2, "0")),
      fc.string({ minLength: 2, maxLength: 2 }),
    );
    const fraction = fc.oneof(
      fc.constant(""),
      fc.string({ maxLength: 8, unit: fc.constantFrom("0", "5", "9", ".", ",", "Z", "x") }),
    );
    fc.assert(
      fc.property(fc.array(two, { minLength: 7, maxLength: 7 }), fraction, (parts, more) => {
        const [century = "", year = "", month = "", day = "", hour = "", minute = "", second = ""] = parts;
        const text = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}${more === "" ? "" : `.${more}`}Z`;
        expect(parseInstant(text)).toEqual(parseInstant(text.replace(/T(?=..:)/, "t")));
      }),
    );
  });
});
