import { expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { numbersOf } from "../expected-file.ts";
import { mappingOf, readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const HEADER = "id;input;output;score;latency_ms;total_tokens";
const FIRST = "1;q;a;0,5;1.234;12.500";
const read = (...lines: readonly string[]) => readAll(csv, storedFile(lines.join("\n")));

test("a decimal comma in one column makes points in all others those of thousands", async () => {
  const { rows, faults, warnings } = await read(HEADER, FIRST, "2;r;b;0,7;945;900");
  expect(rows.map(({ times, usage }) => [times?.milliseconds, usage?.["total_tokens"]])).toEqual([
    [1_234, 12_500],
    [945, 900],
  ]);
  expect(rows.map(numbersOf)).toEqual([{ score: 0.5 }, { score: 0.7 }]);
  expect(faults).toEqual([]);
  expect(warnings).toEqual([
    "results.any: `score` has decimal commas, so the points in `latency_ms` and `total_tokens` are read as marks between thousands.",
  ]);
});

test("a comma before three digits is a decimal comma where another column has one", async () => {
  const { rows } = await read("input;output;Accuracy;Latency (s);Points", "q;a;0,900;1,200;1.234,5", "r;b;1;2,345;7");
  expect(rows.map(({ times }) => times?.milliseconds)).toEqual([1_200, 2_345]);
  expect(rows.map(numbersOf)).toEqual([
    { Accuracy: 0.9, Points: 1_234.5 },
    { Accuracy: 1, Points: 7 },
  ]);
});

test("percentages with a comma say it too; texts of JSON and of a file with commas between its cells are read alone", async () => {
  const { rows } = await read("input;output;pass_rate;latency_ms", "q;a;80,5 %;1.234");
  expect(rows[0]?.times?.milliseconds).toBe(1_234);
  const record = { input: "q", output: "a", score: "0,5", latency_ms: "1.234", cost: 1.234 };
  const json = await readAll(jsonl, storedFile(JSON.stringify(record)));
  expect([json.rows[0]?.times?.milliseconds, json.rows[0]?.cost]).toEqual([1.234, 1.234]);
  const commas = await read("input,output,score,latency_ms,pages", 'q,a,1,1.234,"1,2"', 'r,b,"0,5",2.345,"3,4"');
  expect(commas.rows.map(({ times }) => times?.milliseconds)).toEqual([1.234, 2.345]);
});

test("a mapping reads the numbers in the same way", async () => {
  const mapping = await mappingOf("inputs: q\nscores:\n  exact: s\nlatency_ms: took");
  const { rows } = await readAll(csv, storedFile("q;s;took\na;0,5;1.234\nb;1;945\n"), { mapping });
  expect(rows.map(({ times }) => times?.milliseconds)).toEqual([1_234, 945]);
});

test("a column of whole numbers, and one that begins later, are held to it", async () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `${at};q${at};a;0,5;7;`);
  const { rows, faults } = await read(HEADER, ...many, "x;x;a;0,5;1.234;12.500", "y;y;a;1;1.5;", "z;z;a;0.5;7;");
  expect(rows[1_000]).toMatchObject({ times: { milliseconds: 1_234 }, usage: { total_tokens: 12_500 } });
  expect(rows[1_001]?.times).toEqual({ milliseconds: 1.5 });
  expect(faults).toEqual([expect.stringMatching(/^1004: `score` is not a number with a decimal comma/)]);
});

test("without such a column, points are decimal points, and a comma before three digits is no number", async () => {
  const { rows } = await read(HEADER, "1;q;a;1;1.234;900", "2;r;b;0;945;900");
  expect(rows[0]?.times?.milliseconds).toBe(1.234);
  const unsure = await read("input;output;score;points", "q;a;1;1,234");
  expect(unsure.rows[0]?.metadata).toEqual({ points: "1,234" });
});

test("an answer or an id with a comma does not say how numbers are written", async () => {
  const { rows } = await read("id;input;output;score;latency_ms", "1,5;1,2;3,5;1;1.234", "2,5;2,2;4,5;0;2.345");
  expect(rows[0]?.times?.milliseconds).toBe(1.234);
});

test("where one column has commas and another one points, those in doubt are read alone, with a warning", async () => {
  const { rows, warnings } = await read(`${HEADER};temperature`, `${FIRST};0.7`);
  expect(rows[0]?.times?.milliseconds).toBe(1.234);
  expect(warnings).toEqual([
    "results.any: `score` has decimal commas and `temperature` has decimal points, so the numbers in `latency_ms` and `total_tokens` may have points or commas between thousands, and each column is read alone. Write all numbers in one notation.",
  ]);
});
