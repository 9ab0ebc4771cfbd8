import { describe, expect, test } from "vitest";
import type { ResultFormat } from "../../../../src/experiments/format.ts";
import { braintrust } from "../../../../src/experiments/formats/braintrust.ts";
import { deepeval } from "../../../../src/experiments/formats/deepeval.ts";
import { langfuse } from "../../../../src/experiments/formats/langfuse.ts";
import { openaiEvals } from "../../../../src/experiments/formats/openai-evals.ts";
import { promptfoo } from "../../../../src/experiments/formats/promptfoo.ts";
import { pydanticEvals } from "../../../../src/experiments/formats/pydantic-evals.ts";
import type { JsonValue } from "../../../../src/experiments/json/value.ts";
import type { SourceRow } from "../../../../src/experiments/source-row.ts";
import { readAll } from "./reading.ts";
import { fixtureFile, fixtureNames, storedFile } from "./stored-file.ts";
import { expectMeans, expectWorkedOut, workedOut } from "./worked-out.ts";

const FORMATS: readonly ResultFormat[] = [promptfoo, deepeval, braintrust, openaiEvals, pydanticEvals, langfuse];

describe("each format of an evaluation tool", () => {
  // A file in UTF-16 is refused before any format sees it.
  test.each(fixtureNames().filter((name) => !name.includes("utf-16")))(
    "knows its own in %s, and nothing else",
    (name) => {
      const file = fixtureFile(name);
      const own = FORMATS.filter((format) => name.startsWith(`${format.name}/`)).map((format) => format.name);
      expect(FORMATS.filter((format) => format.detect(file)).map((format) => format.name)).toEqual(own);
    },
  );

  test.each([
    ["nothing", ""],
    ["a list of numbers", "[1,2,3]"],
    ["a dataset of cases", '{"name":"x","cases":[{"inputs":1,"expected_output":2}]}'],
    ["a test plan", '{"testCases":[{"name":"x","input":1}]}'],
    ["any results", '{"results":[{"input":1,"scores":{"a":1}}]}'],
    ["any summary", '{"summary":{"scores":{}},"results":[]}'],
    ["any rows", '{"input":1,"output":2,"scores":{"a":1}}\n{"input":2,"output":2,"scores":{"a":1}}\n'],
    ["words of a table", "a,b\nGrader Reason,Status\n"],
    ["words of a log", "Running evaluator capitals\nand nothing else\n"],
  ])("does not take %s for its own", (_, content) => {
    expect(FORMATS.filter((format) => format.detect(storedFile(content)))).toEqual([]);
  });

  test("goes by the content, whatever the file is called", () => {
    const { head } = fixtureFile("promptfoo/promptfoo-repeat.csv");
    expect(FORMATS.filter((format) => format.detect(storedFile(head, "report.json")))).toEqual([promptfoo]);
  });
});

const promptOf = ({ metadata }: SourceRow): JsonValue => {
  const { prompt, provider = null } = metadata ?? {};
  return { prompt: typeof prompt === "string" ? (prompt.split(":")[0] ?? "") : null, provider };
};

// What the ids of these are made of is in their own tests.
const NAMES = new Map<ResultFormat, (row: SourceRow) => JsonValue>([
  [promptfoo, promptOf],
  [langfuse, () => null],
]);

const FILES = FORMATS.flatMap((format) =>
  workedOut(format.name).map(([name, file]) => ({ format, name: `${format.name}/${name}`, file })),
);

test.each(FILES)("$name has the rows that were worked out", async ({ format, name, file }) => {
  const { rows, run, faults } = await readAll(format, fixtureFile(name));
  expectWorkedOut(rows, file, NAMES.get(format));
  expectMeans(rows, file);
  expect(faults).toEqual([]);
  expect(run.tool).toBe(file.tool);
  expect(run.toolVersion ?? null).toBe(file.version);
  const summary = run.summaryScores?.map(({ key, value }) => [key, value]);
  expect(summary && Object.fromEntries(summary)).toEqual(file.summary);
});
