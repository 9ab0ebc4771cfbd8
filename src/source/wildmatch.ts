import { parseByteClass } from "./byte-class.ts";

/** Where a byte string stops being literal in git's wildmatch; its length when it holds no wildcard. */
export function literalLength(pattern: string): number {
  const wildcard = pattern.search(/[*?[\\]/);
  return wildcard === -1 ? pattern.length : wildcard;
}

/**
 * Git's wildmatch (wildmatch.c with WM_PATHNAME) as a regular expression over byte strings. Undefined when the
 * pattern is malformed: git lets such a pattern match nothing, and so a class without its bracket hides no file.
 */
export function compileWildmatch(pattern: string): RegExp | undefined {
  let source = "";
  for (let at = 0; at < pattern.length;) {
    const piece = pieceAt(pattern, at);
    if (piece === undefined) return undefined;
    // `**/**/` is `**/`; said twice it would only make the expression slow.
    if (!(piece.source === ANY_FOLDERS && source.endsWith(ANY_FOLDERS))) source += piece.source;
    at = piece.end;
  }
  return new RegExp(`^${source}$`);
}

interface Piece {
  readonly source: string;
  readonly end: number;
}

const ANY_FOLDERS = "(?:[^]*/)?";

function pieceAt(pattern: string, at: number): Piece | undefined {
  switch (pattern[at]) {
    case "*":
      return starsAt(pattern, at);
    case "?":
      return { source: "[^/]", end: at + 1 };
    case "[":
      return parseByteClass(pattern, at);
    case "\\": {
      const escaped = pattern[at + 1];
      return escaped === undefined ? undefined : { source: literal(escaped), end: at + 2 };
    }
    default:
      return { source: literal(pattern.charAt(at)), end: at + 1 };
  }
}

// Two or more stars cross folders only where they stand alone between slashes; elsewhere they are one star.
function starsAt(pattern: string, at: number): Piece {
  let end = at;
  while (pattern[end] === "*") end++;
  const alone =
    (at === 0 || pattern[at - 1] === "/") &&
    (end === pattern.length || pattern[end] === "/" || pattern.startsWith("\\/", end));
  if (end - at === 1 || !alone) return { source: "[^/]*", end };
  return pattern[end] === "/" ? { source: ANY_FOLDERS, end: end + 1 } : { source: "[^]*", end };
}

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}
