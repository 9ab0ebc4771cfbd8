import { describe, expect, test } from "vitest";
import { evalite } from "../../../src/experiments/formats/evalite.ts";
import { expectedFiles, expectRows } from "./expected-file.ts";
import { readAll, refusalOf } from "./reading.ts";
import { storedFile, fixtureFile } from "./stored-file.ts";

const result = (fields: object = {}) => ({
  duration: 1,
  input: "q",
  output: "a",
  expected: null,
  status: "success",
  createdAt: "2026-11-21 13:28:29",
  scores: [],
  ...fields,
});
const evaliteFile = (evals: unknown) => storedFile(JSON.stringify({ run: { runType: "full" }, evals }), "evalite.json");
const read = (...results: readonly object[]) => readAll(evalite, evaliteFile([{ name: "e", results }]));

test.each(expectedFiles("evalite"))("%s has the rows that were worked out", async (name, expected) => {
  const { workspace = "" } = expected;
  const { rows, run, faults, warnings } = await readAll(evalite, fixtureFile(`evalite/${name}`), { workspace });
  expectRows(rows, expected);
  expect(run).toEqual({ tool: "evalite" });
  expect(rows[0]?.metadata).toEqual({ eval: "capitals", file: "capitals.eval.ts" });
  expect(rows.at(-1)?.metadata).toEqual({ eval: "greeting [quiet]", file: "capitals.eval.ts", variant: "quiet" });
  expect([...faults, ...warnings]).toEqual([]);
});

describe("a result of evalite", () => {
  test("ends when it was written, in UTC", async () => {
    const { rows } = await read(result(), result({ createdAt: "2026-11-21T13:28:29.500Z", duration: null }));
    expect(rows.map(({ times }) => times)).toEqual([
      { end: "2026-11-21T13:28:29Z", milliseconds: 1 },
      { end: "2026-11-21T13:28:29.500Z", milliseconds: undefined },
    ]);
  });

  test("of two evals with the same input has two ids, and in each run the same", async () => {
    const evals = ["e", "f"].map((name) => ({ name, results: [result(), result({ id: 7, output: "b" })] }));
    const ids = (await readAll(evalite, evaliteFile(evals))).rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toBe(ids[1]);
  });

  test("keeps null, 0, false and empty texts that are outputs, and takes null for no expected output", async () => {
    const values = [null, 0, false, ""];
    const { rows } = await read(...values.map((output) => result({ input: output, output })));
    expect(rows.map(({ outputs }) => outputs)).toEqual(values);
    expect(rows.map(({ inputs }) => inputs)).toEqual(values);
    expect(rows.map(({ expected }) => expected)).toEqual(values.map(() => undefined));
  });

  test("that failed without an error of a known form has an error all the same", async () => {
    const { rows } = await read(
      result({ status: "fail", output: {} }),
      result({ status: "fail", output: "thrown text" }),
      result({ status: "fail", output: "answer", scores: [{ name: "s", score: 0 }] }),
    );
    expect(rows.map(({ error, outputs }) => [error, outputs])).toEqual([
      [expect.stringContaining("without a reason"), undefined],
      ["thrown text", undefined],
      [undefined, "answer"],
    ]);
  });

  test("keeps two scores of one name apart, and says why a scorer gave its score", async () => {
    const { rows } = await read(
      result({
        scores: [
          { name: "s", score: 1, metadata: { rationale: "good" } },
          { name: "s", score: null },
        ],
      }),
    );
    expect(rows[0]?.scores).toEqual([
      { key: "s", value: 1, comment: "good" },
      { key: "s 2", value: null, comment: undefined },
    ]);
  });

  test("that is not what it should be is a fault with its place, and the others are read", async () => {
    const { rows, faults } = await read(result({ scores: "secret" }), result({ scores: [{ name: 1 }] }), result());
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "row 1: `evals.0.results.0.scores` is a text, not a list",
      "row 2: `evals.0.results.1.scores.0.name` is a number, not a text",
    ]);
  });
});

describe("a file of evalite that is not what it should be", () => {
  test("is a fault for each eval, or refused as a whole", async () => {
    expect((await readAll(evalite, evaliteFile([1, { name: "e" }]))).faults).toEqual([
      "-: `evals.0` is a number, not an object",
      "-: `evals.1.results` is absent, not a list",
    ]);
    expect(await refusalOf(evalite, evaliteFile({}))).toBe("evalite.json: there is no list `evals`.");
  });

  test("is refused where it is cut", async () => {
    const file = storedFile('{"run":{"runType":"full"},"evals":[{"name":"e",\n"results":[', "evalite.json");
    expect(await refusalOf(evalite, file)).toMatch(/^evalite\.json, line \d: .*cut off\.$/);
  });
});
