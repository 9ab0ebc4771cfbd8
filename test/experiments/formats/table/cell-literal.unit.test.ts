import { describe, expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { mappingOf, readAll, refusalOf } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const table = (header: string, ...rows: readonly (readonly string[])[]) =>
  storedFile([header, ...rows.map((cells) => cells.map(cell).join(","))].join("\n"));

describe("the cells of a column that are all lists or objects", () => {
  test.each([
    ["JSON", '{"a": [1, null]}', { a: [1, null] }],
    ["Python", "{'a': [1, None]}", { a: [1, null] }],
    ["a list", "['x', \"y\"]", ["x", "y"]],
    ["an empty list", "[]", []],
  ])("are read as values: %s", async (_what, text, value) => {
    const file = table("input,expected,output,metadata", [text, text, text, '{"m":"x"}'], ["", text, text, ""]);
    const { rows, faults } = await readAll(csv, file);
    expect(rows).toMatchObject([
      { inputs: value, expected: value, outputs: value, metadata: { m: "x" } },
      { inputs: "", expected: value, outputs: value },
    ]);
    expect(faults).toEqual([]);
  });

  test("stay texts where one of the first is none", async () => {
    const { rows } = await readAll(csv, table("input,output", ["[1]", "[x]"], ["[INST] a", "{1}"]));
    expect(rows).toMatchObject([
      { inputs: "[1]", outputs: "[x]" },
      { inputs: "[INST] a", outputs: "{1}" },
    ]);
  });

  test("make a later one a fault that is none", async () => {
    const lines = Array.from({ length: 1_500 }, (_, index) => [`q${index}`, '{"exact":1}']);
    const { rows, faults } = await readAll(csv, table("input,scores", ...lines, ["last", "none of this"]));
    expect(rows).toHaveLength(1_500);
    expect(faults).toEqual(["1502: the cell of `scores` is text, but must be JSON or a Python literal"]);
  });
});

describe("a mapping", () => {
  const MAPPING = "inputs: q\nscores: { fact: $.scores.Factuality, len: scores.length.value }";

  test("reaches into cells with objects, and into lists by name", async () => {
    const mapping = await mappingOf(MAPPING);
    const objects = table("q,scores", ["a", '{"Factuality":0.5,"length":{"value":3}}']);
    const lists = table("q,scores", [
      "a",
      "[{'metric': 'Factuality', 'passed': True}, {'name': 'length', 'value': 3}]",
    ]);
    expect((await readAll(csv, objects, { mapping })).rows).toMatchObject([
      {
        scores: [
          { key: "fact", value: 0.5 },
          { key: "len", value: 3 },
        ],
      },
    ]);
    expect((await readAll(csv, lists, { mapping })).rows).toMatchObject([
      {
        scores: [
          { key: "fact", value: true },
          { key: "len", value: 3 },
        ],
      },
    ]);
  });

  test("makes each cell into which it goes a fault that holds no value, from the first on", async () => {
    const mapping = await mappingOf(MAPPING);
    const { rows, faults } = await readAll(csv, table("q,scores", ["a", "good"], ["b", ""]), { mapping });
    expect(rows).toMatchObject([{ inputs: "b" }]);
    expect(faults).toEqual(["2: the cell of `scores` is text, but must be JSON or a Python literal"]);
  });

  test("is refused for a path that begins with no column, and a row for a name that stands twice", async () => {
    const message = await refusalOf(csv, table("q,scores", ["a", "[]"]), await mappingOf("inputs: q\nid: meta.id"));
    expect(message).toMatch(/the mapping names `meta\.id`/);
    const mapping = await mappingOf(MAPPING);
    const twice = table("q,scores", ["a", '[{"name":"Factuality","score":1},{"key":"Factuality","score":0}]']);
    const { rows, faults } = await readAll(csv, twice, { mapping });
    expect(rows).toEqual([]);
    expect(faults).toEqual(["2: several entries of a list are named `Factuality`"]);
  });
});
