import { describe, expect, test } from "vitest";
import { jest, vitest } from "../../../../src/experiments/formats/test-runners/test-report.ts";
import { expectedFiles, expectRows } from "../expected-file.ts";
import { readAll, refusalOf } from "../reading.ts";
import { storedFile, fixtureFile } from "../stored-file.ts";

const testCase = (fields: object = {}) => ({
  ancestorTitles: ["a"],
  title: "t",
  status: "passed",
  duration: 1,
  ...fields,
});
const testFile = (assertionResults: readonly unknown[], fields: object = {}) => ({
  name: "/work/x.test.ts",
  status: "passed",
  message: "",
  assertionResults,
  ...fields,
});
const report = (...testResults: readonly { readonly assertionResults: readonly unknown[] }[]) => {
  const numTotalTests = testResults.flatMap(({ assertionResults }) => assertionResults).length;
  return storedFile(JSON.stringify({ numTotalTests, startTime: 1795267629876, testResults }), "report.json");
};

describe("a report that the tool wrote", () => {
  const files = [vitest, jest].flatMap((format) =>
    expectedFiles(format.name).map((file) => [format, ...file] as const),
  );
  test.each(files.map(([format, name, expected]) => [name, format, expected] as const))(
    "%s has the rows that were worked out",
    async (name, format, expected) => {
      const { workspace = "" } = expected;
      const file = fixtureFile(`${format.name}/${name}`);
      const { rows, run, faults, warnings } = await readAll(format, file, { workspace });
      expectRows(rows, expected);
      expect(run.tool).toBe(expected.tool);
      expect(run.times).toEqual({ start: expect.any(Number), fields: { start: "startTime" } });
      expect([...faults, ...warnings]).toEqual([]);
    },
  );

  test("of jest gives each test its start in milliseconds", async () => {
    const { rows } = await readAll(jest, fixtureFile("jest/jest.json"), { workspace: "/tmp/results/jest" });
    expect(rows[0]?.times).toEqual({ start: 1795266641246, milliseconds: 2 });
  });

  test("of vitest-evals says why a judge gave its score", async () => {
    const { rows } = await readAll(vitest, fixtureFile("vitest/vitest-evals.json"), {
      workspace: "/tmp/results/vitest",
    });
    expect(rows[0]?.scores[1]).toEqual({ key: "exact", value: 1, comment: "wanted Paris" });
  });
});

describe("the name of a test file", () => {
  const fileOf = async (name: string, workspace: string) => {
    const { rows, warnings } = await readAll(vitest, report(testFile([testCase()], { name })), { workspace });
    return { inputs: rows[0]?.inputs, warnings };
  };

  test("is relative to the workspace", async () => {
    expect(await fileOf("/work/a/b.test.ts", "/work/a")).toEqual({
      inputs: { file: "b.test.ts", test: "a > t" },
      warnings: [],
    });
    expect(await fileOf("a/b.test.ts", "/work")).toEqual({
      inputs: { file: "a/b.test.ts", test: "a > t" },
      warnings: [],
    });
  });

  test.each(["/elsewhere/b.test.ts", "/workspace/b.test.ts", "D:\\a\\b.test.ts", "D:/a/b.test.ts"])(
    "stays what it is where that is %s, with one warning",
    async (name) => {
      const results = [testFile([testCase(), testCase()], { name }), testFile([testCase()], { name })];
      const { rows, warnings } = await readAll(vitest, report(...results), { workspace: "/work" });
      expect(rows.map(({ inputs }) => inputs)).toEqual(rows.map(() => ({ file: name, test: "a > t" })));
      expect(warnings).toEqual([expect.stringMatching(/^report\.json names test files by absolute paths/)]);
    },
  );
});

describe("a test", () => {
  const rowsOf = async (...tests: readonly object[]) => readAll(vitest, report(testFile(tests)));

  test.each(["skipped", "pending", "todo", "disabled"])("that is %s has no score", async (status) => {
    expect((await rowsOf(testCase({ status, duration: null }))).rows).toMatchObject([{ scores: [], times: undefined }]);
  });

  test("of an unknown status is a fault, and not passed", async () => {
    const { rows, faults } = await rowsOf(testCase({ status: "secret" }), testCase());
    expect(rows).toHaveLength(1);
    expect(faults).toEqual(["row 1: `testResults.0.assertionResults.0.status` is not a known status of a test"]);
  });

  test("that failed says how, and has no error", async () => {
    const { rows } = await rowsOf(testCase({ status: "failed", failureMessages: ["one", "two"] }));
    expect(rows[0]).toMatchObject({ scores: [{ key: "pass", value: 0, comment: "one\n\ntwo" }], error: undefined });
  });

  test("has no empty title in its name, which an older vitest put in front", async () => {
    const { rows } = await rowsOf(testCase({ ancestorTitles: ["", "suite"] }));
    expect(rows[0]?.inputs).toEqual({ file: "x.test.ts", test: "suite > t" });
  });

  test("with a judge called pass keeps its own verdict", async () => {
    const scores = [
      { name: "pass", score: 0.5 },
      { name: null, score: 1 },
      { name: "score", score: 0 },
    ];
    const { rows } = await rowsOf(testCase({ meta: { eval: { scores } } }));
    expect(rows[0]?.scores.map(({ key, value }) => [key, value])).toEqual([
      ["pass", 1],
      ["pass 2", 0.5],
      ["score", 1],
      ["score 2", 0],
    ]);
  });

  test("with a `meta` of its own is a plain test", async () => {
    const { rows, run } = await rowsOf(testCase({ meta: { mine: [1] } }), testCase({ meta: null }));
    expect(rows).toHaveLength(2);
    expect(run.tool).toBe("vitest");
  });

  test("that is not what it should be is a fault with its place, and the others are read", async () => {
    const { rows, faults } = await rowsOf(
      testCase({ title: 1 }),
      testCase({ meta: { eval: { scores: [{ name: {} }] } } }),
      testCase({ failureMessages: [null] }),
      testCase(),
    );
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "row 1: `testResults.0.assertionResults.0.title` is a number, not a text",
      "row 2: `testResults.0.assertionResults.1.meta.eval.scores.0.name` is an object, not a text",
      "row 3: `testResults.0.assertionResults.2.failureMessages.0` is null, not a text",
    ]);
  });
});

describe("a test file", () => {
  const broken = { inputs: { file: "x.test.ts" }, scores: [{ key: "pass", value: 0 }] };

  test("that breaks behind its tests is a row with an error", async () => {
    const { rows } = await readAll(vitest, report(testFile([testCase()], { status: "failed", message: "afterAll" })));
    expect(rows[1]).toMatchObject({ ...broken, error: "afterAll" });
  });

  test("that breaks and says nothing is a row with an error", async () => {
    const { rows } = await readAll(vitest, report(testFile([], { status: "failed" })));
    expect(rows).toMatchObject([{ ...broken, error: expect.stringContaining("without a reason") }]);
  });

  test("that failed by one of its tests is no row", async () => {
    const tests = [testCase({ status: "failed" })];
    const { rows } = await readAll(vitest, report(testFile(tests, { status: "failed", message: "t failed" })));
    expect(rows.map(({ error }) => error)).toEqual([undefined]);
  });
});

test("a report that is cut is refused with the line", async () => {
  const file = storedFile('{"numTotalTests":1,"testResults":[\n{"name":"x"},\n{"na', "report.json");
  expect(await refusalOf(vitest, file)).toMatch(/^report\.json, line 3: /);
});
