import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { durationText, elapsedText, latencyText } from "../../src/text/duration.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 };
const DURATION = fc.integer({ min: 0, max: 30 * 3_600_000 });

function parse(text: string): number {
  return [...text.matchAll(/([0-9.]+) (ms|s|min|h)/g)].reduce(
    (sum, [, number = "", unit = ""]) => sum + Number(number) * (UNITS[unit] ?? Number.NaN),
    0,
  );
}

describe("a duration for a person", () => {
  it.each([
    [0, "0 ms"],
    [49, "49 ms"],
    [180, "0.2 s"],
    [4_000, "4 s"],
    [4_540, "4.5 s"],
    [9_960, "10 s"],
    [48_400, "48 s"],
    [59_499, "59 s"],
    [59_500, "1 min"],
    [125_000, "2 min 5 s"],
    [3_599_499, "59 min 59 s"],
    [3_599_500, "1 h"],
    [3_720_000, "1 h 2 min"],
    [86_400_000, "24 h"],
  ])("writes %d ms as %s", (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });

  it.each([durationText, elapsedText, latencyText])(
    "never has sixty of a unit and is close to the truth: %o",
    (write) => {
      fc.assert(
        fc.property(DURATION, (milliseconds) => {
          const text = write(milliseconds);
          expect(text).not.toMatch(/\b(?:60|[0-9]{3,}) (?:s|min)|1000 ms/);
          const tolerance = milliseconds < 3_599_500 ? 500 : 30_500;
          expect(Math.abs(parse(text) - milliseconds)).toBeLessThanOrEqual(tolerance);
        }),
      );
    },
  );

  it("never gets shorter when more time has passed", () => {
    fc.assert(
      fc.property(DURATION, DURATION, (one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        expect(parse(durationText(less))).toBeLessThanOrEqual(parse(durationText(more)));
      }),
    );
  });

  it("survives clocks that jump", () => {
    expect([-3_000, Number.NaN].map(durationText)).toEqual(["0 ms", "0 ms"]);
  });
});

it("the time of one answer is shown in milliseconds up to a second", () => {
  expect([84.4, 999.4, 999.6, 1_240].map(latencyText)).toEqual(["84 ms", "999 ms", "1 s", "1.2 s"]);
});

it("time that has passed is shown in whole seconds", () => {
  expect([0, 4_400, 34_000, 72_000].map(elapsedText)).toEqual(["0 s", "4 s", "34 s", "1 min 12 s"]);
});
