import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvHead, csvRecords } from "../../../../src/experiments/formats/shared/csv-file.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { storedFile } from "../stored-file.ts";

function recordsOf(text: string) {
  const file = storedFile(text);
  const found: (readonly [line: number, cells: readonly string[]])[] = [];
  for (const { line, cells } of csvRecords(file, csvHead(file).delimiter)) found.push([line, cells]);
  return found;
}

describe("what stands before the header is no record", () => {
  test.each([
    ["sep=;\nq;a\n1,5;2\n", 2, ["q", "a"], ["1,5", "2"]],
    ["\uFEFFSEP=,\r\nq,a\r\n1,2\r\n", 2, ["q", "a"], ["1", "2"]],
    ['"sep=;"\nq;a\n1;2\n', 2, ["q", "a"], ["1", "2"]],
    ["sep=;;;\nq;a\n1;2\n", 2, ["q", "a"], ["1", "2"]],
    ["sep=\t\nq\ta\n1\t2\n", 2, ["q", "a"], ["1", "2"]],
    ["# made by a script\n# on Monday, late\n\nq,a,b\n1,2,3\n", 4, ["q", "a", "b"], ["1", "2", "3"]],
    ["# run 5, small\nq,a\n1,2\n", 2, ["q", "a"], ["1", "2"]],
    ['"# run 5, small"\nq,a\n1,2\n', 2, ["q", "a"], ["1", "2"]],
    ['"# run 5, small",\nq,a\n1,2\n', 2, ["q", "a"], ["1", "2"]],
    ["sep=;\n# a\nq;a\n1;2\n", 3, ["q", "a"], ["1", "2"]],
    ["# ein Gerät\nq,a\n1,2\n", 2, ["q", "a"], ["1", "2"]],
  ])("in %j, and the header is in line %j", (text, line, header, record) => {
    expect(recordsOf(text)).toEqual([
      [line, header],
      [line + 1, record],
    ]);
  });

  test.each([
    ["#,q,a\n1,2,3\n", ["#", "q", "a"]],
    ["#id,q\n#1,2\n3,4\n", ["#id", "q"]],
    ["# of turns,q\n3,a\n4,b\n", ["# of turns", "q"]],
    ['"#","q"\n"3","a"\n', ["#", "q"]],
    ["separator,q\n1,2\n", ["separator", "q"]],
    ["q,a\n# no comment,2\n", ["q", "a"]],
  ])("and what only looks so stays the header: %j", (text, header) => {
    expect(csvHead(storedFile(text)).header).toEqual(header);
  });
});

test("a long text without the end of a line is looked at once", () => {
  for (const text of ["a".repeat(250_000), "#".repeat(250_000), '"'.repeat(250_000)]) {
    expect(csvHead(storedFile(text)).header).toEqual([]);
  }
});

test("a table is the same with whatever comments stand before it", () => {
  const comment = fc.string({ unit: fc.constantFrom("a", ",", ";", " ", "é", "=", "#"), maxLength: 12 });
  const cell = fc.string({ unit: fc.constantFrom("a", "b", "é", " "), minLength: 1, maxLength: 4 });
  const record = fc.tuple(cell, cell, cell);
  fc.assert(
    fc.property(
      fc.array(comment, { maxLength: 4 }),
      fc.boolean(),
      fc.constantFrom("\n", "\r\n"),
      fc.array(record, { minLength: 1, maxLength: 5 }),
      (comments, isNamed, end, records) => {
        const before = [...(isNamed ? ["sep=;"] : []), ...comments.map((text) => `# ${text}`)];
        const table = [["q", "r", "s"], ...records];
        const file = storedFile([...before, ...table.map((cells) => cells.join(";"))].join(end) + end);
        const read: (readonly string[])[] = [];
        const lines: number[] = [];
        for (const { cells, line } of csvRecords(file, csvHead(file).delimiter)) {
          read.push(cells);
          lines.push(line);
        }
        expect(read).toEqual(table);
        expect(lines).toEqual(table.map((_, at) => before.length + at + 1));
      },
    ),
    { numRuns: propertyRuns(0.3) },
  );
});
