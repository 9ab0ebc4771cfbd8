import fc from "fast-check";
import { propertyRuns } from "../../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { deepeval } from "../../../../src/experiments/formats/deepeval/deepeval.ts";
import type { SourceRun } from "../../../../src/experiments/rows/source-row.ts";
import { readAll, refusalOf } from "../reading.ts";
import { numbersOf } from "../expected-file.ts";
import { fixtureFile, storedFile } from "../stored-file.ts";

const metric = (fields: object = {}) => ({ name: "Exact", success: true, score: 1, ...fields });
const testCase = (fields: object = {}) => ({
  name: "a",
  input: "q",
  actualOutput: "x",
  success: true,
  metricsData: [],
  ...fields,
});
const run = (testCases: readonly unknown[], fields: object = {}) =>
  storedFile(JSON.stringify({ testFile: "t.py", testCases, conversationalTestCases: [], ...fields }), "run.json");
const read = (...cases: readonly unknown[]) => readAll(deepeval, run(cases));
const idsOf = async (...names: readonly string[]) =>
  (await read(...names.map((name) => testCase({ name })))).rows.map(({ id }) => id);

describe("a case of deepeval", () => {
  test("has a missing score where a metric broke or gave NaN, with the reason", async () => {
    const broken = { name: "Judged", error: "no key", evaluationModel: "gpt", score: undefined };
    const { rows } = await read(testCase({ metricsData: [metric({ reason: "same" }), metric(broken)] }));
    expect(rows[0]?.scores).toEqual([
      { key: "Exact", value: 1, comment: "same", by: "code" },
      { key: "Judged", value: undefined, comment: "no key", by: "model" },
      { key: "success", value: true, by: "code" },
    ]);
  });

  test("keeps two metrics of one name apart, and one that is called as the verdict", async () => {
    const { rows } = await read(
      testCase({ metricsData: [metric(), metric({ score: 0 }), metric({ name: "success", score: 0.5 })] }),
    );
    expect(rows.map((row) => numbersOf(row))).toEqual([{ Exact: 1, "Exact 2": 0, "success 2": 0.5, success: 1 }]);
  });

  test("that only has a number for a name is known by its inputs", async () => {
    expect(await idsOf("test_case_0", "conversational_test_case_12", "test_case_x")).toEqual([
      undefined,
      undefined,
      "test_case_x",
    ]);
  });

  test("of several repeats has the name without them, whatever else is in it", async () => {
    expect(await idsOf("t[1-2]", "t[spain-1-2]", "named", "t[2-2]", "t[spain-2-2]", "named")).toEqual([
      "t",
      "t[spain]",
      "named",
      "t",
      "t[spain]",
      "named",
    ]);
  });

  test("is read in no time, whatever its name", async () => {
    const names = ["[".repeat(200_000), "[-".repeat(100_000), "[1-".repeat(100_000)].map((start) => `${start}x-1-2]y`);
    // A name that ends as a repeat is what makes the reader look at all of them.
    expect(await idsOf(...names, "t[1-2]", "t[2-2]")).toEqual([...names, "t", "t"]);
  });

  test("with two numbers as parameters is no repeat", async () => {
    const names = ["add[1-2]", "add[2-3]", "add[3-5]", "other[1-2]"];
    expect(await idsOf(...names)).toEqual(names);
    // As often as the second number says, and not of the same inputs.
    const cases = [testCase({ name: "add[1-2]", input: "1" }), testCase({ name: "add[2-2]", input: "2" })];
    expect((await read(...cases)).rows.map(({ id }) => id)).toEqual(["add[1-2]", "add[2-2]"]);
  });

  test("is told to be a repeat in any order of the cases", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 2, max: 5 }),
        fc.infiniteStream(fc.nat()),
        async (tests, count, order) => {
          const repeats = tests.flatMap((name) =>
            Array.from({ length: count }, (_, index) => ({ name, number: index + 1 })),
          );
          const shuffled = repeats
            .map((repeat) => ({ repeat, at: order.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ repeat }) => repeat);
          const ids = await idsOf(
            ...shuffled.map(({ name, number }) => `test_${name}[${String(number)}-${String(count)}]`),
          );
          expect(ids).toEqual(shuffled.map(({ name }) => `test_${name}`));
        },
      ),
      { numRuns: propertyRuns(0.25) },
    );
  });

  test("keeps its context and its own metadata", async () => {
    const { rows } = await read(
      testCase({ context: ["c"], tags: [], metadata: { level: 1, context: "own" }, tokenCost: null }),
    );
    expect(rows[0]?.metadata).toEqual({ level: 1, context: "own" });
  });

  test("is the same conversation whatever the model says in it", async () => {
    const said = (role: string, content: string, order: number) => ({ role, content, order });
    const talk = (...turns: readonly object[]) => testCase({ input: undefined, actualOutput: undefined, turns });
    const [hello, thanks] = [said("user", "Hello", 0), { role: "user", content: "Thanks" }];
    const [short, long] = [said("assistant", "Hi", 1), said("assistant", "Good morning", 1)];
    const one = talk(hello, short, { ...thanks, order: 2 });
    const other = talk(hello, long, said("assistant", "What is it?", 2), { ...thanks, order: 3 });
    const { rows } = await read(one, other, talk(hello));
    const inputs = { turns: [{ role: "user", content: "Hello" }, thanks] };
    expect(rows.map((row) => row.inputs)).toEqual([inputs, inputs, { turns: inputs.turns.slice(0, 1) }]);
    expect(rows.map(({ outputs }) => outputs)).toEqual([
      { turns: [short] },
      { turns: [long, said("assistant", "What is it?", 2)] },
      undefined,
    ]);
  });

  test("that is broken is a fault without its data, in both lists", async () => {
    const broken = {
      conversationalTestCases: [
        { name: "c", turns: ["secret"] },
        { name: "d", turns: [] },
      ],
    };
    const { rows, faults } = await readAll(
      deepeval,
      run([testCase({ metricsData: [{ score: 1 }] }), 7, testCase()], broken),
    );
    expect(rows.map(({ id }) => id)).toEqual(["a", "d"]);
    expect(faults).toEqual([
      "row 1: `testCases.0.metricsData.0.name` is absent, not a text",
      "row 2: `testCases.1` is a number, not an object",
      "row 4: `conversationalTestCases.0.turns.0` is a text, not an object",
    ]);
  });
});

