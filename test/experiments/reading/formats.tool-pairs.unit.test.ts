import { describe, expect, test } from "vitest";
import { chooseFormat, FORMATS } from "../../../src/experiments/reading/formats.ts";
import { isJsonObject } from "../../../src/files/json-object.ts";
import { rowId } from "../../../src/experiments/rows/identity.ts";
import type { JsonObject, JsonValue } from "../../../src/files/json/value.ts";
import type { SourceRow } from "../../../src/experiments/rows/source-row.ts";
import { expectedFiles, expectRows } from "../formats/expected-file.ts";
import { readAll } from "../formats/reading.ts";
import { fixtureFile } from "../formats/stored-file.ts";

const FOLDERS = ["azure-ai", "bedrock", "braintrust", "lm-eval", "openai-eval-items", "opik", "vertex", "wandb"];
const FILES = FOLDERS.flatMap((folder) => expectedFiles(folder).map(([name, file]) => ({ folder, name, file })));

/** Reads a file as a step does that names no format and has no mapping. */
async function read(name: string) {
  const file = fixtureFile(name);
  const format = chooseFormat(file, FORMATS);
  return { format: format.name, ...(await readAll(format, file)) };
}

describe("two runs of the same cases", () => {
  const pairs = FILES.flatMap(({ folder, name, file: { pairs_with: other } }) =>
    typeof other === "string" ? [[`${folder}/${name}`, `${folder}/${other}`] as const] : [],
  );

  test.each(pairs)("have the same row ids: %s and %s", async (one, two) => {
    const [first, second] = [await read(one), await read(two)];
    const ids = new Set(second.rows.map(idOf));
    expect(first.rows.length).toBeGreaterThan(0);
    expect(first.rows.map(idOf).filter((id) => !ids.has(id))).toEqual([]);
  });
});

test.each(FILES.filter(({ file }) => typeof file["format"] === "string"))(
  "$folder/$name has the rows that were worked out",
  async ({ folder, name, file }) => {
    const { format, rows, faults } = await read(`${folder}/${name}`);
    expectRows(rows, file);
    expect(faults).toEqual([]);
    expect(format).toBe(file["format"]);
  },
);

/** The id with which the first row of a case is sent. */
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
