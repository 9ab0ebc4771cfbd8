import fc from "fast-check";
import { propertyRuns } from "../../../property-runs.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseFormat, FORMATS } from "../../../../src/experiments/reading/formats.ts";
import { ColumnsError } from "../../../../src/experiments/errors.ts";
import { columnRecords } from "../../../../src/experiments/formats/table/container-records.ts";
import type { Mapping } from "../../../../src/experiments/rows/mapping.ts";
import { rowId } from "../../../../src/experiments/rows/identity.ts";
import type { SourceRow } from "../../../../src/experiments/rows/source-row.ts";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { expectedFiles, expectRows } from "../expected-file.ts";
import { mappingOf, readAll, type Reading } from "../reading.ts";
import { fixtureFile, FIXTURES, storedFile } from "../stored-file.ts";

/** Reads a file as a step does that names no format. */
async function read(content: string, mapping?: Mapping): Promise<Reading> {
  const file = storedFile(content);
  return readAll(chooseFormat(file, FORMATS, mapping), file, mapping === undefined ? {} : { mapping });
}

/** What a step says of a file that it does not read. */
async function refusal(content: string, mapping?: Mapping): Promise<DataFileError> {
  try {
    await read(content, mapping);
  } catch (error) {
    if (error instanceof DataFileError) return error;
    throw error;
  }
  throw new Error("the file was read");
}

describe("the same rows", () => {
  test.each(expectedFiles("containers"))("are read from %s", async (name, expected) => {
    const file = fixtureFile(`containers/${name}`);
    const mapping = expected.mapping;
    const options =
      mapping === undefined
        ? {}
        : { mapping: await mappingOf(readFileSync(join(FIXTURES, "containers", mapping), "utf8")) };
    const format = chooseFormat(file, FORMATS);
    const { rows, faults } = await readAll(format, file, options);
    expectRows(rows, expected);
    expect({ format: format.name, faults }).toEqual({ format: expected["format"], faults: [] });
  });

  const record = fc.record(
    {
      input: fc.string(),
      expected_output: fc.string(),
      output: fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
      scores: fc.dictionary(
        fc.constantFrom("exact", "judged", "a.b"),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      length: fc.integer(),
    },
    { noNullPrototype: true },
  );

  test("with the same ids come out of every container, whatever stands in them", { tags: "slow" }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 2, maxLength: 5 }), async (records) => {
        // A record that asks nothing and expects nothing is a fault and no row.
        fc.pre(records.every(({ input, expected_output }) => (input + expected_output).trim() !== ""));
        const wanted = facts((await read(records.map((each) => JSON.stringify(each)).join("\n"))).rows);
        expect(wanted).toHaveLength(records.length);
        for (const [name, text] of containersOf(records)) {
          expect(facts((await read(text)).rows), name).toEqual(wanted);
        }
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });
});

function facts(rows: readonly SourceRow[]) {
  return rows.map((row) => {
    const { id, inputs, expected, outputs, scores, metadata, error } = row;
    const identity = { dataset: "d", id, inputs: { inputs: inputs ?? null }, expected: { expected: expected ?? null } };
    return { rowId: rowId({ ...identity, repetition: 0 }), inputs, expected, outputs, scores, metadata, error };
  });
}

/** The records in each container, as JSON. */
function containersOf(records: readonly Readonly<Record<string, unknown>>[]): readonly (readonly [string, string])[] {
  const names = Object.keys(records[0] ?? {});
  const column = (name: string) => records.map((each) => each[name]);
  const counted = <Value>(values: readonly Value[]) => Object.fromEntries(values.entries());
  const documents: readonly (readonly [string, unknown])[] = [
    ["a list", records],
    ["results", { model: "m", results: records, summary: { exact: 1 } }],
    ["rows", { rows: records }],
    ["data", { data: records, n: 1 }],
    ["examples", { config: [1], examples: records }],
    ["another name", { cases: records }],
    ["columns and data", { columns: names, data: records.map((each) => names.map((name) => each[name])) }],
    ["columns by index", Object.fromEntries(names.map((name) => [name, counted(column(name))]))],
    ["columns as lists", Object.fromEntries(names.map((name) => [name, column(name)]))],
    ["records by index", counted(records)],
    ["results by index", { results: counted(records), model: "m" }],
  ];
  return [
    ...documents.flatMap(([name, document]) => [
      [name, JSON.stringify(document)] as const,
      [`${name}, for people`, JSON.stringify(document, undefined, 2)] as const,
    ]),
    ["texts over several lines", records.map((each) => JSON.stringify(each, undefined, 1)).join("\n")],
  ];
}

