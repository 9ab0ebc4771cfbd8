import { expect, test } from "vitest";
import { casesRig } from "../../judgement/cases/cases-rig.ts";
import { ResultsError } from "../../../src/experiments/reading/result-faults.ts";

const LONG = "x".repeat(300 * 1024);
const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `q-${String(at)}`, input: LONG, output: "a", exact: 1 }));

test.each([
  ["all lines", lines(...rows(3)), 3],
  ["the first line", lines(...rows(1), { id: "b", input: "short", output: "a", exact: 0 }), 2],
  ["the only line", lines(...rows(1)), 1],
  ["one document of one line", JSON.stringify({ results: rows(2) }), 2],
])("%s above 256 KiB are read as they are", async (_what, content, count) => {
  const { write, read } = await casesRig();
  await write({ "a.jsonl": content });
  expect((await read()).cases).toHaveLength(count);
});

test.each([
  ["at the top", '{"id":"a","input":"x","exact":1,"exact":0}\n', "exact"],
  ["inside", '{"id":"a","input":{"q":1, "q" : 2},"exact":1}\n', "q"],
  ["written in another way", '{"id":"a","input":"x","exact":1,"ex\\u0061ct":0}\n', "exact"],
])("a key that an object has twice is an error, %s", async (_what, line, key) => {
  const { write, read } = await casesRig();
  await write({ "a.jsonl": `{"id":"b","input":"y","exact":1}\n${line}{"id":"c","input":"z","exact":1}\n` });
  const refused = await read().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ResultsError);
  expect(String(refused)).toContain(`a.jsonl, line 2: duplicate key \`${key}\``);
});

test.each([
  ['{"id":"a","input":": \\": x","exact":1}', "a colon behind an escaped quote"],
  ['{"id":"a","input":":)","exact":1}', "a text that begins with a colon"],
  ['{"id":"a","input":[{"q":1},{"q":1}],"exact":1}', "one key in two objects"],
])("%s has no key twice: %s", async (line) => {
  const { write, read } = await casesRig();
  await write({ "a.jsonl": `${line}\n{"id":"b","input":"y","exact":1}\n` });
  expect((await read()).cases).toHaveLength(2);
});
