import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { RowTimesTable, type RowTimes } from "../../../src/experiments/rows/times.ts";

const folder = mkdtempSync(join(tmpdir(), "row-times-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const time = fc.option(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), { nil: undefined });

describe("a table of times", () => {
  test("keeps the times of each row, a latency where a time is missing", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ start: time, end: time, latency: time }), { maxLength: 50 }), (rows) => {
        const table = new RowTimesTable(folder);
        for (const row of rows) table.add(row);
        expect(table.count).toBe(rows.length);
        for (const [index, { start, end, latency }] of rows.entries()) {
          const isWhole = start !== undefined && end !== undefined;
          expect(table.get(index)).toEqual({ start, end, latency: isWhole ? undefined : latency });
        }
      }),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test(
    "of more than a page of rows is read and changed at any place, also while rows are added",
    { tags: "slow" },
    () => {
      const table = new RowTimesTable(folder);
      const known: RowTimes[] = [];
      const random = fc.sample(fc.nat(), { seed: 7, numRuns: 2_000 });
      const look = (row: number) => {
        expect(table.get(row)).toEqual(known[row]);
      };
      for (let row = 0; row < 60_000; row++) {
        known.push({ start: BigInt(row), end: undefined, latency: row % 3 === 0 ? undefined : BigInt(-row) });
        table.add({ start: BigInt(row), end: undefined, latency: row % 3 === 0 ? undefined : BigInt(-row) });
        if (row % 30 !== 0) continue;
        const other = (random[row / 30] ?? 0) % known.length;
        look(other);
        known[other] = { start: undefined, end: 7n, latency: BigInt(row) };
        table.set(other, { start: undefined, end: 7n, latency: BigInt(row) });
      }
      known.forEach((_, row) => {
        look(row);
      });
      table.discard();
      table.discard();
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});
