import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvHead, csvRecords, raggedFault } from "../../../../src/experiments/formats/shared/csv-file.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { storedFile } from "../stored-file.ts";

function recordsOf(text: string, delimiter = ",") {
  const records: (readonly [line: number, cells: readonly string[]])[] = [];
  for (const { line, cells } of csvRecords(storedFile(text), delimiter)) records.push([line, cells]);
  return records;
}

describe("the head of a file", () => {
  test.each([
    ["a,b\n1,2\n", ",", ["a", "b"]],
    ["a;b,c;d\n", ";", ["a", "b,c", "d"]],
    ['"a,b,c"\td\n', "\t", ["a,b,c", "d"]],
    ["a|b\r\n1|2", "|", ["a", "b"]],
    ['a,"b\nc"\n', ",", ["a", "b\nc"]],
  ])("%j has the delimiter %j", (text, delimiter, header) => {
    expect(csvHead(storedFile(text))).toMatchObject({ delimiter, header });
  });

  test.each(["one column\n1\n", '{"a":1,"b":2}', "[1,2]", "<a,b>", "a,b\0", "", 'a,"b'])(
    "%j is none of CSV",
    (text) => {
      expect(csvHead(storedFile(text)).header).toEqual([]);
    },
  );

  test("has the first records that are whole", () => {
    const rows = Array.from({ length: 50 }, (_, row) => `${String(row)},x`);
    expect(csvHead(storedFile(["a,b", ...rows].join("\n"))).records).toHaveLength(20);
  });
});

test("records have the lines in which they begin, whatever the line ends are", () => {
  expect(recordsOf('a,b\r\n"x\r\ny",2\n\n3,4\r5,"6\n\n7"\n8,9')).toEqual([
    [1, ["a", "b"]],
    [2, ["x\r\ny", "2"]],
    [5, ["3", "4"]],
    [6, ["5", "6\n\n7"]],
    [9, ["8", "9"]],
  ]);
});

test("cells are what was written", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " ", "é", ";") });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), (rows) => {
      const records = recordsOf(rows.map((row) => row.map(quoted).join(",")).join("\n"));
      expect(records.map(([, cells]) => cells)).toEqual(rows);
    }),
    { numRuns: propertyRuns(0.3) },
  );
});

test.each([
  ['a,b\n1,"2\n3', 2, "never closed"],
  ['a,b\n1,2\n"x"y,2', 3, "follows a closing quote"],
  ['a,b\n1,x"y', 2, "contains a quote"],
])("%j is refused at line %d", (text, line, fault) => {
  const refusal = expect.objectContaining({
    place: expect.objectContaining({ line }),
    fault: expect.stringContaining(fault),
  });
  expect(() => recordsOf(text)).toThrow(refusal);
});

test("a row without a cell for each column says how many it has, and the first names", () => {
  const header = Array.from({ length: 12 }, (_, index) => `c${String(index)}`);
  expect(raggedFault(["1"], header)).toMatch(/1 column instead of 12: .*`c9` and 2 more$/);
});
