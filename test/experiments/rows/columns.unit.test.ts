import { expect, test } from "vitest";
import { ColumnNotes } from "../../../src/experiments/rows/columns.ts";

test("a column that became a part later is unread no longer", () => {
  const notes = new ColumnNotes("names");
  notes.add([], ["a", "b"]);
  notes.add([{ name: "a", role: { part: "id" } }], ["c"]);
  expect(notes.reading).toEqual({ by: "names", columns: [{ name: "a", role: { part: "id" } }], unread: ["b", "c"] });
});

test("a file without columns has no reading of them", () => {
  expect(new ColumnNotes("mapping").reading).toBeUndefined();
});
