import { describe, expect, test } from "vitest";
import { axisOf, HORIZONTAL } from "../../src/pages/chart.ts";

const axis = (low: number, high: number, isLog = false) =>
  axisOf({ name: "x", low, high, isLog, range: HORIZONTAL, text: String });
const ticks = (low: number, high: number, isLog = false) => axis(low, high, isLog).ticks.map(({ text }) => text);

describe("an axis", () => {
  test("has round ticks", () => {
    expect(ticks(0, 1)).toEqual(["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    expect(ticks(10, 9_000, true)).toEqual(["10", "100", "1000"]);
    expect(ticks(180, 2_600, true)).toEqual(["200", "500", "1000", "2000"]);
    expect(ticks(210, 290, true)).toEqual(["220", "240", "260", "280"]);
  });

  test("reaches from end to end of its range, and has one for a single value", () => {
    const { at } = axis(2, 4);
    expect([at(2), at(4)]).toEqual(HORIZONTAL);
    for (const value of [0, 5, -3])
      expect(axis(value, value).at(value)).toBeCloseTo((HORIZONTAL[0] + HORIZONTAL[1]) / 2);
  });
});
