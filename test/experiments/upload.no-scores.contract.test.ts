import { describe, expect, test } from "vitest";
import { ResultsError } from "../../src/experiments/reading/result-faults.ts";
import { mappingOf } from "./formats/reading.ts";
import { row, uploadRig } from "./upload-rig.ts";

async function rigOf(files: Readonly<Record<string, string>>) {
  const rig = await uploadRig();
  await rig.write(files);
  return rig;
}

describe("results of which no row has a score", () => {
  const NONE = row(1, { evaluation_scores: [] });

  test.each([
    ["rows without any", NONE],
    ["a column of scores that is empty", "input,score\na,\nb,nan\n"],
    ["a table without one", "input,output\na,b\n"],
  ])("are refused: %s", async (_what, text) => {
    const { dryRun, upload, posts } = await rigOf({ "r.any": text });
    const error: unknown = await dryRun().catch((thrown: unknown) => thrown);
    if (!(error instanceof ResultsError)) throw new Error("the results are taken");
    expect(error.faults).toEqual([{ place: { file: "experiment" }, message: "no row has a score" }]);
    expect(error.reasons).toEqual(["NO_SCORES"]);
    await expect(upload()).rejects.toThrow(ResultsError);
    expect(posts()).toBe(0);
  });

  test("are taken where that is said, and where the whole has a score", async () => {
    const { dryRun } = await rigOf({ "r.jsonl": NONE });
    await dryRun({ allowNoScores: true });
    await dryRun({ summaryScores: [{ key: "accuracy", value: 0.5 }] });
  });

  test("are not blamed where rows have faults that say more", async () => {
    const { dryRun } = await rigOf({ "r.csv": "input,score\na,1,2\n" });
    await expect(dryRun()).rejects.toThrow("r.csv, line 2");
  });
});

test("scores that a row has not and others have are counted, also those in words, which are sent", async () => {
  const { events, write, upload, get } = await uploadRig();
  await write({ "r.csv": "input,exact,grade\na,1,good\nb,,\nc,0,2\n" });
  const mapping = {
    inputs: "input",
    scores: { exact: { path: "exact" }, grade: { path: "grade", kind: "categorical" } },
  } as const;
  const [sent] = await upload({ mapping });
  const rows = await get(`/experiments/${sent?.id ?? ""}/rows?limit=10`);
  expect(rows.map(({ evaluation_scores: scores }) => scores)).toEqual([
    [
      { key: "exact", score: 1 },
      { key: "grade", value: "good", feedback_config: { type: "categorical" } },
    ],
    undefined,
    [
      { key: "exact", score: 0 },
      { key: "grade", score: 2, feedback_config: { type: "categorical" } },
    ],
  ]);
  const read = events.find((event) => event.type === "read");
  expect(read?.results).toMatchObject({ missingScores: 2, words: new Map([["grade", 1]]) });
  expect(read?.results.scores.get("grade")).toEqual({ n: 1, mean: 2 });
});

describe("columns that look like more than metadata", () => {
  test("are named in one warning for each file", async () => {
    const { dryRun, warnings } = await rigOf({
      "r.csv":
        "input,output,exact,answer quality,reply_text,golden-truth,score_reason,metadata.score\na,o,1,fine,x,y,z,w\n",
    });
    await dryRun();
    const found = warnings().filter((warning) => warning.startsWith("r.csv: read as metadata: "));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain("`answer quality` (looks like a score)");
    expect(found[0]).not.toContain("reason");
    expect(found[0]).not.toContain("metadata.score");
  });

  test("are not named where a mapping says that they are metadata", async () => {
    const { dryRun, warnings } = await rigOf({ "r.csv": "input,exact,grade\na,1,fine\n" });
    await dryRun({ mapping: { inputs: "input", scores: { exact: { path: "exact" } }, metadata: { grade: "grade" } } });
    expect(warnings()).toEqual([]);
  });
});

function manyOf(name: string, values: readonly string[]): string {
  const lines = Array.from({ length: 12 }, (_, at) => `q${String(at)},${values[at % values.length] ?? ""},1`);
  return `question,${name},exact\n${lines.join("\n")}\n`;
}

