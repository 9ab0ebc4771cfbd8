import { expect, test } from "vitest";
import type { FormatContext } from "../../../../src/experiments/formats/shared/format.ts";
import { jsonLines } from "../../../../src/experiments/formats/shared/json-records.ts";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { storedFile } from "../stored-file.ts";

function read(text: string) {
  const faults: string[] = [];
  const context: Pick<FormatContext, "fault"> = {
    fault: ({ line }, message) => faults.push(`${String(line)}: ${message}`),
  };
  const records = [...jsonLines(storedFile(text), context as FormatContext)];
  return { records: records.map(({ record, place }) => [place.line, record]), faults };
}

test("each line that holds an object is a record, and blank lines are none", () => {
  expect(read('{"a":1}\n\n{"b":2}').records).toEqual([
    [1, { a: 1 }],
    [3, { b: 2 }],
  ]);
});

test("another line is a fault with its number and its kind, and the reading continues", () => {
  const { records, faults } = read('[1]\n{"a":1 "b":2}\n{"c":3}\n');
  expect(records).toEqual([[3, { c: 3 }]]);
  expect(faults).toEqual(["1: the line is a list, not an object", expect.stringMatching(/^2: missing comma/)]);
});

test("a last line that breaks off ends the reading: the file was cut", () => {
  expect(() => read('{"a":1}\n{"b":')).toThrow(DataFileError);
});
