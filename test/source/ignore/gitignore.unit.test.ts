import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { propertyRuns } from "../../property-runs.ts";
import { describe, expect, test } from "vitest";
import { toByteString } from "../../../src/source/entry/place.ts";
import { parseGitignore } from "../../../src/source/ignore/gitignore.ts";
import { filePath, ignoredByGit, likelyLine, makeRepository, patternLine } from "../git-oracle.ts";
import { temporaryFolder } from "../temporary-tree.ts";

/** What one ignore file in the same folder says of a path, with git's rule that a folder takes all below with it. */
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

describe("a line in gitignore syntax", () => {
  // On Windows git takes a backslash for a slash.
  test.skipIf(process.platform === "win32")("means what git says that it means", { tags: "slow" }, () => {
    const repository = temporaryFolder();
    makeRepository(repository);
    const files = fc.array(fc.oneof(patternLine, likelyLine), { minLength: 1, maxLength: 3 });
    // One question to git for many files: each lies in a folder of its own.
    const batch = fc.tuple(
      fc.array(files, { minLength: 60, maxLength: 60 }),
      fc.uniqueArray(filePath, { minLength: 60, maxLength: 60 }),
    );
    fc.assert(
      fc.property(batch, ([texts, paths]) => {
        const asked = texts.flatMap((lines, index) => {
          mkdirSync(join(repository, String(index)), { recursive: true });
          writeFileSync(join(repository, String(index), ".gitignore"), lines.join("\n"));
          return paths.map((path) => `${index}/${path}`);
        });
        const ignored = ignoredByGit(repository, asked);
        for (const [index, lines] of texts.entries()) {
          const text = lines.join("\n");
          const ours = paths.filter((path) => isIgnored(text, path));
          const theirs = paths.filter((path) => ignored.has(`${index}/${path}`));
          expect(ours, JSON.stringify(text)).toEqual(theirs);
        }
      }),
      { numRuns: propertyRuns(0.15) },
    );
  });

  test.each([
    ["*.py", "lib/a.py", true],
    ["/*.py", "lib/a.py", false],
    ["lib/*.py", "lib/a.py", true],
    ["lib/*.py", "x/lib/a.py", false],
    ["**/lib/*.py", "x/lib/a.py", true],
    ["lib/**", "lib/x/y.py", true],
    ["lib/**/y.py", "lib/y.py", true],
    ["build/", "build/x", true],
    ["build/", "x/build", false],
    ["\\#a", "#a", true],
    ["\\!a", "!a", true],
    ["#a", "#a", false],
    ["a  ", "a", true],
    ["a\\ ", "a ", true],
    ["*.txt\r", "a.txt", true],
    ["\uFEFFa", "a", true],
    ["?", "é", false],
    ["??", "é", true],
    ["foo**/bar", "foobar", true],
    ["a[", "a[", false],
    ["[a-c-e]", "d", false],
    ["[a-c-e]", "-", true],
    ["A", "a", false],
    ["*\n!keep\n", "keep", false],
    ["dir/\n!dir/keep\n", "dir/keep", true],
    ["dir/*\n!dir/keep\n", "dir/keep", false],
  ])("%j speaks of %j: %s", (text, path, expected) => {
    expect(isIgnored(text, path)).toBe(expected);
  });

  test.each([
    ["many stars", `${"*a".repeat(2_000)}b`],
    ["many stars in a path", `x/${"*a".repeat(50)}b`],
    ["many stars that cross folders", `${"**/a*/".repeat(50)}b`],
    ["many classes", "*[ab]".repeat(50) + "c"],
    ["names of classes that do not close", `[${"[:".repeat(200_000)}]]`],
    ["many blanks", `a${" ".repeat(200_000)}b`],
    ["many blanks behind backslashes", `a${"\\ ".repeat(100_000)}b`],
    ["many backslashes", "\\".repeat(200_000)],
  ])("is read and matched in no time: %s", (_, line) => {
    expect(isIgnored(line, "a".repeat(200))).toBe(false);
    expect(isIgnored(line, `x/${"a".repeat(200)}`)).toBe(false);
    expect(isIgnored(line, "a/".repeat(1_000) + "a")).toBe(false);
  });

  test("knows where it stands, for messages", () => {
    const patterns = parseGitignore("# comment\n\n*.json\n!a\\ \n", "lib/.gitignore");
    expect(patterns.map(({ rule }) => rule.label)).toEqual([
      "lib/.gitignore line 3 (*.json)",
      "lib/.gitignore line 4 (!a\\ )",
    ]);
  });
});
