import { expect, test } from "vitest";
import { Warnings } from "../../../src/source/tree/warnings.ts";

test("one sentence a kind has its names in order, each once", () => {
  const warnings = new Warnings();
  for (const name of ["b", "a", "b"]) warnings.add("dangling-link", name);
  const others = new Warnings();
  others.add("dangling-link", "c");
  others.add("special-file", "pipe");
  warnings.addAll(others);
  const [files, links, ...more] = warnings.sentences();
  expect(links).toMatch(/^Links .*a\W+b\W+c\W*$/);
  expect(files).toContain("pipe");
  expect(more).toEqual([]);
});
