/** A part of a line of gates. */
export interface Token {
  /** `symbol`: an operator, a bracket or a comma. `name`: in quotes, or a word. */
  readonly kind: "name" | "symbol";
  /** Without quotes. */
  readonly text: string;
  readonly isQuoted: boolean;
  /** Where it begins in the line, from 0, and how many characters it takes there. */
  readonly at: number;
  readonly length: number;
}

/** The tokens of a line up to its comment, or where it cannot be read. */
export type Scanned =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly at: number; readonly message: string };

// The longer operators first. Those that no rule has are read too, so that the error can name the right one.
const TOKEN = /\s*(?:(#.*)|("(?:[^"\\]|\\.)*"?)|([<>=!≤≥]=|=[<>]|[<>=!≤≥[\](),])|([^\s"<>=!≤≥[\](),]+))/uy;

/** Reads a line of gates. Linear in its length. */
export function scanLine(line: string): Scanned {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(line); match !== null; match = TOKEN.exec(line)) {
    const [whole, comment, quotes, symbol, word = ""] = match;
    const end = match.index + whole.length;
    // Only after a blank: a name may hold the sign.
    if (comment !== undefined) break;
    const source = quotes ?? symbol ?? word;
    const at = end - source.length;
    if (quotes !== undefined) {
      const text = unquoted(quotes);
      if (text === undefined) return { ok: false, at, message: "has a quoted name without its closing quote" };
      tokens.push({ kind: "name", text, isQuoted: true, at, length: source.length });
    } else
      tokens.push({
        kind: symbol === undefined ? "name" : "symbol",
        text: source,
        isQuoted: false,
        at,
        length: source.length,
      });
    TOKEN.lastIndex = end;
  }
  return { ok: true, tokens };
}

function unquoted(quotes: string): string | undefined {
  if (quotes.length < 2 || !quotes.endsWith('"')) return undefined;
  return quotes.slice(1, -1).replaceAll(/\\(.)/gu, "$1");
}
