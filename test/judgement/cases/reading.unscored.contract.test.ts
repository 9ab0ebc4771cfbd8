import { expect, test } from "vitest";
import type { CaseSet } from "../../../src/judgement/cases/case-set.ts";
import { parseSnapshot } from "../../../src/judgement/cases/snapshot-reader.ts";
import { snapshotText } from "../../../src/judgement/cases/snapshot-writer.ts";
import { judge } from "../../../src/judgement/index.ts";
import { casesRig } from "./cases-rig.ts";

const unscored = ({ cases }: CaseSet) =>
  Object.fromEntries(Array.from(cases, ({ name, trials }) => [name, trials.map((trial) => trial.unscored ?? [])]));

const JSON_LINES = [
  '{"id": "whole", "inputs": {"q": 1}, "scores": {"tone": 1, "exact": 1}}',
  '{"id": "null", "inputs": {"q": 2}, "scores": {"tone": null, "exact": 1}}',
  '{"id": "nan", "inputs": {"q": 3}, "scores": {"tone": NaN, "exact": 1}}',
  '{"id": "text", "inputs": {"q": 4}, "scores": {"tone": "N/A", "exact": 1}}',
  '{"id": "absent", "inputs": {"q": 5}, "scores": {"exact": 1}}',
].join("\n");

test.each([
  ["JSON", "results.jsonl", JSON_LINES],
  [
    "a table of JSON",
    "results.jsonl",
    [
      '{"id": "whole", "question": "a", "tone": 1, "exact": 1}',
      '{"id": "null", "question": "b", "tone": null, "exact": 1}',
      '{"id": "nan", "question": "c", "tone": NaN, "exact": 1}',
      '{"id": "text", "question": "d", "tone": "N/A", "exact": 1}',
      '{"id": "absent", "question": "e", "exact": 1}',
    ].join("\n"),
  ],
  [
    "CSV",
    "results.csv",
    "id,question,tone,exact\nwhole,a,1,1\nnull,b,null,1\nnan,c,NaN,1\ntext,d,N/A,1\nabsent,e,,1\n",
  ],
])("a row of %s names a score without a number, or does not name it", async (_form, name, text) => {
  const rig = await casesRig();
  await rig.write({ [name]: text });
  const set = await rig.read();
  const expected = { whole: [[]], null: [["tone"]], nan: [["tone"]], text: [["tone"]], absent: [[]] };
  expect(unscored(set)).toEqual(expected);
  expect(unscored(parseSnapshot(snapshotText(set)))).toEqual(expected);
});

test("a row of a program names a score with null, and not where it leaves it out", async () => {
  const rows = [
    { id: "whole", inputs: 1, scores: { tone: 1, exact: 1 } },
    { id: "null", inputs: 2, scores: { tone: null, exact: 1 } },
    { id: "absent", inputs: 3, scores: { exact: 1 } },
  ];
  const { results } = await judge({ results: { rows } });
  expect(unscored(results)).toEqual({ whole: [[]], null: [["tone"]], absent: [[]] });
});
