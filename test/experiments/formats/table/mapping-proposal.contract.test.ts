import { expect, test } from "vitest";
import { ResultsError } from "../../../../src/experiments/reading/result-faults.ts";
import { uploadRig } from "../../upload-rig.ts";
import { mappingOf } from "../reading.ts";

/** Files that are refused, and whose rows a mapping can name. */
const REFUSED: Readonly<Record<string, string>> = {
  "a CSV file without a name for the inputs":
    "Ticket,Customer wrote,Should be,Bot said,Right?\n7,Hello?,Hi!,Hi,1\n8,Where?,There,Here,0\n",
  "JSON lines without a name for the inputs":
    '{"utt":"Hello?","reply_text":"Hi","Right?":1}\n{"utt":"Where?","reply_text":"Here","Right?":0}\n',
  "a list of records without a name for the inputs":
    '[{"utt":{"text":"Hello?"},"said: by":"Hi","ok":true},{"utt":{"text":"Where?"},"said: by":"Here","ok":false}]',
  "a table whose only score is in words": "input,output,grade\nHello?,Hi,good\nWhere?,Here,bad\n",
  "a table whose only score holds numbers and words": "input,output,answer_score\nHello?,Hi,1\nWhere?,Here,unsure\n",
  "rows whose only scores are words in an object":
    '{"input":"Hello?","output":"Hi","scores":{"tone":"good"}}\n{"input":"Where?","output":"Here","scores":{"tone":"bad"}}\n',
  "rows whose only scores are words in a list":
    '{"input":"Hello?","output":"Hi","scores":[{"name":"tone","value":"grade 3"}]}\n{"input":"Where?","output":"Here","scores":[{"name":"tone","value":"grade 4"}]}\n',
  "rows with words beside numbers among their scores":
    '{"input":"Hello?","output":"Hi","scores":{"tone":"good","exact":1}}\n{"input":"Where?","output":"Here","scores":{"tone":"bad","exact":0}}\n',
  "rows with scores in an object and no name for the inputs":
    '{"utt":"Hello?","said":"Hi","scores":{"tone":"good","exact":1}}\n{"utt":"Where?","said":"Here","scores":{"tone":"bad","exact":0}}\n',
  "a CSV file of numbers": "a,b\n1,2\n3,4\n",
};

test.each(Object.entries(REFUSED))("the mapping in the error of %s works when it is pasted", async (_what, text) => {
  const { write, dryRun, upload, get } = await uploadRig();
  await write({ "results.any": text });
  const error: unknown = await dryRun().catch((thrown: unknown) => thrown);
  if (!(error instanceof ResultsError) || error.mapping === undefined) throw new Error("no mapping is proposed");
  const [sent] = await upload({ mapping: await mappingOf(error.mapping.join("\n")) });
  expect(sent?.rows).toBe(2);
  const rows = await get(`/experiments/${sent?.id ?? ""}/rows?limit=10`);
  expect(rows).toHaveLength(2);
  for (const row of rows)
    expect(row).toMatchObject({
      inputs: expect.anything(),
      evaluation_scores: expect.arrayContaining([expect.anything()]),
    });
});

test.each([
  ["an unknown name", "input,output,grade\nHello?,Hi,90%\nWhere?,Here,80\n"],
  ["the name of a score", "input,output,answer_score\nHello?,Hi,90%\nWhere?,Here,80\nWhy?,So,70%\n"],
  ["no name for the inputs", "utt,reply,feedback.acc\nHello?,Hi,90%\nWhere?,Here,80\nWhy?,So,70%\n"],
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
