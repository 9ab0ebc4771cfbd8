import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deepeval } from "../../../../src/experiments/formats/deepeval/deepeval.ts";
import { inspect } from "../../../../src/experiments/formats/inspect/inspect.ts";
import { jest, vitest } from "../../../../src/experiments/formats/test-runners/test-report.ts";
import { junit } from "../../../../src/experiments/formats/junit/junit.ts";
import { promptfoo } from "../../../../src/experiments/formats/promptfoo/promptfoo.ts";
import type { ResultFormat } from "../../../../src/experiments/formats/shared/format.ts";
import { isJsonList, isJsonObject } from "../../../../src/files/json-object.ts";
import { parseJsonValue } from "../../../../src/files/json/parsed-value.ts";
import { writeJsonValue, type JsonObject, type JsonValue } from "../../../../src/files/json/value.ts";
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

describe("a row that no tool counted", () => {
  test.each<[format: ResultFormat, name: string, path: string, warning: string]>([
    [
      vitest,
      "vitest/vitest-plain.json",
      "testResults.1.assertionResults",
      "`numTotalTests` is 10, but the file has 11",
    ],
    [promptfoo, "promptfoo/promptfoo.json", "results.results", "are 12, but the file has 13"],
    [inspect, "inspect/capitals.json", "samples", "`results.total_samples` is 4, but the file has 5"],
  ])("is a warning, for it may stand in the file twice: %o", async (format, name, path, warning) => {
    const { faults, warnings } = await readAll(format, changed(name, path.split("."), twice));
    expect(faults).toEqual([]);
    expect(warnings.join()).toContain(warning);
  });
});

