import { describe, expect, test } from "vitest";
import { makeTable } from "../made-tables/make-table.ts";
import { judgeReading } from "../made-tables/judge-reading.ts";
import { readTable, type TableReading } from "../made-tables/read-table.ts";
import { trySeed } from "../made-tables/shrink.ts";
import { writeTable } from "../made-tables/write-table.ts";

const SEEDS = 40;

test("no random table is read green and wrong, nor refused without a reason", { tags: "slow" }, async () => {
  const found: string[] = [];
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const { judged, mayBeRed, error } = await trySeed(seed);
    if (judged.verdict === "wrong") found.push(`${String(seed)}: ${judged.faults.join("; ")}`);
    if (judged.verdict === "red" && !mayBeRed) found.push(`${String(seed)}: ${error ?? ""}`);
  }
  expect(found).toEqual([]);
});

describe("what judges a reading", () => {
  const RIGHT = 4;
  const table = makeTable(RIGHT);
  const written = writeTable(table);
  type Change = (reading: TableReading) => TableReading;
  const first = (change: (row: TableReading["rows"][number]) => TableReading["rows"][number]): Change => {
    return (reading) => ({ ...reading, rows: reading.rows.map((row, at) => (at === 0 ? change(row) : row)) });
  };

  test.each<[string, Change, string]>([
    ["nothing", (reading) => reading, "right"],
    ["a row that is missing", (reading) => ({ ...reading, rows: reading.rows.slice(1) }), "wrong"],
    ["rows in another order", (reading) => ({ ...reading, rows: reading.rows.toReversed() }), "wrong"],
    ["another input", first((row) => ({ ...row, inputs: { input: "x" } })), "wrong"],
    ["no scores", first((row) => ({ ...row, evaluation_scores: [] })), "wrong"],
    [
      "a score of no column",
      first((row) => ({ ...row, evaluation_scores: [...row.evaluation_scores, { key: "?", score: 1 }] })),
      "wrong",
    ],
    [
      "a row as a repetition",
      first((row) => ({ ...row, run_metadata: { ...row.run_metadata, repetition: 1 } })),
      "wrong",
    ],
    ["an error", (reading) => ({ ...reading, error: "no", rows: [] }), "red"],
  ])("finds %s", async (_what, change, verdict) => {
    const reading = await readTable(written);
    expect(judgeReading(table, written, change(reading)).verdict).toBe(verdict);
  });
});
