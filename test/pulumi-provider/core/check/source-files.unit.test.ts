import fc from "fast-check";
import { expect, test } from "vitest";
import { fileChanges, listFiles, MOST_ENTRIES } from "../../../../pulumi-provider/core/check/source-files.ts";
import type { SourceEntry } from "../../../../src/source/entry/entry.ts";
import "../../../property-runs.ts";

type Contents = Readonly<Record<string, number>>;

function files(contents: Contents, before?: unknown): Readonly<Record<string, string>> {
  const entries: SourceEntry[] = Object.keys(contents).map((path) => ({ path, type: "file", size: 1, mode: 0o644 }));
  return listFiles(entries, Uint32Array.from(Object.values(contents)), before);
}

/** So many files under a path, each with a sum of its own. */
function many(count: number, path: (index: number) => string, sum = (index: number) => index): Contents {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [path(index), sum(index)]));
}

const PROJECT: Contents = { "graph.json": 1, "support.py": 2, "lib/old.py": 3 };

test("each file has a short hash under its path", () => {
  expect(files(PROJECT)).toEqual({
    "graph.json": expect.stringMatching(/^[\da-f]{8}$/),
    "lib/old.py": expect.stringMatching(/^[\da-f]{8}$/),
    "support.py": expect.stringMatching(/^[\da-f]{8}$/),
  });
});

test("a mode and the target of a link are part of it", () => {
  const file = { path: "run", type: "file", size: 1, mode: 0o644 } as const;
  const list = (entry: SourceEntry) => listFiles([entry], Uint32Array.of(1), undefined)["run"];
  const link = (target: string) => list({ ...file, type: "symlink", target });
  expect(new Set([list(file), list({ ...file, mode: 0o755 }), link("a"), link("b")]).size).toBe(4);
});

test("the files that changed, came and went are counted", () => {
  const after = files({ "graph.json": 1, "support.py": 4, "new.py": 3 });
  expect(fileChanges(files(PROJECT), after)).toBe("1 changed, 1 added, 1 removed");
  expect(fileChanges(files(PROJECT), files(PROJECT))).toBe("");
});

test.each([
  ["one directory beside a small project", many(1_000, (index) => `data/f${index}`), ["data/"]],
  ["two of them", { ...many(1_000, (i) => `data/f${i}`), ...many(300, (i) => `vendor/f${i}`) }, ["data/", "vendor/"]],
  ["50,000 files in 5,000 directories", many(50_000, (i) => `lib/d${i % 5_000}/f${i}`), ["lib/"]],
  ["directories at the top", many(50_000, (index) => `d${index}/f`), ["./"]],
  ["files at the top", many(1_000, (index) => `f${index}`), ["./"]],
])(
  "what is too much for a state is one entry for a directory: %s",
  { tags: "slow" },
  (_what, contents, directories) => {
    const listed = files({ ...PROJECT, ...contents });
    expect(Object.keys(listed).length).toBeLessThanOrEqual(MOST_ENTRIES);
    expect(Object.keys(listed).filter((path) => path.endsWith("/"))).toEqual(directories);
  },
);

test("a change in such a directory shows there, and is counted as one directory", () => {
  const contents = { ...PROJECT, ...many(1_000, (index) => `data/f${index}`) };
  const before = files(contents);
  const after = files({ ...contents, "data/f7": 4_000, "support.py": 9 }, before);
  expect(fileChanges(before, after)).toBe("1 changed, 1 directory changed");
  expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual(["data/", "support.py"]);
});

test("a tree that grows past the limit stays as it was listed, so that one new file is one change", () => {
  const contents = many(MOST_ENTRIES, (index) => `lib/f${index}`);
  const before = files(contents);
  const grown = files({ ...contents, "lib/new.py": 1 }, before);
  expect(fileChanges(before, grown)).toBe("1 added");
  // One that shrinks, too.
  const large = { ...PROJECT, ...many(1_000, (index) => `data/f${index}`) };
  const folded = files(large);
  expect(fileChanges(folded, files({ ...PROJECT, ...many(5, (index) => `data/f${index}`) }, folded))).toBe(
    "1 directory changed",
  );
});

test("a tree that is one entry stays so while its files are the same", () => {
  const contents = { ...many(250, (index) => `f${index}`), ...many(MOST_ENTRIES + 50, (index) => `d${index}/f`) };
  const before = files(contents);
  expect(Object.keys(before)).toEqual(["./"]);
  expect(files(contents, before)).toEqual(before);
  expect(fileChanges(before, files({ ...contents, "d1/new": 1 }, before))).toBe("1 directory changed");
});

test("where a directory is no longer listed, nothing is counted: it would look like many removed files", () => {
  const before = files(PROJECT);
  const after = files({ ...PROJECT, ...many(1_000, (index) => `lib/f${index}`) }, before);
  expect(Object.keys(after)).toEqual(["graph.json", "lib/", "support.py"]);
  expect(fileChanges(before, after)).toBe("");
  expect(fileChanges(after, before)).toBe("");
});

test.each([undefined, "bm90IGEgbGlzdA==", ["x"]])(
  "a list of an earlier version, or that a user edited, counts nothing: %j",
  (before) => {
    expect(fileChanges(before, files(PROJECT))).toBe("");
    expect(files(PROJECT, before)).toEqual(files(PROJECT));
  },
);

test("what is listed is distinguished by path and checksum", () => {
  const segment = fc.stringMatching(/^[a-z_]{1,8}$/);
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((steps) => `${steps.join("/")}.py`);
  const content = fc.dictionary(path, fc.nat(), { maxKeys: 8 });
  fc.assert(
    fc.property(content, content, (one, other) => {
      const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
      const differing = [...paths].filter((key) => (one[key] ?? -1) !== (other[key] ?? -1));
      expect(fileChanges(files(one), files(other, files(one))) === "").toBe(differing.length === 0);
    }),
  );
});
