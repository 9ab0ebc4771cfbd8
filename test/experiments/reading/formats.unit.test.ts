import { describe, expect, test } from "vitest";
import { FORMATS } from "../../../src/experiments/reading/formats.ts";
import type { ResultFile } from "../../../src/experiments/rows/result-file.ts";
import { formatOf } from "../formats/expected-file.ts";
import { fixtureFile, fixtureNames, storedFile } from "../formats/stored-file.ts";

/** The formats that a file may be: rows of any tool are looked for where no tool knows its own. */
function seenIn(file: ResultFile): readonly string[] {
  const seen = (isGeneric: boolean) =>
    FORMATS.filter((format) => (format.isGeneric ?? false) === isGeneric && format.detect(file)).map(
      ({ name }) => name,
    );
  const ofTools = seen(false);
  return ofTools.length === 0 ? seen(true) : ofTools;
}

describe("a format", () => {
  // A file in UTF-16 is refused before any format sees it.
  test.each(fixtureNames().filter((name) => !name.includes("utf-16")))("alone is seen in %s", (name) => {
    expect(seenIn(fixtureFile(name))).toEqual([formatOf(name)]);
  });

  test.each([
    ["nothing", ""],
    ["a list of numbers", "[1,2,3]"],
    ["a package.json", '{"name":"x","version":"1.0.0","jest":{"testResults":[]}}'],
    ["a page", "<!doctype html><html><testsuite></testsuite></html>"],
    ["a zip of something else", "PK\u0003\u0004 word/document.xml"],
    ["words of a report in a text", "numTotalTests, testResults"],
    ["a dataset of cases", '{"name":"x","cases":[{"inputs":1,"expected_output":2}]}'],
    ["a test plan", '{"testCases":[{"name":"x","input":1}]}'],
    ["words of a log", "Running evaluator capitals\nand nothing else\n"],
    ["prose", "Hello, world\nThis is a report, of sorts, in three parts\n"],
    ["a list in YAML", "- a\n- b\n"],
  ])("is not seen in %s", (_, content) => {
    expect(seenIn(storedFile(content))).toEqual([]);
  });

  test.each([
    ["any rows", '{"input":1,"output":2,"scores":{"a":1}}\n{"input":2,"output":2,"scores":{"a":1}}\n', "jsonl"],
    [
      "rows with a score beside the names of native",
      '{"inputs":{},"row_id":"a","actual_outputs":{},"exact":1}',
      "jsonl",
    ],
    [
      "results with a name and scores",
      '{"experiment_name":"x","results":[{"inputs":{},"outputs":1,"exact":1}]}',
      "jsonl",
    ],
    ["any results", '{"results":[{"input":1,"scores":{"a":1}}]}', "jsonl"],
    ["any summary", '{"summary":{"scores":{}},"results":[]}', "jsonl"],
    ["words of a table", "a,b\nGrader Reason,Status\n", "csv"],
  ])("of a tool is not seen in %s", (_, content, format) => {
    expect(seenIn(storedFile(content))).toEqual([format]);
  });

  test("goes by the content, whatever the file is called", () => {
    const { head } = fixtureFile("promptfoo/promptfoo-repeat.csv");
    expect(seenIn(storedFile(head, "report.json"))).toEqual(["promptfoo"]);
  });
});
