import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ignore from "ignore";
import { expect, test } from "vitest";
import { toByteString } from "../../../src/source/entry/place.ts";
import { parseGitignore } from "../../../src/source/ignore/gitignore.ts";
import { ignoredByGit, makeRepository } from "../git-oracle.ts";
import { temporaryFolder } from "../temporary-tree.ts";

// Why this project reads ignore files itself: each line is a case in which the package `ignore` and git differ.
const CASES: readonly (readonly [pattern: string, path: string, git: boolean, ignore: boolean])[] = [
  // Git matches bytes, the package UTF-16 units: `?` and a class hold one byte of a name.
  ["?", "é", false, true],
  ["??", "é", true, false],
  ["??", "日本", false, true],
  ["a?b", "aéb", false, true],
  ["日?", "日本", false, true],
  ["[!a]", "é", false, true],
  ["[^a]", "É", false, true],
  ["[é]", "é", false, true],
  ["[a-é]", "é", false, true],
  ["[![:space:]]", "é", false, true],
  ["[!]a]", "é", false, true],
  // Git compares the literal beginning first, so that `**` behind it stands at the start of a pattern.
  ["foo**/bar", "foobar", true, false],
  ["foo**/bar", "foo/x/bar", true, false],
];

// On Windows git takes a backslash for a slash.
test.skipIf(process.platform === "win32")("the package `ignore` differs from git, and the own rules do not", () => {
  const repository = temporaryFolder();
  makeRepository(repository);
  for (const [index, [pattern]] of CASES.entries()) {
    mkdirSync(join(repository, String(index)));
    writeFileSync(join(repository, String(index), ".gitignore"), `${pattern}\n`);
  }
  const ignored = ignoredByGit(
    repository,
    CASES.map(([, path], index) => `${index}/${path}`),
  );
  const found = CASES.map(([pattern, path], index) => [
    ...[pattern, path, ignored.has(`${index}/${path}`), ignore({ ignorecase: false }).add(pattern).ignores(path)],
    isIgnored(pattern, path),
  ]);
  expect(found).toEqual(CASES.map(([pattern, path, git, theirs]) => [pattern, path, git, theirs, git]));
});

// The package makes a regular expression of a pattern: version 7.0.16 took 42 s for this one.
test("a pattern with many `**` is decided at once", () => {
  const begin = performance.now();
  expect(isIgnored(`${"**/a/".repeat(8)}b`, `${"a/".repeat(40)}c`)).toBe(false);
  expect(performance.now() - begin).toBeLessThan(5_000);
});

function isIgnored(text: string, path: string): boolean {
  const patterns = parseGitignore(toByteString(text), ".gitignore");
  const names = path.split("/");
  return names.some((name, index) => {
    const above = names.slice(0, index + 1).join("/");
    const pattern = patterns.findLast((each) =>
      each.matches(toByteString(above), toByteString(name), index < names.length - 1),
    );
    return pattern?.negative === false;
  });
}
