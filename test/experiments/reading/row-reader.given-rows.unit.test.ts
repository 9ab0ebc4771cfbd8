import { expect, test } from "vitest";
import { faultsOfList } from "../../../src/experiments/reading/row-reader.ts";

test("the errors of the rows of a list are told by the number of the row", () => {
  expect(faultsOfList([{ inputs: 1 }, 7, { inputs: 1, scores: { a: "well" } }, {}])).toEqual([
    "row 2: the row is not an object",
    'row 3: the score "a" is a text, not a number',
    "row 4: inputs is missing",
  ]);
});

test("twenty of them are told", () => {
  expect(faultsOfList(Array.from({ length: 1_000 }, () => ({ scores: { a: "x", b: "y" } })))).toHaveLength(20);
});

test("of what is no list, nothing is asked", () => {
  const rows = { [Symbol.iterator]: () => expect.unreachable("no row is asked for") };
  expect([undefined, null, "rows", rows, {}].map(faultsOfList)).toEqual([[], [], [], [], []]);
});
