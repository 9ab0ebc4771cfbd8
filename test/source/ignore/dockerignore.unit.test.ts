import { describe, expect, test } from "vitest";
import { Dockerignore } from "../../../src/source/ignore/dockerignore.ts";
import { failure, packedOf, readNodes } from "../temporary-tree.ts";

const leavesOut = (text: string, path: string) => new Dockerignore(text, ".dockerignore").leavesOut(path) !== undefined;

describe("a .dockerignore", () => {
  // What the builder of images answers: a match is anchored, and a folder's match covers all below it.
  test.each([
    ["a.py", "a.py", true],
    ["a.py", "lib/a.py", false],
    ["/a.py", "a.py", true],
    ["./lib/../a.py", "a.py", true],
    ["*.py", "lib/a.py", false],
    ["*/*.py", "lib/a.py", true],
    ["**/*.py", "a.py", true],
    ["**/*.py", "x/y/a.py", true],
    ["**", "x/y", true],
    ["lib", "lib/x/a.py", true],
    ["lib/", "lib/x/a.py", true],
    ["lib/**", "lib/x/a.py", true],
    ["lib/**", "lib", false],
    ["lib**", "library/a", true],
    ["**/tmp", "tmp", true],
    ["**/tmp", "a/tmp/b", true],
    ["**/tmp", "a/xtmp", false],
    ["**tmp", "a/xtmp", true],
    ["a**/*.txt", "a/b/c.txt", true],
    ["a/*.txt**", "a/b.txt", true],
    ["a[b-d]e", "ace", true],
    ["a[^b-d]e", "ace", false],
    ["a?b", "a☺b", true],
    ["a?b", "a/b", false],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["[\\-x]", "-", true],
    ["a.c", "abc", false],
    ["a.|)$(}+{bc", "a.|)$(}+{bc", true],
    ["dist/*.whl", "dist/x-2.4+g08.whl", true],
    ["# lib", "lib", false],
    ["  lib  ", "lib", true],
    [" # lib", "# lib", true],
    ["\uFEFFlib", "lib", true],
    ["lib\r\n", "lib", true],
    ["docs\n!docs/README.md", "docs/README.md", false],
    ["docs\n! /docs/README.md", "docs/README.md", false],
    ["docs\n!docs/README.md", "docs/x.md", true],
    ["*\n!src", "src/a.py", false],
    ["!a.go\n*.go", "a.go", true],
    ["**\n!util/web\nutil/web/foo", "util/web/foo", true],
    ["Lib", "lib", false],
    ["a]*", "a]b", true],
    ["a[^b]c", "a/c", true],
    ["[a-c\\-]", "-", true],
    ["^a*", "ab", true],
    ["a^*", "a^", false],
  ])("%j leaves out %j: %s", (text, path, expected) => {
    expect(leavesOut(text, path)).toBe(expected);
  });

  test.each([
    ["many stars", `${"*a".repeat(50)}b`],
    ["many stars that cross folders", `${"**/a*".repeat(50)}b`],
    ["many stars at the ends of names", `${"**a".repeat(50)}b`],
    ["classes that do not close", `*${"[a".repeat(100_000)}`],
  ])("is read and matched in no time: %s", { tags: "slow" }, (_, line) => {
    expect(leavesOut(line, "a".repeat(200))).toBe(false);
    expect(leavesOut(line, "a/".repeat(300) + "a")).toBe(false);
  });

  // As the builder does; a class that holds a wildcard means something else to it than to anybody who writes one.
  test.each(["[a", "[]a]", "[a-]", "[-a]", "[^]", "[z-a]", "[a*]", "[?]", "a*\\"])(
    "%j is not a valid pattern",
    (line) => {
      expect(new Dockerignore(line, "x").faults).toMatchObject([
        { message: expect.stringMatching(/^x line 1 /) as string },
      ]);
    },
  );

  test("at the project is honoured, with exceptions below a folder that it leaves out", async () => {
    const nodes = {
      ".dockerignore": "data\n!data/keep/**\n*.md\n",
      "data/a.csv": "",
      "data/keep/b.csv": "",
      "a.md": "",
      "lib/a.md": "",
      "lib/.dockerignore": "*",
    };
    const expected = [".dockerignore", "data/keep/b.csv", "lib/.dockerignore", "lib/a.md"];
    expect(await packedOf(nodes)).toEqual(expected);
    const { leftOut } = await readNodes(nodes);
    expect(leftOut).toEqual([{ what: ".dockerignore", reason: "rule", files: 2, atLeast: false }]);
  });

  test("takes back nothing that git ignores", async () => {
    const nodes = { ".gitignore": "*.log\n", ".dockerignore": "!a.log\n", "a.log": "" };
    expect(await packedOf(nodes)).toEqual([".dockerignore", ".gitignore"]);
  });

  test("with a line that is not a valid pattern is refused, because no build would take it", async () => {
    const error = await failure(readNodes({ ".dockerignore": "lib\n[z-a]\n!\n" }));
    expect(error).toMatchObject({
      code: "SOURCE_TREE",
      message:
        "The source cannot be packed, for 2 reasons: .dockerignore line 2 ([z-a]) is not a valid pattern; " +
        ".dockerignore line 3 (!) is not a valid pattern.",
      advice: "Correct the line: a build rejects it.",
    });
  });
});
