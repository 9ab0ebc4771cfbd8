import { fromByteString } from "../entry/place.ts";
import type { Rule } from "./rule.ts";
import { literalLength, parseWildmatch } from "../../files/wildmatch.ts";

/**
 * One line of an ignore file; the last one that speaks of a path decides. Paths and names are byte strings, relative to the
 * directory of that file.
 */
export interface IgnorePattern {
  readonly rule: Rule;
  /** True for `!line`, which takes back what an earlier line says. */
  readonly negative: boolean;
  /** The path that everything it matches begins with; undefined for a bare name, which is looked for anywhere. */
  readonly prefix: string | undefined;
  matches(path: string, name: string, isFolder: boolean): boolean;
}

/**
 * Parses the bytes of a file in gitignore syntax, as git's dir.c does; `source` is its name in messages. The package
 * `ignore` differs from git: test/source/ignore/gitignore.ignore-package.unit.test.ts lists the cases.
 */
export function parseGitignore(bytes: string, source: string): readonly IgnorePattern[] {
  const text = bytes.startsWith(BYTE_ORDER_MARK) ? bytes.slice(BYTE_ORDER_MARK.length) : bytes;
  return text.split("\n").flatMap((line, index) => {
    const body = trimTrailingSpaces(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (body.startsWith("#")) return [];
    const label = `${source} line ${String(index + 1)} (${fromByteString(body)})`;
    return parsePattern(body, { reason: "rule", name: source, label }) ?? [];
  });
}

const BYTE_ORDER_MARK = "\xef\xbb\xbf";

// Tabs stay, and so does a space behind a backslash.
function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes++;
  return line.slice(0, backslashes % 2 === 0 ? end : end + 1);
}

function parsePattern(line: string, rule: Rule): IgnorePattern | undefined {
  const negative = line.startsWith("!");
  const folderOnly = line.endsWith("/");
  const body = line.slice(negative ? 1 : 0, folderOnly ? -1 : undefined);
  if (body === "") return undefined;
  const anchored = body.includes("/");
  const pattern = body.startsWith("/") ? body.slice(1) : body;
  const matchesText = anchored ? matchPath(pattern) : matchName(pattern);
  return {
    rule,
    negative,
    prefix: anchored ? pattern.slice(0, literalLength(pattern)) : undefined,
    matches: (path, name, isFolder) => (isFolder || !folderOnly) && matchesText(anchored ? path : name),
  };
}

type Match = (text: string) => boolean;

function matchName(pattern: string): Match {
  if (literalLength(pattern) === pattern.length) return (name) => name === pattern;
  const ending = pattern.slice(1);
  if (pattern.startsWith("*") && literalLength(ending) === ending.length) return (name) => name.endsWith(ending);
  return matchWildmatch(pattern);
}

// Git compares the literal beginning first and matches the rest on its own, so that a `**` behind it stands at the
// start of a pattern: `foo**/bar` matches foobar.
function matchPath(pattern: string): Match {
  const length = literalLength(pattern);
  if (length === pattern.length) return (path) => path === pattern;
  const literal = pattern.slice(0, length);
  const matchesRest = matchWildmatch(pattern.slice(length));
  return (path) => path.startsWith(literal) && matchesRest(path.slice(length));
}

function matchWildmatch(pattern: string): Match {
  const wildcards = parseWildmatch(pattern);
  return wildcards ? (text) => wildcards.matches(text) : () => false;
}
