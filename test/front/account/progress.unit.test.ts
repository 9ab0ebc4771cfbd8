import { describe, expect, test } from "vitest";
import { countRate, longReading, UploadLines } from "../../../front/account/progress.ts";

describe("an upload gets a line", () => {
  const due = (...steps: readonly (readonly [seconds: number, percent: number])[]) => {
    const lines = new UploadLines();
    return steps
      .filter(([seconds, percent]) => {
        return lines.soFar({ sentBytes: percent, totalBytes: 100, milliseconds: seconds * 1_000 }) !== undefined;
      })
      .map(([seconds]) => seconds);
  };

  test("after 5 s, and then for each further tenth", () => {
    expect(due([1, 50], [5, 55], [6, 60], [10, 64], [10.5, 65], [16, 74], [17, 75])).toEqual([5, 10.5, 17]);
  });

  test("at the latest after 30 s, and none at its end", () => {
    expect(due([5, 10], [34, 11], [35, 12], [70, 100])).toEqual([5, 35]);
  });

  test("again when an attempt begins anew, or another upload", () => {
    expect(due([5, 60], [12, 20], [1, 0], [6, 10])).toEqual([5, 12, 6]);
  });
});

test("a rate has three digits, and none where there is nothing to divide by", () => {
  expect(countRate(54_321, "row", 5_000)).toBe("10,900 rows/s");
  expect(countRate(0, "row", 0)).toBe("");
  expect([longReading(7, "row", 4_999), longReading(1_000, "row", 10_000)]).toEqual([
    [],
    [expect.stringContaining("100 rows/s")],
  ]);
});
