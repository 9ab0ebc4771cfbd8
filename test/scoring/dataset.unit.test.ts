import { basename, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readDataset, type DatasetRequest, type EvaluationCase } from "../../src/scoring/dataset.ts";
import { DatasetError } from "../../src/scoring/errors.ts";
import { parsePath } from "../../src/files/json/path.ts";
import "../property-runs.ts";
import { temporaryTree } from "../source/temporary-tree.ts";

type Settings = Partial<Omit<DatasetRequest, "file">>;

function requestOf(text: string | Buffer, { name = "support", ...settings }: Settings = {}, file = "cases.jsonl") {
  const path = join(temporaryTree({ [file]: text }), file);
  const none = { input: undefined, filter: [], limit: undefined, shard: undefined };
  return { file: { path, name: basename(path) }, name, ...none, ...settings };
}

/** The cases by their ids. */
async function casesOf(
  text: string,
  settings?: Settings,
  file?: string,
): Promise<Readonly<Record<string, EvaluationCase>>> {
  const { cases } = await readDataset(requestOf(text, settings, file));
  return Object.fromEntries(cases.map((one) => [one.id, one]));
}

async function faultsOf(text: string | Buffer, settings?: Settings, file?: string): Promise<readonly string[]> {
  const error: unknown = await readDataset(requestOf(text, settings, file)).catch((thrown: unknown) => thrown);
  if (!(error instanceof DatasetError)) throw new Error("The dataset was read.", { cause: error });
  return error.faults.map(({ place, message }) => `${String(place.line ?? place.row ?? "file")}: ${message}`);
}

function pathOf(text: string) {
  const path = parsePath(text);
  if (!path) throw new TypeError(text);
  return path;
}

const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const QUESTIONS = [
  { id: "a", question: "Why?", answer: "Because" },
  { id: "b", question: "When?", answer: "Now" },
];

test.each([
  ["lines of JSON", "cases.jsonl", lines(QUESTIONS)],
  ["a list in JSON", "cases.json", JSON.stringify(QUESTIONS)],
  [
    "a list in YAML with a mark",
    "cases.yaml",
    "\uFEFF- {id: a, question: Why?, answer: Because}\n- {id: b, question: When?, answer: Now}\n",
  ],
  ["CSV with a mark and other line ends", "cases.csv", "\uFEFFid,question,answer\r\na,Why?,Because\r\nb,When?,Now\r\n"],
  ["TSV", "cases.tsv", "id\tquestion\tanswer\na\tWhy?\tBecause\nb\tWhen?\tNow\n"],
])("reads the same cases from %s", async (_what, file, text) => {
  const cases = await casesOf(text, {}, file);
  expect(Object.keys(cases).toSorted()).toEqual(["a", "b"]);
  expect(cases["b"]).toMatchObject({
    row: QUESTIONS[1],
    inputs: { question: "When?" },
    expected: { answer: "Now" },
    turns: [{ question: "When?" }],
    digest: (await casesOf(lines(QUESTIONS)))["b"]?.digest,
  });
});

test("takes inputs and expected outputs that stand in objects as they are", async () => {
  const row = { example_id: 7, inputs: { q: 1 }, reference_outputs: { a: 2 }, metadata: { cluster: "refunds" } };
  expect(await casesOf(lines([row]))).toMatchObject({
    "7": { inputs: { q: 1 }, expected: { a: 2 }, turns: [{ q: 1 }], cluster: "refunds", row },
  });
});

test("sends a text as a member of the input, by its name", async () => {
  const { a } = await casesOf(lines([{ id: "a", input: "Why?", output: "Because" }]));
  expect(a).toMatchObject({ inputs: { input: "Why?" }, turns: [{ input: "Why?" }], expected: { output: "Because" } });
});

test("keeps what is beside the question out of the inputs", async () => {
  const row = { id: "a", question: "Why?", facts: ["x"], answer: null, metadata: { lang: "de" }, cluster: "refunds" };
  const { a } = await casesOf(lines([row]));
  expect(a).toMatchObject({ inputs: { question: "Why?", facts: ["x"] }, expected: undefined, cluster: "refunds" });
});

test("takes empty cells of a table as absent, and lists in cells as lists", async () => {
  const { a } = await casesOf('id,question,answer,tools\na,Why?,,"[{""name"":""look""}]"\n', {}, "cases.csv");
  expect(a?.row).toEqual({ id: "a", question: "Why?", tools: [{ name: "look" }] });
  expect(a?.expected).toBeUndefined();
});

test("makes the id of a case without one from its inputs and expected outputs", async () => {
  const anonymous = (rows: readonly object[]) => rows.map(({ ...row }) => ({ ...row, id: undefined }));
  const [first, again] = [
    await casesOf(lines(anonymous(QUESTIONS))),
    await casesOf(lines(anonymous(QUESTIONS.toReversed()))),
  ];
  expect(Object.keys(first)).toHaveLength(2);
  expect(Object.keys(first).toSorted()).toEqual(Object.keys(again).toSorted());
});

test("copies values of any type into the input, and leaves all else as it is", async () => {
  const input = { messages: [{ role: "user", content: "$.question" }], tools: "$.tools[-1]", price: "$5", depth: 3 };
  const row = { id: "a", question: "$.id", tools: [1, { name: "x" }] };
  const { a } = await casesOf(lines([row]), { input });
  expect(a?.turns).toEqual([
    { messages: [{ role: "user", content: "$.id" }], tools: { name: "x" }, price: "$5", depth: 3 },
  ]);
});

