import { expect, test } from "vitest";
import { ResultsError } from "../../../../src/experiments/reading/result-faults.ts";
import { uploadRig } from "../../upload-rig.ts";
import { mappingOf } from "../reading.ts";
import { parseMapping } from "../../../../src/experiments/rows/mapping.ts";

/** Files that are refused, whose proposal is right as it stands: the inputs, the outputs and the scores of the first row. */
const PROVEN: Readonly<Record<string, readonly [text: string, first: object]>> = {
  "a CSV file without a name for the inputs": [
    "Ticket,Customer wrote,Should be,Bot said,Right?\n7,Hello?,Hi!,Hi,1\n8,Where?,There,Here,0\n",
    { inputs: { input: "Hello?" }, actual_outputs: { output: "Hi" }, evaluation_scores: [{ key: "Right?", score: 1 }] },
  ],
  "a table whose only score is in words": [
    "input,output,grade\nHello?,Hi,good\nWhere?,Here,bad\n",
    {
      inputs: { input: "Hello?" },
      actual_outputs: { output: "Hi" },
      evaluation_scores: [{ key: "grade", value: "good" }],
    },
  ],
  "a table whose only score holds numbers and words": [
    "input,output,answer_score\nHello?,Hi,1\nWhere?,Here,unsure\n",
    { inputs: { input: "Hello?" }, evaluation_scores: [{ key: "answer_score", score: 1 }] },
  ],
  "rows whose only scores are words in an object": [
    '{"input":"Hello?","output":"Hi","scores":{"tone":"good"}}\n{"input":"Where?","output":"Here","scores":{"tone":"bad"}}\n',
    { inputs: { input: "Hello?" }, evaluation_scores: [{ key: "tone", value: "good" }] },
  ],
  "rows whose only scores are words in a list": [
    '{"input":"Hello?","output":"Hi","scores":[{"name":"tone","value":"grade 3"}]}\n{"input":"Where?","output":"Here","scores":[{"name":"tone","value":"grade 4"}]}\n',
    { inputs: { input: "Hello?" }, evaluation_scores: [{ key: "tone", value: "grade 3" }] },
  ],
  "rows with words beside numbers among their scores": [
    '{"input":"Hello?","output":"Hi","scores":{"tone":"good","exact":1}}\n{"input":"Where?","output":"Here","scores":{"tone":"bad","exact":0}}\n',
    { inputs: { input: "Hello?" }, actual_outputs: { output: "Hi" } },
  ],
};

test.each(Object.entries(PROVEN))(
  "the mapping in the error of %s is right as it is pasted",
  async (_what, [text, first]) => {
    const { write, dryRun, upload, get } = await uploadRig();
    await write({ "results.any": text });
    const error: unknown = await dryRun().catch((thrown: unknown) => thrown);
    if (!(error instanceof ResultsError) || error.mapping === undefined) throw new Error("no mapping is proposed");
    const [sent] = await upload({ mapping: await mappingOf(error.mapping.join("\n")) });
    const rows = await get(`/experiments/${sent?.id ?? ""}/rows?limit=10`);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject(first);
  },
);

/** Files that are refused, and in which nothing shows what some part of a row is. */
const OPEN: Readonly<Record<string, readonly [text: string, open: string]>> = {
  "JSON lines without a name for the inputs": [
    '{"utt":"Hello?","reply_text":"Hi","Right?":1}\n{"utt":"Where?","reply_text":"Here","Right?":0}\n',
    "inputs",
  ],
  "rows with scores in an object and no name for the inputs": [
    '{"utt":"Hello?","said":"Hi","scores":{"tone":"good","exact":1}}\n{"utt":"Where?","said":"Here","scores":{"tone":"bad","exact":0}}\n',
    "inputs",
  ],
  "a CSV file of numbers": ["a,b\n1,2\n3,4\n", "inputs"],
  "the name of a model and a time": [
    `source,utt,said,tstamp\n${Array.from({ length: 8 }, (_, at) => `gpt-4,Hello ${String(at)}?,Hi ${String(at)},${String(1_686_287_583 + at)}`).join("\n")}\n`,
    "inputs",
  ],
  "categories that are called an article": [
    `article,utt,said,ok\n${Array.from({ length: 8 }, (_, at) => `sum,Hello ${String(at)}?,Hi ${String(at)},${String(at % 2)}`).join("\n")}\n`,
    "inputs",
  ],
};

test.each(Object.entries(OPEN))(
  "the mapping in the error of %s is refused as it is pasted",
  async (_what, [text, open]) => {
    const { write, dryRun } = await uploadRig();
    await write({ "results.any": text });
    const error: unknown = await dryRun().catch((thrown: unknown) => thrown);
    if (!(error instanceof ResultsError)) throw new Error("the file was read");
    const lines = error.mapping ?? [];
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${open}: # which column`)));
    const reading = await parseMapping(lines.join("\n"));
    expect(reading.ok ? [] : reading.faults).toContainEqual(expect.stringMatching(`\`${open}\` must`));
  },
);

test.each([
  ["an unknown name", "input,output,grade\nHello?,Hi,90%\nWhere?,Here,80\n"],
  ["the name of a score", "input,output,answer_score\nHello?,Hi,90%\nWhere?,Here,80\nWhy?,So,70%\n"],
  ["no name for the inputs", "question asked,reply,feedback.acc\nHello?,Hi,90%\nWhere?,Here,80\nWhy?,So,70%\n"],
])("no proposal sends numbers in two notations: %s", async (_what, text) => {
  const { write, dryRun } = await uploadRig();
  await write({ "results.csv": text });
  const error: unknown = await dryRun().catch((thrown: unknown) => thrown);
  if (!(error instanceof ResultsError)) throw new Error("the file was read");
  const mapping = await mappingOf(error.mapping?.join("\n") ?? "");
  await expect(dryRun({ mapping })).rejects.toMatchObject({
    message: expect.stringMatching(/results\.csv, line [23]: .*unlike in the other rows/),
  });
});
