import fc from "fast-check";
import { propertyRuns } from "../property-runs.ts";
import { expect, test } from "vitest";
import { Column } from "../../src/files/column.ts";

test("a column holds what was set, in any order of its rows, and 0 elsewhere", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20_000), fc.integer())), fc.nat(40_000), (cells, other) => {
      const [column, map] = [new Column(Float64Array), new Map<number, number>()];
      for (const [row, value] of cells) {
        column.set(row, value);
        map.set(row, value);
      }
      for (const row of [...map.keys(), other]) expect(column.get(row)).toBe(map.get(row) ?? 0);
    }),
    { numRuns: propertyRuns(0.5) },
  );
});
