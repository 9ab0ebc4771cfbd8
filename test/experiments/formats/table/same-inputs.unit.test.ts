import { describe, expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { mappingOf, readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const ROWS = 8;
const RATINGS = ["1", "0"];

/** What the reader warns of for a table of eight rows. */
async function warningsOf(columns: Readonly<Record<string, (row: number) => string>>, mapping?: string) {
  const lines = Array.from({ length: ROWS }, (_, row) =>
    Object.values(columns)
      .map((cell) => cell(row))
      .join(","),
  );
  const options = mapping === undefined ? {} : { mapping: await mappingOf(mapping) };
  const text = `${[Object.keys(columns).join(","), ...lines].join("\n")}\n`;
  return (await readAll(csv, storedFile(text), options)).warnings;
}

const task = () => "Classify what was said";
const differ = (row: number) => `what was said in row ${String(row)}`;
const ok = (row: number) => RATINGS[row % 2] ?? "";

describe("rows that all have the same inputs", () => {
  test("are warned of where another text differs in each row", async () => {
    expect(await warningsOf({ task, utt: differ, ok })).toEqual([
      "results.any: all 8 rows have the same inputs and are repetitions of one case, but `utt` differs in each. If it is what was asked, rename it to `input`, or name the columns in a mapping.",
    ]);
    expect(await warningsOf({ task, utt: differ, said: differ, ok })).toEqual([
      expect.stringContaining("but `utt` and `said` differ in each. If one of them is what was asked"),
    ]);
  });

  test.each([
    ["the inputs differ", { task: (row: number) => (row === 7 ? "another" : task()), utt: differ, ok }],
    ["an id names the case", { id: String, task, utt: differ, ok }],
    ["they are numbered", { task, repetition: String, utt: differ, ok }],
    ["the text is the output", { task, output: differ, ok }],
    ["the text is about the row", { task, judge_comment: differ, trace_id: differ, stop_reason: differ, ok }],
    ["the text is not in each row", { task, utt: (row: number) => (row === 3 ? "" : differ(row)), ok }],
    ["the text is the same in some rows", { task, utt: (row: number) => `text ${String(row % 4)}`, ok }],
  ])("are not warned of where %s", async (_what, columns) => {
    expect(await warningsOf(columns)).toEqual([]);
  });

  test("are not warned of where a mapping names the inputs", async () => {
    expect(await warningsOf({ task, utt: differ, ok }, "inputs: task\nscores:\n  ok: ok")).toEqual([]);
  });
});
