import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { isInside } from "../../src/files/inside.ts";

const ROOT = resolve("/work/project");

test.each([
  ["itself", ".", true],
  ["a file", "a/b", true],
  ["a name that begins with two dots", "..a", true],
  ["the directory above", "..", false],
  ["a neighbour", "../b", false],
  ["a neighbour whose name begins alike", "../project-2", false],
])("%s", (_what, path, inside) => {
  expect(isInside(ROOT, join(ROOT, path))).toBe(inside);
});
