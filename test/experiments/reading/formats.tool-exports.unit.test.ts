import { describe, expect, test } from "vitest";
import { chooseFormat, FORMATS } from "../../../src/experiments/reading/formats.ts";
import { isJsonObject } from "../../../src/files/json-object.ts";
import { rowId } from "../../../src/experiments/rows/identity.ts";
import type { JsonObject, JsonValue } from "../../../src/files/json/value.ts";
import type { SourceRow } from "../../../src/experiments/rows/source-row.ts";
import { expectedFiles, expectedRefusal, expectRows } from "../formats/expected-file.ts";
import { readAll } from "../formats/reading.ts";
import { fixtureFile } from "../formats/stored-file.ts";

const TOOLS = [
  "langsmith",
  "langfuse-exports",
  "phoenix",
  "phoenix-evals",
  "mlflow",
  "weave",
  "trulens",
  "dspy",
  "llamaindex",
  "ragas",
];
const FILES = TOOLS.flatMap((tool) =>
  expectedFiles(tool).map(([name, file]) => ({ tool, name: `${tool}/${name}`, file })),
);

/** Reads a file as a step does that names no format and has no mapping. */
async function read(name: string) {
  const file = fixtureFile(name);
  const format = chooseFormat(file, FORMATS);
  return { format: format.name, ...(await readAll(format, file)) };
}

describe("what a tool exports", () => {
  test.each(FILES)("has the rows that were worked out: $name", async ({ name, file }) => {
    const { format, rows, run, faults } = await read(name);
    expect(faults).toEqual([]);
    expect(format).toBe(file.format);
    expectRows(rows, file);
    expect(run.tool ?? null).toBe(file.tool);
    const summary = run.summaryScores?.map(({ key, value }) => [key, value]);
    expect(summary && Object.fromEntries(summary)).toEqual(file.summary);
  });

  const pairs = FILES.flatMap(({ tool, name, file: { pairs_with: other } }) =>
    other === undefined ? [] : [{ name, other: `${tool}/${other}` }],
  );

  test.each(pairs)("pairs with another run of its cases, row by row: $name, $other", async ({ name, other }) => {
    const [one, two] = [await read(name), await read(other)];
    expect(one.rows.length).toBeGreaterThan(0);
    const ids = new Set(two.rows.map(idOf));
    expect(one.rows.filter((row) => !ids.has(idOf(row)))).toEqual([]);
  });

  test("is refused with what to export instead where it only says where the rows are", async () => {
    const file = fixtureFile("langfuse-exports/run-items.csv");
    expect(() => chooseFormat(file, FORMATS)).toThrow(expectedRefusal("langfuse-exports", "run-items.csv").refused);
  });
});

/** The id with which a first row of a case is sent. */
function idOf({ id, inputs = {}, expected }: SourceRow): string {
  const wrapped = (key: string, value: JsonValue): JsonObject => (isJsonObject(value) ? value : { [key]: value });
  return rowId({
    dataset: "capitals",
    id,
    inputs: wrapped("input", inputs),
    expected: expected === undefined ? undefined : wrapped("output", expected),
    repetition: 0,
  });
}
