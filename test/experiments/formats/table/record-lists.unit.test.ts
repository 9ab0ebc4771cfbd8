import { expect, test } from "vitest";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { chooseFormat, FORMATS } from "../../../../src/experiments/reading/formats.ts";
import { recordLists } from "../../../../src/experiments/formats/table/record-lists.ts";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const records = [
  { utt: "Hi there?", said: "yes" },
  { utt: "Where?", said: "no" },
];

test("finds the lists of objects of a document, the next to its top first, and no messages", () => {
  const document = {
    run: "x",
    report: { items: records, deep: { more: records } },
    cases: records,
    numbers: [1],
    messages: [{ role: "user", content: "Hi" }],
    "a.b": records,
  };
  const paths = recordLists(storedFile(JSON.stringify(document))).map(({ path }) => path);
  expect(paths).toEqual(["cases", "report.items", "report.deep.more"]);
});

test.each([
  ["one list", { run: "x", cases: records }, "a list of records is `cases` (with `utt` and `said`)", "`rows: cases`"],
  ["a list below", { run: { of: { it: records } } }, "a list of records is `run.of.it`", "`rows: run.of.it`"],
  ["two lists", { cases: records, others: records }, "lists of records are `cases` (with", "`rows: cases`"],
  ["a name that is no plain text", { "[cases": records, run: "x" }, "`[cases`", "`rows: PATH`"],
])("an unknown document is refused with %s", (_what, document, lists, line) => {
  const file = storedFile(JSON.stringify(document));
  let advice: string | undefined;
  try {
    chooseFormat(file, FORMATS);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    advice = error.advice;
  }
  expect(advice).toContain(lists);
  expect(advice).toContain(line);
});

test("a document that is read as one record says which lists of records are in it", async () => {
  const read = async (document: object) => await readAll(jsonl, storedFile(JSON.stringify(document)));
  const { warnings, rows } = await read({ prompt: "You answer.", score: 0.5, cases: records });
  expect(rows).toHaveLength(1);
  expect(warnings).toEqual([expect.stringContaining("`cases` (with `utt` and `said`). If these are the rows")]);
  const plain = { messages: [{ role: "user", content: "Hi" }], score: 1, scores: [{ name: "exact", score: 1 }] };
  expect((await read(plain)).warnings.filter((each) => each.includes("records"))).toEqual([]);
});
