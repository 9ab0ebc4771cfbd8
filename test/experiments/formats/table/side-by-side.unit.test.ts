import { expect, test } from "vitest";
import { ColumnsError } from "../../../../src/experiments/errors.ts";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { mappingOf, readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

async function refusalOf(content: string): Promise<ColumnsError> {
  try {
    await readAll(csv, storedFile(content));
  } catch (error) {
    if (error instanceof ColumnsError) return error;
    throw error;
  }
  throw new Error("the table was read");
}

/** The first mapping of an error, and the others, which stand in comments. */
function mappingsOf({ mapping = [] }: ColumnsError): readonly string[] {
  const parts: string[] = [];
  for (const line of mapping) {
    if (line.startsWith("# for ")) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${line.replace(/^# /, "")}\n`);
  }
  return parts;
}

test.each<[what: string, header: string, row: string, scores: readonly Record<string, unknown>[]]>([
  [
    "by letters",
    "question,reference,output_a,score_a,output_b,score_b",
    "q,e,one,1,two,0",
    [{ score: "1" }, { score: "0" }],
  ],
  ["by their names", "input,gpt4_output,claude_output,year", "q,one,two,2020", [{}, {}]],
  [
    "by names of no known model",
    "input,answer_smith,smith_exact,answer_jones,jones_exact",
    "q,one,1,two,0",
    [{ exact: 1 }, { exact: 0 }],
  ],
])(
  "a table of several models side by side is refused, with a mapping for each that reads it %s",
  async (_what, header, row, scores) => {
    const error = await refusalOf(`${header}\n${row}\n`);
    expect(error.fault).toMatch(/^`\w+` and `\w+` look like the outputs of 2 models side by side/);
    const outputs = ["one", "two"];
    expect(mappingsOf(error)).toHaveLength(2);
    for (const [index, text] of mappingsOf(error).entries()) {
      const mapping = await mappingOf(text);
      const { rows, faults } = await readAll(csv, storedFile(`${header}\n${row}\n`), { mapping });
      expect(faults).toEqual([]);
      expect(rows).toMatchObject([{ inputs: "q", outputs: outputs[index] }]);
      const found = Object.fromEntries(
        rows.flatMap((each) => each.scores.map(({ key, value }) => [key, Number(value)])),
      );
      expect(found).toEqual(
        Object.fromEntries(Object.entries(scores[index] ?? {}).map(([key, value]) => [key, Number(value)])),
      );
    }
  },
);

test.each([
  ["parts of an output", "input,expected_city,expected_river,output_city,output_river,score_city,score_river"],
  ["what is measured of an output", "input,output,output_tokens,output_length"],
  ["choices of a question beside the output", "input,answer_a,answer_b,output,correct"],
  ["texts of the same model", "input,output_text,output_reason"],
])("%s are no models", async (_what, header) => {
  const row = header.split(",").map((name) => (/^(?:score|correct)|tokens|length/.test(name) ? "1" : "text"));
  await expect(readAll(csv, storedFile(`${header}\n${row.join(",")}\n`))).resolves.toMatchObject({ faults: [] });
});
