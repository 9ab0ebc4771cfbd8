import { describe, expect, test } from "vitest";
import { chooseFormat, FORMATS } from "../../../../src/experiments/reading/formats.ts";
import { UNKNOWN_ERROR } from "../../../../src/experiments/formats/shared/error-text.ts";
import { readRow } from "../../../../src/experiments/reading/row-reader.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

/** The errors of the rows of a file, as they are sent; the format is detected from the content. */
async function errorsOf(content: string): Promise<readonly (string | undefined)[]> {
  const file = storedFile(content);
  const { rows, faults } = await readAll(chooseFormat(file, FORMATS), file);
  expect(faults).toEqual([]);
  return rows.map((source) => {
    const { row } = readRow(source);
    expect(row?.hasError).toBe(row?.members.includes('"error":'));
    return row?.hasError === true ? source.error : undefined;
  });
}

const suite = (result: object) => ({ name: "e", results: [{ input: 1, status: "fail", scores: [], ...result }] });

describe("a row that its tool calls an error, without a word why,", () => {
  test.each([
    ["evalite", { run: { runType: "full" }, evals: [suite({ output: "" }), suite({ output: null })] }, 2],
    [
      "vitest",
      {
        numTotalTests: 0,
        testResults: [{ name: "a.test.ts", status: "failed", message: "", assertionResults: [] }],
      },
      1,
    ],
    [
      "vitest-evals",
      {
        numTotalTests: 1,
        testResults: [
          {
            name: "a.test.ts",
            status: "passed",
            assertionResults: [
              { title: "t", status: "passed", meta: { harness: { run: { errors: [{ message: "" }] } } } },
            ],
          },
        ],
      },
      1,
    ],
    [
      "inspect",
      {
        version: 2,
        eval: { task: "t", model: "m", dataset: {} },
        samples: [{ id: 1, input: "q", error: { message: "" } }],
      },
      1,
    ],
    ["pydantic-evals", { name: "r", cases: [], failures: [{ inputs: 1, error_message: "", error_stacktrace: "" }] }, 1],
    [
      "promptfoo",
      {
        results: {
          version: 3,
          prompts: [],
          results: [
            {
              vars: { x: 1 },
              prompt: {},
              provider: "p",
              success: false,
              failureReason: 2,
              error: "",
              gradingResult: null,
            },
          ],
        },
      },
      1,
    ],
    [
      "braintrust",
      {
        summary: { projectName: "p", experimentName: "e", scores: {} },
        results: [{ input: 1, error: {}, scores: {} }],
      },
      1,
    ],
  ])("counts as one in a file of %s", async (_tool, document, count) => {
    expect(await errorsOf(JSON.stringify(document))).toEqual(Array.from({ length: count }, () => UNKNOWN_ERROR));
  });

  test("counts as one in JUnit XML and in a line of evals", async () => {
    const xml = '<testsuites><testsuite name="s"><testcase name="a"><error/></testcase></testsuite></testsuites>';
    expect(await errorsOf(xml)).toEqual([UNKNOWN_ERROR]);
    const event = { run_id: "r", event_id: 0, sample_id: "s", type: "error", data: { message: "" } };
    expect(await errorsOf(`${JSON.stringify(event)}\n`)).toEqual([UNKNOWN_ERROR]);
  });
});

test("an error without a text is none where rows are written as they are sent, and in a table", async () => {
  expect(await errorsOf('{"experiment_name":"x","results":[{"inputs":{},"error":""},{"inputs":{}}]}')).toEqual([
    undefined,
    undefined,
  ]);
  expect(await errorsOf('{"input":"a","error":""}\n{"input":"b","error":null}\n')).toEqual([undefined, undefined]);
  expect(await errorsOf("input,error\na,\nb,broke\n")).toEqual([undefined, "broke"]);
});
