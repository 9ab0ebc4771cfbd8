import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RowTimesTable } from "../../../src/experiments/row-times.ts";

test("a table of times knows of each row what it was told, a latency where a time is missing", () => {
  const time = fc.option(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.record({ start: time, end: time, latency: time }), { maxLength: 2_100 }), (rows) => {
      const table = new RowTimesTable();
      for (const row of rows) table.add(row);
      expect(table.count).toBe(rows.length);
      for (const [index, { start, end, latency }] of rows.entries()) {
        const isWhole = start !== undefined && end !== undefined;
        expect(table.get(index)).toEqual({ start, end, latency: isWhole ? undefined : latency });
      }
    }),
    { numRuns: 30 },
  );
});
