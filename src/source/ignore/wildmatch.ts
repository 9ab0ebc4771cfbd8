import { parseByteClass } from "./byte-class.ts";
import { ANY_CHAR, charStep, Wildcards, type WildcardStep } from "./wildcards.ts";

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
    if (piece === undefined) return undefined;
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
    case "[": {
      const group = parseByteClass(pattern, at);
      return group && { step: { kind: "one", holds: group.holds }, end: group.end };
    }
    case "\\":
      return at + 1 < pattern.length ? charAt(pattern, at + 1) : undefined;
    default:
      return charAt(pattern, at);
  }
}

// Two or more stars cross folders only where they stand alone between slashes; elsewhere they are one star.
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
  return { step: charStep(code), end: at + String.fromCodePoint(code).length };
}
