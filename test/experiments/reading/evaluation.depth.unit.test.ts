import { expect, test } from "vitest";
import { readTable } from "../made-tables/read-table.ts";

const LEVELS = 120_001;
const lists = "[".repeat(LEVELS) + "]".repeat(LEVELS);
const objects = `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`;
const row = '{"input":"q","output":"a","score":1}';

test.each([
  ["a list that is all of the file", "results.json", lists, 1],
  ["brackets that never close", "results.json", "[".repeat(LEVELS), 1],
  ["a value of a record in a list", "results.json", `[${row},\n{"input":"q","output":${objects},"score":1}]`, 2],
  ["what stands beside the rows", "results.json", `{"results":[${row}],\n"more":${objects}}`, 2],
  ["a row of lists", "results.json", `{"columns":["input","score"],"data":[["a",1],\n["b",${lists}]]}`, 2],
  ["a later line", "results.jsonl", `${row}\n${row}\n{"input":${lists},"score":1}\n`, 3],
  ["the first line", "results.jsonl", `{"input":${objects},"score":1}\n${row}\n`, 1],
  ["a log of a tool", "log.json", `{"version":1,"eval":{},"samples":[\n{"id":1,"input":${lists}}]}`, 2],
])("%s that is nested 120,001 levels deep is refused with its line", async (_what, name, text, line) => {
  const { error } = await readTable({ name, text });
  expect(error).toContain(`${name}, line ${String(line)}: brackets are nested more than 1,000 deep`);
});

test("a text in a table that looks so stays a text", async () => {
  const { rows } = await readTable({ name: "results.csv", text: `input,output,score\nq,"${lists}",1\nr,"[1]",0.5\n` });
  expect(rows.map((each) => each.actual_outputs)).toEqual([{ output: lists }, { output: "[1]" }]);
});
