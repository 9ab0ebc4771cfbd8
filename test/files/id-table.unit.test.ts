import fc from "fast-check";
import { propertyRuns } from "../property-runs.ts";
import { expect, test } from "vitest";
import { IdTable } from "../../src/files/id-table.ts";

test("a table of ids knows what a map knows, in either case of its letters", () => {
  fc.assert(
    fc.property(fc.array(fc.uuid(), { maxLength: 2_000 }), fc.uuid(), (ids, other) => {
      const [table, map] = [new IdTable(), new Map<string, number>()];
      for (const id of ids) {
        expect(table.get(id.toUpperCase())).toBe(map.get(id));
        if (map.has(id)) continue;
        table.add(id);
        map.set(id, map.size);
      }
      for (const [id, row] of map) expect([table.get(id), table.at(row)]).toEqual([row, id]);
      expect(table.get(other)).toBe(map.get(other));
    }),
    { numRuns: propertyRuns(0.3) },
  );
});
