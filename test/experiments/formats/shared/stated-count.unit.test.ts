import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deepeval } from "../../../../src/experiments/formats/deepeval/deepeval.ts";
import { inspect } from "../../../../src/experiments/formats/inspect/inspect.ts";
import { jest, vitest } from "../../../../src/experiments/formats/test-runners/test-report.ts";
import { junit } from "../../../../src/experiments/formats/junit/junit.ts";
import { promptfoo } from "../../../../src/experiments/formats/promptfoo/promptfoo.ts";
import type { ResultFormat } from "../../../../src/experiments/formats/shared/format.ts";
import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  writeJsonValue,
} from "../../../../src/files/json/value.ts";
import { parseJsonValue } from "../../../../src/files/json/parsed-value.ts";
import { madeZip } from "../made-zip.ts";
import { readAll } from "../reading.ts";
import { FIXTURES, storedFile } from "../stored-file.ts";

const fixture = (name: string) => readFileSync(join(FIXTURES, name), "utf8");

/** A JSON file of a tool with one value changed: `change` gets what stands at the path. */
function changed(
  name: string,
  path: readonly string[],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
) {
  const at = (value: JsonValue, [key, ...rest]: readonly string[]): JsonValue => {
    if (key === undefined) return value;
    if (isJsonList(value)) return value.map((each, index) => (String(index) === key ? at(each, rest) : each));
    const object: JsonObject = isJsonObject(value) ? value : {};
    const below = rest.length === 0 ? change(object[key]) : at(object[key] ?? null, rest);
    const { [key]: _before, ...others } = object;
    return below === undefined ? others : { ...others, [key]: below };
  };
  const document = at(parseJsonValue(Buffer.from(fixture(name)), { file: name }), path);
  return storedFile(writeJsonValue(document), "file.json");
}
const withoutFirst = (value: JsonValue | undefined) => (isJsonList(value) ? value.slice(1) : value);
const twice = (value: JsonValue | undefined) => (isJsonList(value) ? [...value, ...value.slice(0, 1)] : value);

describe("a row that a tool counted, and that the file lost, is a fault", () => {
  test.each<[format: ResultFormat, name: string, path: string, faults: readonly string[]]>([
    [
      vitest,
      "vitest/vitest-plain.json",
      "testResults.1.assertionResults",
      ["`numTotalTests` is 10, but the file has 9"],
    ],
    [jest, "jest/jest.json", "testResults.0.assertionResults", ["`numTotalTests` is 11, but the file has 10"]],
    [
      promptfoo,
      "promptfoo/promptfoo.json",
      "results.results",
      ["`results.stats.successes`, `failures` and `errors` are 12, but the file has 11"],
    ],
    [deepeval, "deepeval/latest_run_full.json", "testCases", ["`testPassed` is 1, but the file has 0"]],
    [
      deepeval,
      "deepeval/latest_test_run.json",
      "testRunData.testCases",
      ["`testRunData.testPassed` is 1, but the file has 0"],
    ],
    [inspect, "inspect/capitals.json", "samples", ["`results.total_samples` is 4, but the file has 3"]],
  ])("$0.name: %s", async (format, name, path, faults) => {
    const read = await readAll(format, changed(name, path.split("."), withoutFirst));
    expect(read.faults).toEqual(faults.map((fault) => expect.stringContaining(fault) as string));
    expect(read.warnings.filter((warning) => warning.includes("but the file has"))).toEqual([]);
  });

  test("and so is a test that failed, and now passed", async () => {
    const file = changed(
      "vitest/vitest-plain.json",
      ["testResults", "1", "assertionResults", "1", "status"],
      (status) => {
        expect(status).toBe("failed");
        return "passed";
      },
    );
    const { faults } = await readAll(vitest, file);
    expect(faults).toEqual([expect.stringContaining("`numFailedTests` is 3, but the file has 2")]);
  });
});

test.each<[format: ResultFormat, name: string, path: string, warning: string]>([
  [vitest, "vitest/vitest-plain.json", "testResults.1.assertionResults", "`numTotalTests` is 10, but the file has 11"],
  [promptfoo, "promptfoo/promptfoo.json", "results.results", "are 12, but the file has 13"],
  [inspect, "inspect/capitals.json", "samples", "`results.total_samples` is 4, but the file has 5"],
])(
  "a row that no tool counted is a warning, for it may stand in the file twice: %o",
  async (format, name, path, warning) => {
    const { faults, warnings } = await readAll(format, changed(name, path.split("."), twice));
    expect(faults).toEqual([]);
    expect(warnings.join()).toContain(warning);
  },
);

test("a count of another type is a fault, and an absent one says nothing", async () => {
  const text = await readAll(
    jest,
    changed("jest/jest.json", ["numTotalTests"], () => "11"),
  );
  expect(text.faults).toEqual([expect.stringContaining("`numTotalTests` is a text, not a number")]);
  const absent = await readAll(
    deepeval,
    changed("deepeval/latest_run_full.json", ["testPassed"], () => undefined),
  );
  expect([...absent.faults, ...absent.warnings]).toEqual([]);
});

test("a zip of inspect_ai is compared with its samples, too", async () => {
  const header = {
    ...{ version: 2, status: "success", eval: { task: "t", model: "m", dataset: { name: "d" } } },
    results: { total_samples: 2, completed_samples: 2 },
  };
  const zip = madeZip([
    { name: "samples/1_epoch_1.json", content: JSON.stringify({ id: 0, epoch: 1, input: "q", scores: {} }) },
    { name: "header.json", content: JSON.stringify(header) },
  ]);
  const { faults } = await readAll(inspect, storedFile(zip, "log.eval"));
  expect(faults).toEqual([expect.stringContaining("`results.total_samples` is 2, but the file has 1")]);
});

test("the attributes of a JUnit suite are compared in each of the files that tools wrote, with a testcase taken out", async () => {
  for (const name of ["pytest-9.xml", "vitest.xml", "promptfoo.xml"]) {
    const whole = fixture(`junit/${name}`);
    const testcases = [...whole.matchAll(/<testcase\b[^>]*(?:\/>|>.*?<\/testcase>)/gs)];
    expect(testcases.length).toBeGreaterThan(9);
    for (const { index, 0: text } of testcases) {
      const { faults, warnings } = await readAll(
        junit,
        storedFile(whole.slice(0, index) + whole.slice(index + text.length), "junit.xml"),
      );
      const told = [...faults, ...warnings].filter((sentence) => sentence.includes("but the testsuite has"));
      // The second testcase of a test of pytest has the error of its teardown, and is counted as an error.
      expect(told, text).not.toEqual([]);
    }
  }
});
