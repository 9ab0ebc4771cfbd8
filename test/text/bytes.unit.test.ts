import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesText, rateText } from "../../src/text/bytes.ts";

const UNITS: Readonly<Record<string, number>> = { byte: 1, bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

describe("an amount of bytes for a person", () => {
  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [1_000, "1.0 kB"],
    [38_249, "38.2 kB"],
    [99_949, "99.9 kB"],
    [99_950, "100 kB"],
    [212_400, "212 kB"],
    [999_499, "999 kB"],
    [999_500, "1.0 MB"],
    [1_234_567, "1.2 MB"],
    [52_428_800, "52.4 MB"],
    [3_000_000_000, "3.0 GB"],
  ])("writes %d as %s", (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });

  it("never says 1000 of a unit, and is never off by more than the last digit", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 40 }), (big, shift) => {
        const bytes = Math.min(Math.floor(big / 2 ** shift), 9e14);
        const [, number = "", unit = ""] = /^([0-9]+(?:\.[0-9])?) (bytes?|[kMGT]B)$/.exec(bytesText(bytes)) ?? [];
        const size = UNITS[unit] ?? Number.NaN;
        expect(Number(number)).toBeLessThan(1_000);
        expect(Math.abs(Number(number) * size - bytes)).toBeLessThanOrEqual(size / (number.includes(".") ? 20 : 2));
      }),
    );
  });

  it("says something sensible of numbers that are no amounts", () => {
    expect([Number.NaN, -5, Number.POSITIVE_INFINITY].map(bytesText)).toEqual(["0 bytes", "0 bytes", "0 bytes"]);
  });
});

describe("a rate for a person", () => {
  it("is an amount a second", () => {
    expect(rateText(6_000_000, 5_000)).toBe("1.2 MB/s");
  });

  it("is empty when no time has passed", () => {
    expect(rateText(6_000_000, 0)).toBe("");
  });
});