describe("a count", () => {
  test("of another type is a fault, and an absent one says nothing", async () => {
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
});

describe("a log of inspect_ai", () => {
  const log = (results: object, samples: number, status = "success") => ({
    version: 2,
    status,
    eval: { task: "t", model: "m", dataset: { name: "d" } },
    results,
    samples: Array.from({ length: samples }, (_, index) => ({ id: index, epoch: 1, input: "q", scores: {} })),
  });
  const read = async (...of: Parameters<typeof log>) =>
    await readAll(inspect, storedFile(JSON.stringify(log(...of)), "log.json"));

  test("counts the samples that were logged where a task was drained, and none that were stopped early", async () => {
    expect((await read({ total_samples: 5, logged_samples: 3, completed_samples: 3 }, 3)).faults).toEqual([]);
    const early = { early_stops: [{ id: 3 }, { id: 4 }] };
    expect((await read({ total_samples: 5, completed_samples: 3, early_stopping: early }, 3)).faults).toEqual([]);
    expect((await read({ total_samples: 5, completed_samples: 3, early_stopping: early }, 2)).faults).toHaveLength(1);
  });

  test("of a run that broke has as many samples as it completed, at least", async () => {
    const { faults, warnings } = await read({ total_samples: 5, completed_samples: 2 }, 3, "error");
    expect(faults).toEqual([]);
    expect(warnings).toHaveLength(1);
    const lost = await read({ total_samples: 5, completed_samples: 2 }, 1, "error");
    expect(lost.faults).toEqual([expect.stringContaining("`results.completed_samples` is 2, but the file has 1")]);
  });

  test("in a zip is compared with its samples, too", async () => {
    const { samples, ...header } = log({ total_samples: 2, completed_samples: 2 }, 1);
    const zip = madeZip([
      { name: "samples/1_epoch_1.json", content: JSON.stringify(samples[0]) },
      { name: "header.json", content: JSON.stringify(header) },
    ]);
    const { faults } = await readAll(inspect, storedFile(zip, "log.eval"));
    expect(faults).toEqual([expect.stringContaining("`results.total_samples` is 2, but the file has 1")]);
  });
});

describe("the attributes of a JUnit suite", () => {
  const passed = '<testcase name="a"/>';
  const failed = '<testcase name="b"><failure message="m"/></testcase>';
  const broken = '<testcase name="c"><error message="m"/></testcase>';
  const read = async (content: string) => await readAll(junit, storedFile(content, "junit.xml"));

  test.each([
    ["vitest tests", 'tests="2"', "`tests` is 2, but the testsuite has 1"],
    ["promptfoo", 'tests="2"', "`tests` is 2, but the testsuite has 1"],
    ["jest tests", 'tests="2"', "`tests` is 2, but the testsuite has 1"],
    ["pytest tests", 'tests="1" failures="1"', "`failures` and `errors` are 1, but the testsuite has 0"],
    ["pytest tests", 'tests="1" skipped="2"', "`skipped` is 2, but the testsuite has 0"],
  ])("that %s writes are its tests: %s", async (tool, attributes, message) => {
    const { faults, warnings } = await read(
      `<testsuites name="${tool}">\n<testsuite name="s" ${attributes}>${passed}</testsuite></testsuites>`,
    );
    expect(faults).toEqual([`2: ${message}: results are missing`]);
    expect(warnings).toEqual([]);
  });

  test("of the tools whose `tests` count more than tests, or that are not known, are a warning", async () => {
    for (const root of ['<testsuites name="pytest tests">', "<testsuites>"]) {
      const { faults, warnings } = await read(
        `${root}\n<testsuite name="s" tests="2">${passed}</testsuite></testsuites>`,
      );
      expect(faults).toEqual([]);
      expect(warnings).toEqual(["junit.xml, line 2: `tests` is 2, but the testsuite has 1: results may be missing."]);
    }
    const { warnings } = await read(`<testsuite tests="2" failures="2">${passed}${failed}</testsuite>`);
    expect(warnings).toEqual([expect.stringContaining("`failures` and `errors` are 2, but the testsuite has 1")]);
  });

  test("may call a failure an error, count each failure of a test, and leave out hooks and reruns", async () => {
    for (const attributes of [
      'tests="3" failures="0" errors="2"',
      'tests="2" failures="1" errors="1"',
      'tests="1,000"',
      'tests=""',
      "",
    ]) {
      const { faults, warnings } = await read(`<testsuite ${attributes}>${passed}${failed}${broken}</testsuite>`);
      expect([...faults, ...warnings]).toEqual([]);
    }
    const many = '<testcase name="b"><failure message="m"/><failure message="n"/></testcase>';
    expect((await read(`<testsuite tests="1" failures="2">${many}</testsuite>`)).warnings).toEqual([]);
  });

  test("count a teardown that broke behind a test that passed, as pytest does", async () => {
    const teardown = '<testcase name="a"><error message="failed on teardown with &quot;E&quot;"/></testcase>';
    const suite = (tests: number) => `<testsuite name="pytest" tests="${tests}" errors="1">${teardown}</testsuite>`;
    expect(await read(suite(2))).toMatchObject({ faults: [], warnings: [] });
    expect((await read(suite(3))).warnings).toHaveLength(1);
  });

  test("of suites in suites may be of their own tests, or of all below, and are reported once where they lost one", async () => {
    const inner = (tests: number) => `<testsuite name="i" tests="${tests}">${passed}</testsuite>`;
    const outer = (own: number, below: number) =>
      `<testsuites name="vitest tests" tests="${own}"><testsuite name="o" tests="${own}">${passed}${inner(below)}</testsuite></testsuites>`;
    for (const own of [1, 2]) expect((await read(outer(own, 1))).faults).toEqual([]);
    expect((await read(outer(3, 2))).faults).toEqual([
      expect.stringContaining("`tests` is 2, but the testsuite has 1"),
    ]);
    expect((await read(outer(3, 1))).faults).toEqual([
      expect.stringContaining("`tests` is 3, but the testsuite has 2"),
    ]);
  });

  test("are compared in each of the files that tools wrote, with a testcase taken out", async () => {
    for (const name of ["pytest-9.xml", "vitest.xml", "promptfoo.xml"]) {
      const whole = fixture(`junit/${name}`);
      const testcases = [...whole.matchAll(/<testcase\b[^>]*(?:\/>|>.*?<\/testcase>)/gs)];
      expect(testcases.length).toBeGreaterThan(9);
      for (const { index, 0: text } of testcases) {
        const { faults, warnings } = await read(whole.slice(0, index) + whole.slice(index + text.length));
        const told = [...faults, ...warnings].filter((sentence) => sentence.includes("but the testsuite has"));
        // The second testcase of a test of pytest has the error of its teardown, and is counted as an error.
        expect(told, text).not.toEqual([]);
      }
    }
  });
});