describe("a file in which no row has an output", () => {
  const CSV = "question,reference,chatbot_reply,exact\na,A,text one,1\nb,B,text two,0\n";
  const JSONL =
    '{"question":"a","chatbot_reply":"text one","exact":1}\n{"question":"b","chatbot_reply":"two","exact":0}\n';

  test.each([
    ["r.csv", CSV],
    ["r.jsonl", JSONL],
  ])("is refused where a column looks like the outputs: %s", async (name, content) => {
    const { dryRun } = await rigOf({ [name]: content });
    const error: unknown = await dryRun({ allowNoScores: true }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ResultsError)) throw error;
    expect(error.message).toContain(`${name}: no row has an output, but the column \`chatbot_reply\` looks like one`);
    expect(error.mapping).toContain("outputs: chatbot_reply");
    // What is offered reads the file, and a mapping without outputs says that there are none.
    const mapping = await mappingOf((error.mapping ?? []).join("\n"));
    await (await rigOf({ [name]: content })).dryRun({ mapping });
    const { outputs: _none, ...others } = mapping;
    await (await rigOf({ [name]: content })).dryRun({ mapping: others });
  });

  test.each([
    ["chatbot_reply", ["yes please", "no thanks"]],
    ["bot reply text", ["yes please", "no thanks"]],
    ["generated_class", ["spam", "ham"]],
    ["answer_gpt4", Array.from({ length: 12 }, (_, at) => `The answer is ${String(at)}.`)],
  ])("is refused where `%s` is all of an output or differs in each row", async (name, values) => {
    const { dryRun } = await rigOf({ "r.csv": manyOf(name, values) });
    await expect(dryRun()).rejects.toThrow(`no row has an output, but the column \`${name}\` looks like one`);
  });

  test.each([
    ["where one row has one", "question,output,answer_draft,exact\na,,x,1\nb,o,y,1\n"],
    ["where the column is the same in all rows", "question,response_style,exact\na,short,1\nb,short,1\n"],
    ["where the column says something about outputs", "question,answer_source,exact\na,x,1\nb,y,1\n"],
    ["where the column has few values for many outputs", manyOf("response_language", ["German", "French"])],
    ["where the column is a category of outputs", manyOf("answer difficulty", ["low", "high", "low", "none"])],
    ["where the column has the letters that are right", manyOf("answer_key", ["A", "B", "C", "D"])],
  ])("is read %s", async (_what, content) => {
    await (await rigOf({ "r.csv": content })).dryRun();
  });
});

test("a file without rows is named, and where all are without they are", async () => {
  const { dryRun, warnings, write } = await rigOf({ "a.csv": "input,exact\n", "b.csv": "input,exact\na,1\n" });
  await dryRun();
  expect(warnings()).toEqual(["a.csv contains no rows."]);
  await write({ "c.csv": "input,exact\n" });
  await expect(dryRun({ patterns: ["a.csv", "c.csv"] })).rejects.toThrow(
    "experiment: a.csv and c.csv contain no rows.",
  );
});

test.each([
  ["bestanden", () => "1"],
  ["bestanden", () => "yes"],
  ["note", (at: number) => String(at % 6)],
  ["评分", (at: number) => String((at % 5) + 1)],
  ["Note: gut", (at: number) => String((at % 5) + 1)],
])(
  "a column of which nothing shows that it holds scores is offered by the mapping of the error, and counts once it is named: %s",
  async (name, valueAt) => {
    const rows = Array.from({ length: 12 }, (_, at) => `question ${String(at)},answer ${String(at)},${valueAt(at)}`);
    const { dryRun } = await rigOf({ "r.csv": [`input,output,${name}`, ...rows].join("\n") });
    const error: unknown = await dryRun().catch((thrown: unknown) => thrown);
    if (!(error instanceof ResultsError)) throw new Error("the results are taken");
    expect(error.reasons).toEqual(["NO_SCORES"]);
    const lines = error.mapping ?? [];
    await expect(mappingOf(lines.join("\n"))).rejects.toThrow("scores");
    const mapping = await mappingOf(lines.map((line) => line.replace(/^#(?= {2}\S)/, "")).join("\n"));
    expect(Object.keys(mapping.scores ?? {})).toEqual([name]);
    await dryRun({ mapping });
  },
);
