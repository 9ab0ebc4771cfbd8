import { expect, test } from "vitest";
import { pydanticEvals } from "../../../src/experiments/formats/pydantic-evals.ts";
import type { SourceRun } from "../../../src/experiments/rows/source-row.ts";
import { readAll, refusalOf } from "./reading.ts";
import { fixtureFile, storedFile } from "./stored-file.ts";

const MANY = "x".repeat(33 * 1024 * 1024);
const ran = { name: "a", inputs: "q", output: "x" };
const failed = { ...ran, error_message: "E: m", error_stacktrace: "t" };
const report = (lists: object) => storedFile(JSON.stringify({ name: "r", ...lists }, null, 1));

test("the dataset of a report is named before the rows, from behind them", () => {
  let said: SourceRun = {};
  pydanticEvals.run?.(fixtureFile("pydantic-evals/report.json"), (run) => (said = run));
  expect(said).toEqual({ datasetName: "capitals", metadata: { report: "report" } });
  pydanticEvals.run?.(storedFile('{"cases":['), () => expect.fail("a file that is cut off has no run"));
});

test("a report with over 32 MiB of cases still has its failures", { tags: "slow" }, async () => {
  const file = report({ cases: [{ ...ran, output: MANY }], failures: [failed, { ...failed, metrics: 1 }] });
  const { rows, faults } = await readAll(pydanticEvals, file);
  expect(rows.map(({ error }) => error)).toEqual([undefined, "E: m"]);
  expect(faults).toEqual([expect.stringMatching(/^\d+: `failures\.1\.metrics` is a number, not an object$/)]);
});

test("failures in front of over 32 MiB of cases are read once each", { tags: "slow" }, async () => {
  const file = report({ failures: ["f", "g"].map((name) => ({ ...failed, name })), cases: [{ ...ran, output: MANY }] });
  expect((await readAll(pydanticEvals, file)).rows.map(({ id }) => id)).toEqual(["a", "f", "g"]);
});

test("over 32 MiB of failures are refused by the name of their list", { tags: "slow" }, async () => {
  const text = await refusalOf(
    pydanticEvals,
    report({ cases: [ran], failures: [{ ...failed, error_stacktrace: MANY }] }),
  );
  expect(text).toBe(
    "results.any: `failures` and the rest of the file are larger than 32 MiB, too large to be read beside `cases`.",
  );
});
