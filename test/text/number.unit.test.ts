import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countOf, countText, numberText } from "../../src/text/number.ts";

describe("a count for a person", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1,000"],
    [120_000, "120,000"],
    [1_234_567, "1,234,567"],
  ])("writes %d as %s", (count, text) => {
    expect(countText(count)).toBe(text);
  });

  it("keeps every digit", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (count) => {
        const text = countText(count);
        expect(text).toMatch(/^\d{1,3}(,\d{3})*$/);
        expect(Number(text.replaceAll(",", ""))).toBe(count);
      }),
    );
  });

  it("has a plural for all but one", () => {
    expect([0, 1, 2_000].map((count) => countOf(count, "row"))).toEqual(["0 rows", "1 row", "2,000 rows"]);
  });
});

describe("a number for a person", () => {
  it.each([
    [0, "0"],
    [-0, "0"],
    [1, "1"],
    [0.5, "0.5"],
    [0.8667, "0.867"],
    [1 / 3, "0.333"],
    [0.1 + 0.2, "0.3"],
    [2.4, "2.4"],
    [12.345, "12.3"],
    [-0.125, "-0.125"],
    [1_234.5, "1,234.5"],
    [100, "100"],
    [-1_234_567, "-1,234,567"],
    [0.0004, "0.0004"],
    [1e-9, "1e-9"],
    [1.5e21, "1.5e+21"],
    [1e20, "100,000,000,000,000,000,000"],
  ])("writes %d as %s", (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  it.each([
    [0.999, "0.999"],
    [0.9996, "0.9996"],
    [0.99999, "0.99999"],
    [99.96, "99.96"],
    [123.04, "123.04"],
  ])("does not make a whole number of %d", (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  it("takes the rounding of a sum for what it is", () => {
    expect(numberText(0.1 + 0.7 + 0.2)).toBe("1");
    expect(numberText(0.99999999999999)).toBe("1");
  });

  it("is no number where there is none", () => {
    expect([NaN, Infinity, -Infinity].map(numberText)).toEqual(Array(3).fill("not a number"));
  });

  it("is off by half a percent at most, and looks whole only where the number nearly is", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e12, max: 1e12, noNaN: true }), (value) => {
        const read = Number(numberText(value).replaceAll(",", ""));
        expect(Math.abs(read - value)).toBeLessThanOrEqual(Math.abs(value) * 0.005);
        if (Number.isInteger(read)) expect(Math.abs(read - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-9);
      }),
    );
  });
});
