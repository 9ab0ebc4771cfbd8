import { expect, it } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { numbersOf } from "../expected-file.ts";
import { mappingOf, readAll, refusalOf } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const MAPPING = `
id: $["the id"]
inputs: $.turns[0].text
outputs: $.turns[-1]["the text"]
scores:
  right: $.marks[-1]`;

const turns = [{ text: "q" }, { "the text": "a" }];
const marks = [0, 1];

it.for([
  ["JSON lines", jsonl, JSON.stringify({ "the id": "1", turns, marks })],
  ["a list below brackets", jsonl, JSON.stringify({ "all of": { cases: [{ "the id": "1", turns, marks }] } })],
  ["a table", csv, `the id,turns,marks\n1,"${JSON.stringify(turns).replaceAll('"', '""')}","[0, 1]"\n`],
] as const)("a mapping leads with brackets through %s", async ([, format, text]) => {
  const rows = text.includes("all of") ? '\nrows: $["all of"].cases' : "";
  const { rows: read, faults } = await readAll(format, storedFile(text), { mapping: await mappingOf(MAPPING + rows) });
  expect(faults).toEqual([]);
  expect(read).toMatchObject([{ id: "1", inputs: "q", outputs: "a" }]);
  expect(read.map(numbersOf)).toEqual([{ right: 1 }]);
});

it("a table refuses a path with brackets into a column that it does not have", async () => {
  const mapping = await mappingOf('inputs: question\noutputs: $["the answers"][0]');
  expect(await refusalOf(csv, storedFile("question,answer\nq,a\n"), mapping)).toMatch(
    'the mapping names `$["the answers"][0]`, but the only columns are `question`, `answer`',
  );
});
