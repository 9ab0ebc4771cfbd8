import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";

/** A piece of a pattern: what git gives a meaning to, and what only looks like it. */
const piece = fc.constantFrom(
  ...["a", "b", "foo", "é", ".", "-", "]", "A", "1", "!", "#", " ", "\t", "{a}", "(b)", "+", "$", "^", "|"],
  ...["*", "**", "***", "?", "/", "/", "/**", "**/", "\\a", "\\*", "\\", "\\ ", "  ", "\\\\ ", "\\/"],
  ...["[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a-]", "[z-a]", "[\\]]", "[é]", "[/]", "[!/]", "[a-\\c]", "[a"],
  ...[
    "[a-c-e]",
    "[a-c-]",
    "[[:alpha:]-z]",
    "[[:alpha:]]",
    "[[:digit:][:upper:]]",
    "[![:space:]]",
    "[[:bad:]]",
    "[:a]",
    "[[:]",
  ],
);

/** A line of an ignore file. */
export const patternLine = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));

/** A line that is likely to match something in a small tree. */
export const likelyLine = fc.oneof(
  patternLine,
  fc
    .tuple(
      fc.constantFrom("", "", "!", "/", "**/", "!/"),
      fc.array(fc.constantFrom("a", "b", "c", "foo", "*", "?", "f*", "[ab]", "**", "a b", "é"), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.constantFrom("", "", "/", "/**", "/*", " ", "\r"),
    )
    .map(([start, names, end]) => start + names.join("/") + end),
);

/** A name of a file or folder, many of them spelled as patterns are. */
const fileName = fc.constantFrom(
  ...["a", "b", "c", "foo", "é", "ab", "ba", "aa", "A", "1", "-", "]", "a b", "a ", "fooé", "[a", "a\\", "*", "!a"],
  ...["#a", "foob", "{a}", "(b)", "+", "$", "^a", "a|b", "a.b", "\t", "\\"],
);

export const filePath = fc.array(fileName, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

export function makeRepository(folder: string): void {
  execFileSync("git", ["init", "--quiet", folder]);
}

/** The paths that git ignores, asked of git itself. */
export function ignoredByGit(repository: string, paths: readonly string[]): ReadonlySet<string> {
  const { stdout, stderr } = spawnSync(
    "git",
    [
      "-c",
      "core.excludesFile=",
      "-c",
      "core.ignoreCase=false",
      "check-ignore",
      "--no-index",
      "-z",
      "-v",
      "-n",
      "--stdin",
    ],
    { cwd: repository, input: `${paths.join("\0")}\0`, encoding: "utf8", maxBuffer: 2 ** 30 },
  );
  if (stderr !== "") throw new Error(stderr);
  const fields = stdout.split("\0");
  const ignored = new Set<string>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, , pattern, path] = fields.slice(at, at + 4);
    if (source !== "" && pattern?.startsWith("!") === false) ignored.add(path ?? "");
  }
  return ignored;
}
