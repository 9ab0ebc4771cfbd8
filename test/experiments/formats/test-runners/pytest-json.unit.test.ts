import { describe, expect, test } from "vitest";
import { pytestJson } from "../../../../src/experiments/formats/test-runners/pytest-json.ts";
import type { ResultFormat } from "../../../../src/experiments/formats/shared/format.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("a report of pytest", () => {
  const report = (test: object, more: object = {}) => {
    const rest = { created: 1, exitcode: 0, root: "/", summary: { total: 1 }, ...more };
    return JSON.stringify({ ...rest, tests: [{ nodeid: "a.py::b", outcome: "passed", ...test }] });
  };

  test("has properties that are no scores without the prefix", async () => {
    const { rows } = await readText(pytestJson, report({ user_properties: [{ exact: 1 }, { "score.": 1 }] }));
    expect(rows.map(({ scores, metadata }) => [scores.length, metadata])).toEqual([[1, { exact: 1, "score.": 1 }]]);
  });

  test("is a fault where an outcome is not known, or tests are missing", async () => {
    const { faults } = await readText(pytestJson, report({ outcome: "rerun" }));
    expect(faults).toEqual([expect.stringContaining("outcome")]);
    const fewer = await readText(pytestJson, report({}, { summary: { total: 2 } }));
    expect(fewer.faults).toEqual([expect.stringContaining("`summary.total` is 2")]);
  });

  test("has a row with an error for a file that does not load", async () => {
    const collectors = [{ nodeid: "b.py", outcome: "failed", longrepr: "ImportError: x" }];
    const { rows } = await readText(pytestJson, report({}, { collectors }));
    expect(rows.map(({ inputs, error }) => [inputs, error])).toEqual([
      [{ file: "a.py", test: "b" }, undefined],
      [{ file: "b.py" }, "ImportError: x"],
    ]);
  });
});