test("asks turn by turn", async () => {
  const row = { id: "a", turns: ["Hello", "And now?"], lang: "de" };
  expect((await casesOf(lines([row])))["a"]).toMatchObject({
    turns: row.turns,
    inputs: { turns: row.turns, lang: "de" },
  });
  const { a } = await casesOf(lines([row]), { input: { text: "$.turn", lang: "$.lang" } });
  expect(a?.turns).toEqual([
    { text: "Hello", lang: "de" },
    { text: "And now?", lang: "de" },
  ]);
});

test("reports all that is wrong in one error, with its lines", async () => {
  const text = [
    `{"id": "a", "question": "Why?"}`,
    `[1]`,
    `{"id": {}, "question": "When?"}`,
    `{"id": "a", "turns": []}`,
  ].join("\n");
  expect(await faultsOf(text, { input: "$.question" })).toEqual([
    "2: the line is a list, not an object",
    "3: the id is an object, not a text or a number",
    "4: the case is also in cases.jsonl, line 1: give each an id of its own",
    "4: `turns` must be a list with an input for each turn",
  ]);
  expect(await faultsOf(lines(QUESTIONS), { input: ["$.question", "$.context.place"] })).toEqual([
    "1: there is no `$.context.place`, which the input is made of",
    "2: there is no `$.context.place`, which the input is made of",
  ]);
});

test.each([
  ["no lines", "cases.jsonl", "", "file: the file is empty"],
  ["an empty list", "cases.json", "[]", "file: the dataset has no cases"],
  ["a table without rows", "cases.csv", "id,question\n", "file: the dataset has no cases"],
  ["an object in YAML", "cases.yaml", "a: 1\n", "file: the file is not a list of objects"],
  [
    "an object with a list in it",
    "cases.json",
    JSON.stringify({ cases: QUESTIONS }),
    "file: the file is not a list of objects",
  ],
  ["a list of texts in YAML", "cases.yml", "- {id: a}\n\n- b\n", "3: a record is a text, not an object"],
  ["a ragged line", "cases.csv", "id,question\na\n", "2: the row has 1 column instead of 2: `id`, `question`"],
  ["what is no UTF-8", "cases.yaml", Buffer.from("- {id: \xE9}\n", "latin1"), "bytes that are not UTF-8"],
  ["what is no text", "cases.csv", "id,question\na,\0\n", "NUL byte"],
])("refuses %s", async (_what, file, text, fault) => {
  expect((await faultsOf(text, {}, file)).join()).toContain(fault);
});

test("says which choice leaves no case", async () => {
  const filter = [{ path: pathOf("$.metadata.lang"), value: "fr" }];
  expect(await faultsOf(lines(QUESTIONS), { filter })).toEqual(['file: no case has `$.metadata.lang` = "fr"']);
  const one = lines(QUESTIONS.slice(0, 1));
  const shards = await Promise.all([1, 2].map((index) => casesOf(one, { shard: { index, count: 2 } }).catch(String)));
  expect(shards.filter((found) => typeof found === "string")).toEqual([
    expect.stringMatching(/none of 1 case is in shard [12]\/2/),
  ]);
});

test("asks the cases for which all conditions hold, and no more than wanted", async () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    id: `c${String(at)}`,
    q: at,
    metadata: { part: at % 4, even: at % 2 === 0 },
  }));
  const filter = [
    { path: pathOf("$.metadata.part"), value: "2" },
    { path: pathOf("$.metadata.even"), value: "true" },
  ];
  const { cases } = await readDataset(requestOf(lines(rows), { filter }));
  expect(cases).toHaveLength(10);
  const limited = await readDataset(requestOf(lines(rows), { filter, limit: 3 }));
  expect(limited.cases).toEqual(cases.slice(0, 3));
});

test("draws the order from the content of the dataset", async () => {
  const rows = Array.from({ length: 50 }, (_, at) => ({ id: `c${String(at).padStart(2, "0")}`, q: at }));
  const idsOf = async (given: readonly object[]) =>
    (await readDataset(requestOf(lines(given)))).cases.map(({ id }) => id);
  const first = await idsOf(rows);
  expect(await idsOf(rows)).toEqual(first);
  expect(first).not.toEqual(first.toSorted());
  expect((await idsOf([...rows, { id: "new", q: 1 }])).filter((id) => id !== "new")).not.toEqual(first);
});

test("puts each case in one shard, from which no new case moves it", { tags: "slow" }, async () => {
  const row = fc.record({ id: fc.uuid(), question: fc.string() });
  const rows = fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(rows, row, fc.integer({ min: 1, max: 5 }), async (before, added, count) => {
      const shardsOf = async (text: string) => {
        const shards = Array.from({ length: count }, (_, at) =>
          casesOf(text, { shard: { index: at + 1, count } }).catch((error: unknown) => {
            if (error instanceof DatasetError) return {};
            throw error;
          }),
        );
        const found = await Promise.all(shards);
        return found.flatMap((cases, at) => Object.keys(cases).map((id) => `${id} ${String(at)}`));
      };
      fc.pre(before.every(({ id }) => id !== added.id));
      const old = await shardsOf(lines(before));
      expect(old).toHaveLength(before.length);
      expect(await shardsOf(lines([...before, added]))).toEqual(expect.arrayContaining(old));
    }),
  );
});
