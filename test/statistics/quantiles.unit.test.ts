import fc from "fast-check";
import { expect, test } from "vitest";
import { quantilesOf } from "../../src/statistics/quantiles.ts";

test("each case weighs the same, however many rows it has", () => {
  // One case of a hundred slow rows is one of ten.
  const [slow, quick] = [Array.from({ length: 100 }, () => 60), Array.from({ length: 9 }, () => 1)];
  const rows = { values: [...slow, ...quick], counts: [100, ...quick.map(() => 1)] };
  expect(quantilesOf(rows)).toEqual({ min: 1, max: 60, p50: 1, p90: 1, p95: 60, p99: 60 });
  expect(quantilesOf({ values: rows.values, counts: undefined })).toMatchObject({ p50: 60, p90: 60 });
});

test("the smallest value that reaches the share is taken, as the rows are, not as the means of cases", () => {
  // 20 cases of 3 rows; one row in ten takes 6 s.
  const values = Array.from({ length: 60 }, (_, at) => (at % 10 === 0 ? 6 : 1));
  const counts = Array.from({ length: 20 }, () => 3);
  expect(quantilesOf({ values, counts })).toEqual({ min: 1, max: 6, p50: 1, p90: 1, p95: 6, p99: 6 });
});

test("an end of the range stands for what is missing", () => {
  const values = [1, 1, Infinity, 1, 1, 1, -Infinity];
  expect(quantilesOf({ values, counts: [2, 1, 1, 1, 1, 1] })).toMatchObject({ min: -Infinity, max: Infinity, p50: 1 });
});

/** The definition, a value at a time. */
function slowly(cases: readonly (readonly number[])[], share: number): number | undefined {
  const all = cases.flatMap((rows) => rows.map((value) => ({ value, weight: 1 / rows.length })));
  const upTo = (value: number) => all.reduce((sum, row) => sum + (row.value <= value ? row.weight : 0), 0);
  return all
    .map(({ value }) => value)
    .toSorted((a, b) => a - b)
    .find((value) => upTo(value) >= share * cases.length - 1e-9);
}

const rows = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true })), {
  minLength: 1,
  maxLength: 6,
});

test("quantiles are those of the definition, in whatever order the cases are", () => {
  fc.assert(
    fc.property(fc.array(rows, { minLength: 1, maxLength: 25 }), (cases) => {
      const quantiles = quantilesOf({ values: cases.flat(), counts: cases.map(({ length }) => length) });
      expect(quantiles.min).toBe(Math.min(...cases.flat()));
      expect(quantiles.max).toBe(Math.max(...cases.flat()));
      for (const [name, share] of [
        ["p50", 0.5],
        ["p90", 0.9],
        ["p95", 0.95],
        ["p99", 0.99],
      ] as const) {
        expect([name, quantiles[name] + 0]).toEqual([name, (slowly(cases, share) ?? Number.NaN) + 0]);
      }
      const turned = cases.toReversed();
      expect(quantilesOf({ values: turned.flat(), counts: turned.map(({ length }) => length) })).toEqual(quantiles);
    }),
  );
});

test("without a row there is none", () => {
  expect(quantilesOf({ values: [], counts: [] }).p95).toBeNaN();
});
