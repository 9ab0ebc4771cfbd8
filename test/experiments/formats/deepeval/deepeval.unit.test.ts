import fc from "fast-check";
import { expect, test } from "vitest";
import { deepeval } from "../../../../src/experiments/formats/deepeval/deepeval.ts";
import type { SourceRun } from "../../../../src/experiments/rows/source-row.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { readAll } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const testCase = (name: string) => ({ name, input: "q", actualOutput: "x", success: true, metricsData: [] });
const run = (testCases: readonly unknown[], fields: object = {}) =>
  storedFile(JSON.stringify({ testFile: "t.py", testCases, conversationalTestCases: [], ...fields }), "run.json");
const idsOf = async (...names: readonly string[]) =>
  (await readAll(deepeval, run(names.map(testCase)))).rows.map(({ id }) => id);

test("a case is read in no time, whatever its name", async () => {
  const names = ["[".repeat(200_000), "[-".repeat(100_000), "[1-".repeat(100_000)].map((start) => `${start}x-1-2]y`);
  // A name that ends as a repeat is what makes the reader look at all of them.
  expect(await idsOf(...names, "t[1-2]", "t[2-2]")).toEqual([...names, "t", "t"]);
});

test("a case is told to be a repeat in any order of the cases", async () => {
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

test("a run reports its dataset before the rows, also from within testRunData", () => {
  const told = (file: Parameters<NonNullable<typeof deepeval.run>>[0]): SourceRun => {
    let said: SourceRun = {};
    deepeval.run?.(file, (more) => (said = more));
    return said;
  };
  const fields = { datasetAlias: "capitals", datasetId: "x1" };
  expect(told(run([testCase("a")], fields)).datasetName).toBe("capitals");
  const wrapped = storedFile(
    JSON.stringify({ testRunData: { testCases: [testCase("a")], metricsScores: [], ...fields } }),
  );
  expect(told(wrapped)).toEqual({ datasetName: "capitals", metadata: { datasetId: "x1" } });
  expect(told(storedFile('{"testCases":[{"metricsData":[]},'))).toEqual({});
});
