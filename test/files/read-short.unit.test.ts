import { expect, test } from "vitest";
import { readShort } from "../../src/files/read-short.ts";
import { temporaryTree } from "../source/temporary-tree.ts";

test("a file is read up to its limit, and one that is longer, a directory and nothing at all are not", () => {
  const folder = temporaryTree({ "a.txt": "abc", b: null });
  expect(readShort(`${folder}/a.txt`, 3)).toBe("abc");
  expect(readShort(`${folder}/a.txt`, 2)).toBeUndefined();
  expect(readShort(`${folder}/b`, 100)).toBeUndefined();
  expect(readShort(`${folder}/c`, 100)).toBeUndefined();
});
