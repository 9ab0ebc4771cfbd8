import { describe, expect, test } from "vitest";
import { chooseFormat, FORMATS } from "../../../../src/experiments/reading/formats.ts";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { promptfoo } from "../../../../src/experiments/formats/promptfoo/promptfoo.ts";
import { mappingOf, refusalOf } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

/** What is said of a file whose format is not given. */
function refusal(content: string): { readonly fault: string; readonly advice: string | undefined } {
  try {
    chooseFormat(storedFile(content), FORMATS);
  } catch (error) {
    if (error instanceof DataFileError) return { fault: error.fault, advice: error.advice };
    throw error;
  }
  throw new Error("the file was taken");
}

describe("a table of an earlier promptfoo", () => {
  const table =
    'city,[openai:gpt-4] Where is {{city}}?\nParis,"[PASS] (1.00)\n\nFrance"\nRome,"[FAIL] (0.00)\n\nItaly"\n';

  test("is refused with what to export", async () => {
    const fault =
      "the file is a table of an earlier promptfoo, with the verdict in front of the output in `[openai:gpt-4] Where is {{city}}?`";
    const advice = "Write the results as JSON with `promptfoo eval -o results.json`.";
    expect(refusal(table)).toEqual({ fault, advice });
    expect(await refusalOf(promptfoo, storedFile(table))).toContain(`line 1: ${fault}`);
  });

  test("is read where a mapping says how, or where not all cells are so", async () => {
    const mapping = await mappingOf("inputs: city\noutputs: answer");
    const file = storedFile(table.replace(/\[openai.*/, "answer"));
    expect(chooseFormat(file, FORMATS, mapping).name).toBe("csv");
    expect(chooseFormat(storedFile("input,output\na,[PASS] b\nc,d\n"), FORMATS).name).toBe("csv");
  });
});
