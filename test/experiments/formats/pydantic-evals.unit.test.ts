import { describe, expect, test } from "vitest";
import { pydanticEvals } from "../../../src/experiments/formats/pydantic-evals.ts";
import type { SourceRun } from "../../../src/experiments/rows/source-row.ts";
import { readAll, refusalOf } from "./reading.ts";
import { numbersOf } from "./expected-file.ts";
import { fixtureFile, storedFile } from "./stored-file.ts";

const ran = (fields: object = {}) => ({
  name: "a",
  inputs: "q",
  expected_output: null,
  output: "x",
  source_case_name: null,
  ...fields,
});
const failed = (fields: object = {}) => ({ ...ran(fields), error_message: "E: m", error_stacktrace: "t", ...fields });
const report = (cases: readonly unknown[], failures?: readonly unknown[], fields: object = {}) =>
  JSON.stringify(
    { name: "r", cases, ...(failures === undefined ? {} : { failures }), dataset_name: "d", ...fields },
    null,
    1,
  );
const read = (cases: readonly unknown[], failures?: readonly unknown[]) =>
  readAll(pydanticEvals, storedFile(report(cases, failures)));
const result = (value: unknown, fields: object = {}) => ({
  name: "n",
  value,
  reason: null,
  source: { name: "Exact" },
  ...fields,
});
const MANY = "x".repeat(33 * 1024 * 1024);

describe("a case of pydantic-evals", () => {
  test("that is repeated has its own name, and its number also where one repeat failed", async () => {
    const again = (number: number) => ({ name: `a [${String(number)}/3]`, source_case_name: "a" });
    const { rows } = await read([ran(again(3)), ran(again(1))], [failed(again(2))]);
    expect(rows.map(({ id, repetition }) => [id, repetition])).toEqual([
      ["a", 2],
      ["a", 0],
      ["a", 1],
    ]);
  });

  test("that only has a number for a name is known by its inputs", async () => {
    const { rows } = await read([
      ran({ name: "Case 1" }),
      ran({ name: "Case 1 [2/2]", source_case_name: "Case 1" }),
      ran({ name: "b [1/2]" }),
    ]);
    expect(rows.map(({ id, repetition }) => [id, repetition])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ["b [1/2]", undefined],
    ]);
  });

  test("takes assertions as scores, and labels and metrics as metadata", async () => {
    const { rows } = await read([
      ran({
        metadata: { level: 1 },
        scores: { s: result(0.5, { source: { name: "LLMJudge" }, reason: "why" }), both: result(0.25) },
        assertions: { both: result(true) },
        labels: { kind: result("short") },
        metrics: { tokens: 3 },
        evaluator_failures: [{ name: "Crashes", error_message: "no key", error_stacktrace: "long" }],
      }),
    ]);
    expect(rows.map((row) => numbersOf(row))).toEqual([{ s: 0.5, both: 0.25, "both 2": 1 }]);
    expect(rows[0]?.scores[0]).toEqual({ key: "s", value: 0.5, comment: "why", by: "model" });
    expect(rows[0]?.metadata).toEqual({
      labels: { kind: "short" },
      metrics: { tokens: 3 },
      evaluator_failures: [{ name: "Crashes", error_message: "no key" }],
      level: 1,
    });
  });

  test("keeps metadata that is no object, and has none where all is null", async () => {
    const { rows } = await read([ran({ metadata: ["m"] }), ran({ metadata: null, metrics: {}, attributes: null })]);
    expect(rows.map(({ metadata }) => metadata)).toEqual([{ metadata: ["m"] }, undefined]);
  });

  test("that failed has an error even without a text", async () => {
    const { rows } = await read([], [failed(), failed({ error_message: "" })]);
    expect(rows.map(({ error }) => error)).toEqual(["E: m", "The tool reported a failure without a reason."]);
  });

  test("that is broken is a fault with its line and without its data", async () => {
    const { rows, faults } = await read([ran({ scores: { secret: 1 } }), "secret"], [failed({ metrics: 1 })]);
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "4: `cases.0.scores` is a number, not an object",
      expect.stringMatching(/^\d+: `cases\.1` is a text, not an object$/),
      expect.stringMatching(/^\d+: `failures\.0\.metrics` is a number, not an object$/),
    ]);
  });
});

describe("a report of pydantic-evals", () => {
  test("names its dataset before the rows, from behind them", () => {
    let said: SourceRun = {};
    pydanticEvals.run?.(fixtureFile("pydantic-evals/report.json"), (run) => (said = run));
    expect(said).toEqual({ datasetName: "capitals", metadata: { report: "report" } });
    pydanticEvals.run?.(storedFile('{"cases":['), () => expect.fail("a file that is cut off has no run"));
  });

  test("without failures is read, and one with failures only", async () => {
    expect((await read([ran()])).rows).toHaveLength(1);
    const file = storedFile(report([], [failed()]));
    expect(pydanticEvals.detect(file)).toBe(true);
    expect((await readAll(pydanticEvals, file)).rows).toHaveLength(1);
    expect(await refusalOf(pydanticEvals, storedFile('{"failures":[]}'))).toContain("there is no list `cases`");
  });

  test("with over 32 MiB of cases still has its failures", { tags: "slow" }, async () => {
    const { rows, faults } = await readAll(
      pydanticEvals,
      storedFile(report([ran({ output: MANY })], [failed(), failed({ metrics: 1 })])),
    );
    expect(rows.map(({ error }) => error)).toEqual([undefined, "E: m"]);
    expect(faults).toEqual(["22: `failures.1.metrics` is a number, not an object"]);
  });

  test("with its failures in front of over 32 MiB of cases has each of them once", { tags: "slow" }, async () => {
    const text = JSON.stringify({
      failures: [failed({ name: "f" }), failed({ name: "g" })],
      cases: [ran({ output: MANY })],
    });
    expect((await readAll(pydanticEvals, storedFile(text))).rows.map(({ id }) => id)).toEqual(["a", "f", "g"]);
  });

  test(
    "with over 32 MiB of failures is refused, and the refusal says which list is too long",
    { tags: "slow" },
    async () => {
      const text = await refusalOf(pydanticEvals, storedFile(report([ran()], [failed({ error_stacktrace: MANY })])));
      expect(text).toBe(
        "results.any: `failures` and the rest of the file are larger than 32 MiB, too large to be read beside `cases`.",
      );
    },
  );

  test("that is cut off is refused with its line", async () => {
    const text = report([ran()], [failed()]);
    expect(await refusalOf(pydanticEvals, storedFile(text.slice(0, -60)))).toMatch(/^results\.any, line \d+: /);
  });
});
