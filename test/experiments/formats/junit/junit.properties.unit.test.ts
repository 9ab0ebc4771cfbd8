import { describe, expect, test } from "vitest";
import { junit } from "../../../../src/experiments/formats/junit/junit.ts";
import type { ResultFormat } from "../../../../src/experiments/formats/shared/format.ts";
import { numbersOf } from "../expected-file.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const readText = async (format: ResultFormat, text: string) => await readAll(format, storedFile(text));

describe("properties of tests", () => {
  test("with one name are scores of their own", async () => {
    const properties = ["1", "0.5"].map((value) => `<property name="score.exact" value="${value}"/>`).join("");
    const xml = `<testsuite><testcase name="t" classname="c"><properties>${properties}</properties></testcase></testsuite>`;
    expect((await readText(junit, xml)).rows.map(numbersOf)).toEqual([{ pass: 1, exact: 1, "exact 2": 0.5 }]);
  });
});