describe("beside the rows", () => {
  test("plain values go to the metadata of the experiment, and others are said not to be read", async () => {
    const document = {
      ...{ model: "m", steps: 3, api_key: "k", commit: "c", note: "x".repeat(300), config: { a: 1 } },
      results: [{ input: "a", output: "b", score: 1 }],
    };
    const { run, columns } = await read(JSON.stringify(document));
    expect(run.metadata).toEqual({ model: "m", steps: 3 });
    expect(columns).toContain("metadata from `model`, `steps`");
    expect(columns).toContain("not read `api_key`, `commit`, `note`, `config`");
  });

  test("a second list of objects makes the file ambiguous, until the mapping names the rows", async () => {
    const content = '{"results":[{"input":"a","score":1}],"rows":[{"input":"b","score":0}]}';
    const { fault, advice } = await refusal(content);
    expect(fault).toMatch(/^`results` and `rows` are lists of objects/);
    expect(advice).toContain("`rows: results`");
    expect((await read(content, await mappingOf("rows: results"))).rows).toMatchObject([{ inputs: "a" }]);
    expect((await read(content, await mappingOf("rows: rows"))).rows).toMatchObject([{ inputs: "b" }]);
  });

  test.each([
    ["scores", '{"results":[{"input":"a","fluent":1}],"scores":[1]}'],
    ["predictions", '{"results":[{"input":"a","fluent":1}],"predictions":[{"output":"b","score":0}]}'],
  ])("a list of %s makes the file ambiguous, until the mapping leaves it out", async (name, content) => {
    const { fault, advice } = await refusal(content);
    expect(fault).toContain(`the list \`${name}\` beside them looks like part of them`);
    expect(advice).toContain("`rows: results`");
    expect((await read(content, await mappingOf("rows: results"))).rows).toMatchObject([
      { scores: [{ key: "fluent" }] },
    ]);
  });

  test("scores of the whole by their names are not read, and said not to be", async () => {
    const { rows, columns } = await read('{"rows":[{"input":"a","score":1}],"metrics":[{"name":"mean","value":1}]}');
    expect(rows).toHaveLength(1);
    expect(columns).toContain("not read `metrics`");
  });

  test("scores by name are part of a record, and no rows", async () => {
    const record = { input: "a", output: "b", results: [{ name: "exact", score: 1 }] };
    const { rows } = await read(JSON.stringify(record, undefined, 2));
    expect(rows).toMatchObject([{ inputs: "a", outputs: "b" }]);
  });
});

describe("a mapping", () => {
  test("finds rows wherever they stand, by names or by its own paths", async () => {
    const content = '{"report":{"v":1,"cases":[{"input":"a","says":"b","exact":1}]}}';
    expect((await refusal(content)).fault).toMatch(/^could not detect the format/);
    expect((await read(content, await mappingOf("rows: report.cases"))).rows).toMatchObject([
      { inputs: "a", scores: [{ key: "exact", value: 1 }] },
    ]);
    const mapping = await mappingOf("rows: report.cases\ninputs: input\noutputs: says\nscores: { e: exact }");
    expect((await read(content, mapping)).rows).toMatchObject([
      { inputs: "a", outputs: "b", scores: [{ key: "e", value: 1 }] },
    ]);
  });

  const UNKNOWN = [
    { asked: "x", said: "y", ok: 1 },
    { asked: "z", said: "w", ok: 0 },
  ];

  test.each([
    ...containersOf(UNKNOWN).filter(([name]) => !/^(?:another name|columns as lists)/.test(name)),
    ["records by id", JSON.stringify(Object.fromEntries(UNKNOWN.map((row) => [row.asked, row])))] as const,
  ])("to paste stands in the error where the names of the inputs are not known: %s", async (_name, content) => {
    const error = await refusal(content);
    if (!(error instanceof ColumnsError)) throw error;
    const { rows, faults } = await read(content, await mappingOf((error.mapping ?? []).join("\n")));
    expect(rows.map(({ inputs, outputs, scores }) => ({ inputs, outputs, scores }))).toEqual(
      UNKNOWN.map(({ asked, said, ok }) => ({ inputs: asked, outputs: said, scores: [{ key: "ok", value: ok }] })),
    );
    expect(faults).toEqual([]);
  });

  test("whose rows are not there is refused", async () => {
    const file = storedFile('{"results":[{"input":"a"}]}');
    const jsonl = FORMATS.find(({ name }) => name === "jsonl");
    if (jsonl === undefined) throw new Error("there is no such format");
    await expect(readAll(jsonl, file, { mapping: await mappingOf("rows: cases") })).rejects.toThrow(/`cases`/);
    expect((await refusal("input,score\na,1\n", await mappingOf("rows: cases"))).fault).toMatch(/`rows`/);
  });

  test("makes a container of records whose keys have no known names", async () => {
    const content = '{"a":{"asked":"x","said":"y"},"b":{"asked":"z","said":"w"}}';
    const { rows } = await read(content, await mappingOf("id: id\ninputs: asked\noutputs: said"));
    expect(rows).toMatchObject([
      { id: "a", inputs: "x", outputs: "y" },
      { id: "b", inputs: "z", outputs: "w" },
    ]);
  });
});

describe("a table that does not hold together is refused", () => {
  test.each([
    [
      "columns of other lengths",
      '{"input":["a","b"],"output":["c","d"],"score":[1]}',
      /`input` has 2 values, but `score` has 1/,
    ],
    ["a column that appears twice", '{"columns":["input","input"],"data":[]}', /`input` appears twice/],
    ["a key that appears twice", '{"results":[{"input":"a","score":1}],"results":[]}', /duplicate key/],
    [
      "a document that is cut",
      `{"results":[{"input":"${"x".repeat(300_000)}","score":1},{"input`,
      /cut off|in the middle/,
    ],
    ["more behind its end", '{"results":[{"input":"a","score":1}]}\n{"results":[]} x', /./],
  ])("for %s", async (_what, content, fault) => {
    expect((await refusal(content)).fault).toMatch(fault);
  });

  test("for columns of more than 64 MiB, of which all would be in memory", () => {
    const file = { ...storedFile('{"input":{"0":"a"},"score":{"0":1}}'), size: 64 * 1024 * 1024 + 1 };
    expect(() => [...columnRecords(file, [])]).toThrow(/up to 64 MiB/);
  });

  test("with each row that has other cells than columns", async () => {
    const { rows, faults } = await read('{"columns":["input","score"],"data":[["a",1],\n["b"],\n3]}');
    expect(rows).toHaveLength(1);
    expect(faults).toEqual([
      "2: the row has 1 cell, but there are 2 columns",
      "3: a row is a number, not a list of cells",
    ]);
  });
});
