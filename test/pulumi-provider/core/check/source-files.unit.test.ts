import { brotliCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fileChanges, listFiles } from "../../../../pulumi-provider/core/check/source-files.ts";
import type { SourceEntry } from "../../../../src/source/entry/entry.ts";
import "../../../property-runs.ts";

function files(contents: Readonly<Record<string, number>>): string | undefined {
  const entries: SourceEntry[] = Object.keys(contents).map((path) => ({ path, type: "file", size: 1, mode: 0o644 }));
  return listFiles(entries, Uint32Array.from(Object.values(contents)));
}

test("the files that changed, came and went are named", () => {
  const before = files({ "graph.json": 1, "support.py": 2, "old.py": 3 });
  const after = files({ "graph.json": 1, "support.py": 4, "new\n.py": 3 });
  expect(fileChanges(before, after)).toEqual(['changed "support.py"', 'added "new\\n.py"', 'removed "old.py"']);
  expect(fileChanges(before, before)).toEqual([]);
});

test("of many changes ten are named, and the others counted", () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${String(index)}`, index]));
  const changes = fileChanges(files({}), files(many));
  expect(changes).toHaveLength(11);
  expect(changes?.at(-1)).toBe("and 20 more files");
});

test("more files than a state should hold are not listed", () => {
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`f${String(index)}`, index]));
  expect(files(many)).toBeUndefined();
  expect(fileChanges(files({}), undefined)).toBeUndefined();
});

test("a list that a user edited names nothing", () => {
  expect(fileChanges("bm90IGEgbGlzdA==", files({}))).toBeUndefined();
  expect(fileChanges({ edited: true }, files({}))).toBeUndefined();
});

test("neither a list of long names is made, nor is one read", () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${"f".repeat(4_000)}${index}`, index]));
  expect(files(many)).toBeUndefined();
  const long = brotliCompressSync(`${JSON.stringify("f".repeat(1_100_000))}\n1 420 \n`).toString("base64");
  expect(fileChanges(long, files({}))).toBeUndefined();
});

test("where no file was summed there is no list", () => {
  expect(listFiles([{ path: "graph.json", type: "file", size: 1, mode: 0o644 }], undefined)).toBeUndefined();
});

test("what is listed is distinguished by path and checksum", () => {
  const content = fc.dictionary(fc.string(), fc.nat(), { maxKeys: 8 });
  fc.assert(
    fc.property(content, content, (one, other) => {
      const changes = fileChanges(files(one), files(other)) ?? [];
      const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
      const differing = [...paths].filter((path) => (one[path] ?? -1) !== (other[path] ?? -1));
      expect(changes.length === 0).toBe(differing.length === 0);
    }),
  );
});
