import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { FORMAT_NAMES } from "../../../src/experiments/format-names.ts";
import { chooseFormat, FORMATS } from "../../../src/experiments/reading/formats.ts";
import { parseMapping, type Mapping } from "../../../src/experiments/rows/mapping.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/files/json/value.ts";
import { rowId } from "../../../src/experiments/rows/identity.ts";
import type { SourceRow } from "../../../src/experiments/rows/source-row.ts";
import { type ExpectedFile, expectedFiles, expectedRefusal, expectRows, formatOf } from "../formats/expected-file.ts";
import { readAll } from "../formats/reading.ts";
import { FIXTURES, fixtureFile, fixtureNames } from "../formats/stored-file.ts";

// Derived, so that the files of a new format or tool are in no list.
const FOLDERS = readdirSync(FIXTURES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const FILES = FOLDERS.flatMap((folder) =>
  expectedFiles(folder)
    // What several files are together is the upload's to test.
    .filter(([name]) => !name.includes(" + "))
    .map(([name, file]) => ({ folder, name: `${folder}/${name}`, file })),
);

test.each(FORMAT_NAMES)("%s has files that a tool wrote, in a folder of its name", (format) => {
  expect(FILES.filter(({ folder, name }) => folder === format && formatOf(name) === format)).not.toEqual([]);
});

test.each(fixtureNames())("%s has an entry in the expected.json beside it", (name) => {
  const [folder = "", file = ""] = name.split("/");
  const known: unknown = JSON.parse(readFileSync(join(FIXTURES, folder, "expected.json"), "utf8"));
  expect(Object.keys(known ?? {}).flatMap((key) => key.split(" + "))).toContain(file);
});

/** Reads a file as a step does that names no format. */
async function read({ folder, name, file }: { folder: string; name: string; file: ExpectedFile }) {
  const opened = fixtureFile(name);
  const mapping = file.mapping === undefined ? undefined : await mappingIn(join(FIXTURES, folder, file.mapping));
  const format = chooseFormat(opened, FORMATS, mapping);
  const { workspace } = file;
  const options = { ...(mapping && { mapping }), ...(workspace !== undefined && { workspace }) };
  return { format: format.name, ...(await readAll(format, opened, options)) };
}

function byScorer(summary: Readonly<Record<string, unknown>>): JsonObject {
  const scorers = z.record(z.string(), z.record(z.string(), z.number())).parse(summary);
  const named = Object.entries(scorers).map(([scorer, metrics]) =>
    Object.entries(metrics).map(([metric, value]) => [`${scorer}.${metric}`, value] as const),
  );
  return Object.fromEntries(named.flat());
}

async function mappingIn(path: string): Promise<Mapping> {
  const reading = await parseMapping(readFileSync(path, "utf8"));
  if (!reading.ok) expect.fail(`${path} is not a mapping`);
  return reading.mapping;
}

describe("a file that a tool wrote", () => {
  test.each(FILES)("has the rows that were worked out: $name", async (one) => {
    const { name, file } = one;
    const { format, rows, run, faults, warnings } = await read(one);
    expect(faults).toEqual([]);
    expect(warnings).toEqual(file.warnings.map((part) => expect.stringContaining(part) as unknown));
    expect(format).toBe(formatOf(name));
    expectRows(rows, file);
    expect(run.tool ?? null).toBe(file.tool);
    expect(run.toolVersion ?? null).toBe(file.version);
    if (file.status !== undefined) expect(run.metadata).toMatchObject({ status: file.status });
    const summary = run.summaryScores && Object.fromEntries(run.summaryScores.map(({ key, value }) => [key, value]));
    // Of inspect_ai, some metrics were worked out, and stand in an object for each scorer.
    if (format === "inspect") expect(summary ?? {}).toMatchObject(byScorer(file.summary ?? {}));
    else expect(summary).toEqual(file.summary);
  });

  const pairs = FILES.flatMap((one) => {
    const other = FILES.find(({ name }) => name === `${one.folder}/${one.file.pairs_with ?? ""}`);
    if (other === undefined) expect(one.file.pairs_with, one.name).toBeUndefined();
    return other === undefined ? [] : [{ name: one.name, with: other.name, one, other }];
  });

  test.each(pairs)("pairs with another run of its cases, row by row: $name, $with", async ({ one, other }) => {
    const [first, second] = [await read(one), await read(other)];
    expect(first.rows.length).toBeGreaterThan(0);
    const ids = new Set(second.rows.map(idOf));
    expect(first.rows.map(idOf).filter((id) => !ids.has(id))).toEqual([]);
  });

  test("is refused with what to export instead where it only says where the rows are", () => {
    const file = fixtureFile("langfuse-exports/run-items.csv");
    expect(() => chooseFormat(file, FORMATS)).toThrow(expectedRefusal("langfuse-exports", "run-items.csv").refused);
  });
});

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