describe("a run of deepeval", () => {
  const told = (file: Parameters<NonNullable<typeof deepeval.run>>[0]): SourceRun => {
    let said: SourceRun = {};
    deepeval.run?.(file, (more) => (said = more));
    return said;
  };

  test("has its only time in the name of the file, when it was saved", async () => {
    const name = "deepeval/test_run_20261121_083117.json";
    const times = { end: "2026-11-21T08:31:17", milliseconds: 568.4613730009005 };
    expect((await readAll(deepeval, fixtureFile(name))).run.times).toEqual(times);
    expect((await readAll(deepeval, fixtureFile("deepeval/latest_test_run.json"))).run).toEqual({
      tool: "deepeval",
      times: { milliseconds: 595.0364309992437 },
      metadata: { testFile: "test_capitals.py" },
    });
  });

  test("reports its dataset before the rows, also from within testRunData", () => {
    const fields = { datasetAlias: "capitals", datasetId: "x1" };
    expect(told(run([testCase()], fields)).datasetName).toBe("capitals");
    const wrapped = storedFile(
      JSON.stringify({ testRunData: { testCases: [testCase()], metricsScores: [], ...fields } }),
    );
    expect(told(wrapped)).toEqual({ datasetName: "capitals", metadata: { datasetId: "x1" } });
    expect(told(storedFile('{"testCases":[{"metricsData":[]},'))).toEqual({});
  });

  test("that is cut off is refused with its line", async () => {
    const text = JSON.stringify({ testCases: [testCase(), testCase()], metricsScores: [] }, null, 1);
    expect(await refusalOf(deepeval, storedFile(text.slice(0, -40)))).toMatch(/^results\.any, line \d+: /);
  });
});
