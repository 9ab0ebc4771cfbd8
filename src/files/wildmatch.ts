import { ANY_CHAR, Wildcards, type WildcardStep } from "./wildcards.ts";

/** Where a text stops being literal in git's wildmatch; its length when it holds no wildcard. */
export function literalLength(pattern: string): number {
  const wildcard = pattern.search(/[*?[\\]/);
  return wildcard === -1 ? pattern.length : wildcard;
}

/**
 * Reads a pattern as git's wildmatch does (wildmatch.c with WM_PATHNAME). Undefined when it is malformed: git lets such
 * a pattern match nothing, and so a class without its bracket hides no file.
 */
export function parseWildmatch(pattern: string): Wildcards | undefined {
  const steps: WildcardStep[] = [];
  for (let at = 0; at < pattern.length;) {
    const piece = pieceAt(pattern, at);
    if (!piece) return undefined;
    // `**/**/` is `**/`.
    if (!(piece.step.kind === "folders" && steps.at(-1)?.kind === "folders")) steps.push(piece.step);
    at = piece.end;
  }
  return new Wildcards(steps);
}

interface Piece {
  readonly step: WildcardStep;
  readonly end: number;
}

function pieceAt(pattern: string, at: number): Piece | undefined {
  switch (pattern[at]) {
    case "*":
      return starsAt(pattern, at);
    case "?":
      return { step: ANY_CHAR, end: at + 1 };
    case "[":
      return classAt(pattern, at);
    case "\\":
      return at + 1 < pattern.length ? charAt(pattern, at + 1) : undefined;
    default:
      return charAt(pattern, at);
  }
}

// Two or more stars cross directories only where they stand alone between slashes; elsewhere they are one star.
function starsAt(pattern: string, at: number): Piece {
  let end = at;
  while (pattern[end] === "*") end++;
  const alone =
    (at === 0 || pattern[at - 1] === "/") &&
    (end === pattern.length || pattern[end] === "/" || pattern.startsWith("\\/", end));
  if (end - at === 1 || !alone) return { step: { kind: "run", crosses: false }, end };
  return pattern[end] === "/"
    ? { step: { kind: "folders" }, end: end + 1 }
    : { step: { kind: "run", crosses: true }, end };
}

function charAt(pattern: string, at: number): Piece {
  const code = pattern.codePointAt(at) ?? 0;
  return { step: { kind: "char", code }, end: at + String.fromCodePoint(code).length };
}

// Git's own ctype.c: ASCII only, and its space includes neither vertical tab nor form feed. The ends of each range.
const NAMED_CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "09AZaz"],
  ["alpha", "AZaz"],
  ["blank", "\t\t  "],
  ["cntrl", "\0\x1f\x7f\x7f"],
  ["digit", "09"],
  ["graph", "!~"],
  ["lower", "az"],
  ["print", " ~"],
  ["punct", "!/:@[`{~"],
  ["space", "\t\n\r\r  "],
  ["upper", "AZ"],
  ["xdigit", "09AFaf"],
]);

/** Reads the class that opens at `at` as wildmatch.c does; undefined when git calls it malformed. */
function classAt(pattern: string, at: number): Piece | undefined {
  const negated = pattern[at + 1] === "!" || pattern[at + 1] === "^";
  const ranges: (readonly [from: number, to: number])[] = [];
  let index = at + (negated ? 2 : 1);
  // The lower end of a range that a hyphen may open.
  let previous: number | undefined;
  // The next bracket that could end the name of a class, looked for once and not from every member.
  let bracket = -1;
  // A bracket in the first place is a member, so the end is looked for after it.
  do {
    const isNamed = pattern.startsWith("[:", index);
    if (isNamed && bracket < index + 2) bracket = pattern.indexOf("]", index + 2);
    if (isNamed && bracket === -1) return undefined;
    const next = pattern[index + 1];
    const low = pattern[index] === "-" && next !== undefined && next !== "]" ? previous : undefined;
    if (isNamed && bracket > index + 2 && pattern[bracket - 1] === ":") {
      const ends = NAMED_CLASSES.get(pattern.slice(index + 2, bracket - 1));
      if (ends === undefined) return undefined;
      for (let end = 0; end < ends.length; end += 2) ranges.push([ends.charCodeAt(end), ends.charCodeAt(end + 1)]);
      previous = undefined;
      index = bracket + 1;
    } else {
      const char = memberCharAt(pattern, low === undefined ? index : index + 1);
      if (!char) return undefined;
      ranges.push([low ?? char.code, char.code]);
      previous = low === undefined ? char.code : undefined;
      index = char.end;
    }
  } while (pattern[index] !== "]");
  // A slash is matched by a slash alone, never by a class: WM_PATHNAME.
  const holds = (code: number) => code !== 47 && ranges.some(([from, to]) => code >= from && code <= to) !== negated;
  return { step: { kind: "one", holds }, end: index + 1 };
}

function memberCharAt(pattern: string, index: number): { readonly code: number; readonly end: number } | undefined {
  const at = pattern[index] === "\\" ? index + 1 : index;
  const code = pattern.codePointAt(at);
  return code === undefined ? undefined : { code, end: at + String.fromCodePoint(code).length };
}
