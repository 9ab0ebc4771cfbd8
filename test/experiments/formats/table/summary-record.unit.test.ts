import { expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const TABLE = ["id,question,output,correct", "c0,a,x,1", "c1,b,y,0"];
const readTable = (...lines: readonly string[]) => readAll(csv, storedFile(lines.join("\n")));

test.each([["TOTAL,,,0.5"], ["Mean:,mean,,0.5"], [",Average,,0.5"], [",,,0.5"]])(
  "the means of a table in %s are no row",
  async (line) => {
    const { rows, warnings, faults } = await readTable(...TABLE, line);
    expect(rows.map(({ id }) => id)).toEqual(["c0", "c1"]);
    expect(warnings).toEqual([
      "results.any, line 4: the record holds scores of the whole and is not taken as a row. Scores of the whole belong in the summary scores.",
    ]);
    expect(faults).toEqual([]);
  },
);

test("a mean without inputs is none, however few of its digits are written", async () => {
  const rows = ["question,output,correct", "a,x,0.61", "b,y,0.4", "c,z,0.622"];
  const { rows: read, warnings, faults } = await readTable(...rows, ",,0.5");
  expect(read).toHaveLength(3);
  expect(warnings).toEqual([expect.stringContaining("line 5: the record holds scores of the whole")]);
  expect(faults).toEqual([]);
});

test("rows of a task that is called so are cases, where there is nothing to sum up", async () => {
  const named = async (...tasks: readonly string[]) =>
    (await readTable("task,correct", ...tasks.map((task, at) => `${task},${String(at % 2)}`))).rows.length;
  expect(await named("sum", "sum", "sum")).toBe(3);
  expect(await named("sum", "mean", "sum", "mean")).toBe(4);
  expect(await named("count", "mean", "std", "min", "max")).toBe(0);
  expect(await named("a", "b", "sum", "sum")).toBe(2);
});

test("several of them are reported together, and those of JSON are none either", async () => {
  const table = await readTable(...TABLE, "mean,,,0.5", "std,,,0.7");
  expect(table.rows).toHaveLength(2);
  expect(table.warnings).toEqual([
    expect.stringContaining(
      "line 4: the record holds scores of the whole and is not taken as a row; 2 records are left out.",
    ),
  ]);
  const lines = ['{"question":"a","output":"x","correct":1}', '{"question":"TOTAL","output":"","correct":1}'];
  expect((await readAll(jsonl, storedFile(lines.join("\n")))).rows.map(({ inputs }) => inputs)).toEqual(["a"]);
});

test.each([
  ["a case without inputs that has an id", "c2,,,0"],
  ["a case about a total", "c2,total,,0"],
  ["a total with an answer", "total,,x,1"],
  ["a row without a score", "total,,,"],
])("%s stays a row", async (_what, line) => {
  const { rows, warnings } = await readTable(...TABLE, line);
  expect(rows).toHaveLength(3);
  expect(warnings).toEqual([]);
});

test("a record without inputs that sums up nothing is an error, whatever its other columns say", async () => {
  const { rows, faults } = await readTable("question,output,kind,correct", "a,x,short,1", "b,y,short,0", ",,empty,0.6");
  expect(rows).toHaveLength(2);
  expect(faults).toEqual([
    "4: the record has scores, but no inputs, and does not sum up the rows: give it inputs, or remove it from the file",
  ]);
});

const READ_AS_ROWS =
  "the record looks like scores of the whole, but is between rows and is taken as a row; 2 records are taken so. " +
  "Scores of the whole belong in the summary scores.";

test("between two rows such a record is a case about the word, in a table and in lines of JSON", async () => {
  const lines = ["question,output,correct", "a,x,1", "total,,0", "summary,,0", "b,y,1", "all,,0"];
  const table = await readAll(csv, storedFile(lines.join("\n")));
  expect(table.rows.map(({ inputs }) => inputs)).toEqual(["a", "total", "summary", "b"]);
  expect(table.warnings).toEqual([
    expect.stringContaining("line 6: the record holds scores of the whole and is not taken as a row. "),
    `results.any, line 3: ${READ_AS_ROWS}`,
  ]);
  const objects = ["a", "count", "max", "b"].map((input) => JSON.stringify({ input, score: 1 }));
  const json = await readAll(jsonl, storedFile(objects.join("\n")));
  expect(json.rows.map(({ inputs }) => inputs)).toEqual(["a", "count", "max", "b"]);
  expect(json.warnings).toEqual([`results.any, line 2: ${READ_AS_ROWS}`]);
});

test("before the first row such records are left out", async () => {
  const { rows, warnings } = await readTable("id,question,output,correct", "TOTAL,,,0.5", "mean,,,0.5", "c0,a,x,1");
  expect(rows.map(({ id }) => id)).toEqual(["c0"]);
  expect(warnings).toEqual([expect.stringContaining("; 2 records are left out.")]);
});

test.each([
  ["behind the rows", TABLE, 2],
  ["of a file without other rows", TABLE.slice(0, 1), 0],
])("more than ten together %s are rows, also those behind the tenth", async (_where, lines, others) => {
  const totals = Array.from({ length: 25 }, () => "total,,,0");
  const { rows, warnings, faults } = await readTable(...lines, ...totals);
  expect(rows).toHaveLength(others + totals.length);
  expect([...warnings, ...faults]).toEqual([]);
  const few = await readTable(...TABLE, ...totals.slice(0, 10));
  expect(few.rows).toHaveLength(2);
});

test("a record of empty cells is a blank line", async () => {
  const { rows, warnings, faults } = await readTable(...TABLE, ",,,", "c2,c,z,1", " , , , ");
  expect(rows.map(({ id }) => id)).toEqual(["c0", "c1", "c2"]);
  expect([...warnings, ...faults]).toEqual([]);
});

test("a header between rows is no row, also where its words are verdicts", async () => {
  const header = "id,question,output,pass";
  const { rows, warnings } = await readTable(header, "c0,a,x,pass", header, "c1,b,y,fail");
  expect(rows.map(({ id, scores }) => [id, scores])).toEqual([
    ["c0", [{ key: "pass", value: true }]],
    ["c1", [{ key: "pass", value: false }]],
  ]);
  expect(warnings).toEqual(["results.any, line 3: the header stands here again, and is not taken as a row."]);
});

test.each([
  ["a file of a few rows", 900],
  ["a file of more rows than are looked at first", 2_000],
])("a first case without an output keeps its place before its repetitions, in %s", async (_what, rows) => {
  const others = Array.from({ length: rows }, (_, at) => `q${String(at)},a${String(at)},${String((at % 7) / 8)}`);
  const read = await readTable("input,output,score", "q0,,0.123456", ...others);
  expect([read.rows.length, read.warnings, read.faults]).toEqual([rows + 1, [], []]);
  expect(read.rows.findIndex(({ scores }) => scores[0]?.value === 0.123456)).toBe(0);
});

const HEAD = ["question,output,correct", "a,x,0.5", "b,y,1", "c,z,0.25", "d,w,1"];

test.each([
  ["the number of the rows beside their mean", ["Anzahl,,4", "Mittel,,0.6875"], 2],
  ["what stands behind a mean", ["Mittel,,0.6875", "p95,,1", "Stand: Mai,,"], 3],
  ["a heading above the mean", ["Summary,,", "Schnitt,,0.6875"], 2],
  ["a mean beside a sign for nothing", ["Mittel,-,0.6875"], 1],
  ["a mean beside N/A", ["Mittel,N/A,0.6875"], 1],
  ["a mean with its label in another part", [",Mittel:,0.6875"], 1],
  ["the mean in per cent", ["Gesamt,,68.75%"], 1],
])("%s is no row, behind the rows and before them", async (_what, lines, left) => {
  const below = await readTable(...HEAD, ...lines);
  const [head = "", ...rows] = HEAD;
  const above = await readTable(head, ...lines.toReversed(), ...rows);
  for (const read of [below, above]) {
    expect(read.rows.map(({ inputs }) => inputs)).toEqual(["a", "b", "c", "d"]);
    expect(read.faults).toEqual([]);
    const warnings = read.warnings.filter((text) => text.includes("scores of the whole"));
    expect(warnings).toHaveLength(1);
    if (left > 1) expect(warnings[0]).toContain(`; ${String(left)} records are left out`);
  }
});

test("the share that passed sums up a column of verdicts, and a case without an output in the middle changes nothing", async () => {
  const passed = ["question,output,pass", "a,x,true", "b,y,false", "c,z,true", "d,w,true", "Gesamt,,75.0%"];
  expect((await readTable(...passed)).rows).toHaveLength(4);
  const failed = [...HEAD.slice(0, 3), "failed,,0", ...HEAD.slice(3), "Durchschnitt,,0.55"];
  expect((await readTable(...failed)).rows.map(({ inputs }) => inputs)).toEqual(["a", "b", "failed", "c", "d"]);
});

test.each([
  ["where all rows have one value", ["a,x,1", "b,y,1", ",,1"]],
  ["by the number of a row", ["a,x,1", "b,y,0", "c,z,0.5", ",,0.5"]],
])("a record with neither inputs nor outputs that sums up the rows is left out, %s", async (_where, lines) => {
  const { rows, faults, warnings } = await readTable("question,output,correct", ...lines);
  expect([rows.length, faults, warnings.length]).toEqual([lines.length - 1, [], 1]);
});

test("a record between rows that names no case is an error, as one at an edge", async () => {
  const { faults } = await readTable(
    ...["question,output,kind,correct", "a,x,one,1", "b,y,one,0", ",,one,0.6"],
    ...["c,z,two,1", "d,w,two,0", ",,two,0.7"],
  );
  expect(faults).toEqual([
    expect.stringContaining("4: the record has scores"),
    expect.stringContaining("7: the record has"),
  ]);
});

test("rows of which most have neither inputs nor outputs stay rows", async () => {
  const { rows, faults } = await readTable("question,correct", "a,1", ",0", ",1", "b,0", ",0.5", ",1");
  expect([rows.length, faults]).toEqual([6, []]);
});

test.each([
  ["a case with an answer and without a question", [",an answer,0"]],
  ["the last case, which failed", ["e,,0"]],
  ["the last case, which passed", ["e,,1"]],
  ["the last cases, which got no output", ["e,,0", "f,,0", "g,,"]],
])("%s stay rows", async (_what, lines) => {
  const { rows, faults, warnings } = await readTable(...HEAD, ...lines);
  expect([rows.length, faults, warnings]).toEqual([HEAD.length - 1 + lines.length, [], []]);
});
