import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { propertyRuns } from "../../property-runs.ts";
import { afterAll, describe, expect, test } from "vitest";
import { formatInstant } from "../../../src/contract/instant.ts";
import { RowSpool } from "../../../src/experiments/reading/row-spool.ts";

const folder = mkdtempSync(join(tmpdir(), "row-spool-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const instant = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000n });
const row = fc.record({
  text: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("x".repeat(300_000), "é".repeat(400_000))),
  isWhole: fc.boolean(),
  start: instant,
  end: instant,
});
type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never;

const times = ({ start, end }: Row) => `"start_time":"${formatInstant(start)}","end_time":"${formatInstant(end)}"`;
const members = ({ text }: Row) => `"inputs":${JSON.stringify({ text })}`;
const complete = (each: Row) => `{${members(each)},${times(each)}}`;

async function spooled(rows: readonly Row[], work: (spool: RowSpool) => void): Promise<void> {
  const spool = new RowSpool(folder);
  for (const each of rows) {
    const { start, end } = each;
    const known = { start, end, latency: undefined };
    if (each.isWhole) spool.addWhole(Buffer.from(complete(each)), known);
    else spool.add(members(each), known);
  }
  try {
    work(spool);
  } finally {
    await spool.remove();
  }
}

describe("rows on the disk", () => {
  test(
    "come back as a list without brackets, any range of them, and as long as they were said to be",
    { tags: "slow" },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(row, { maxLength: 12 }), fc.nat(12), fc.nat(12), async (rows, one, other) => {
          const [first, end] = [Math.min(one, other, rows.length), Math.min(Math.max(one, other), rows.length)];
          await spooled(rows, (spool) => {
            spool.close();
            // A block is used again.
            const bytes = Buffer.concat(Array.from(spool.read({ first, end }), (block) => Buffer.from(block)));
            expect(bytes.toString()).toBe(rows.slice(first, end).map(complete).join(","));
            expect(spool.bytesOf({ first, end })).toBe(bytes.length);
          });
        }),
        { numRuns: propertyRuns(0.5) },
      );
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test("can be looked up one by one while more are added", { tags: "slow" }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), fc.nat(), async (rows, at) => {
        const index = at % rows.length;
        const wanted = rows[index];
        if (wanted === undefined) throw new Error("no row");
        await spooled(rows, (spool) => {
          expect(spool.rowBytes(index).toString()).toBe(wanted.isWhole ? complete(wanted) : `{${members(wanted)}}`);
        });
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });
});
