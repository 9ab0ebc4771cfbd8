import { listed } from "../../text/quoted.ts";
import type { Operator } from "./rule.ts";

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
type Scanned =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly at: number; readonly message: string };

// The longer operators first. Those that no rule has are read too, so that the error can name the right one.
const TOKEN = /\s*(?:(#.*)|("(?:[^"\\]|\\.)*"?)|([<>=!≤≥]=|=[<>]|[<>=!≤≥[\](),])|([^\s"<>=!≤≥[\](),]+))/uy;

/** Reads a line of gates. Linear in its length. */
function scanLine(line: string): Scanned {
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

/** What is wrong with a line, and where. */
export class LineFault extends Error {
  readonly at: number;
  readonly length: number;
  readonly hint: string | undefined;

  constructor(at: number, length: number, message: string, hint?: string) {
    super(message);
    this.at = at;
    this.length = length;
    this.hint = hint;
  }
}

// What people write in other languages.
const MEANT: ReadonlyMap<string, Operator | "!="> = new Map([
  ["==", "="],
  ["=>", ">="],
  ["=<", "<="],
  ["≥", ">="],
  ["≤", "<="],
]);

/** Walks over the tokens of a line; throws LineFault where another one is needed. */
export class LineCursor {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    const scanned = scanLine(text);
    if (!scanned.ok) throw new LineFault(scanned.at, 1, scanned.message);
    this.#text = text;
    this.#tokens = scanned.tokens;
  }

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  /** The line as it was written, from the beginning of one token to the end of another. */
  textOf(first: Token, last: Token): string {
    return this.#text.slice(first.at, last.at + last.length);
  }

  operator<Known extends string>(known: readonly Known[]): Known {
    const token = this.peek();
    const operator = known.find((each) => each === token?.text);
    if (token !== undefined && operator !== undefined) {
      this.take(token);
      return operator;
    }
    const meant = MEANT.get(token?.text ?? "");
    const isKnown = known.some((each) => each === meant);
    this.fail(
      token ?? this.end(),
      `lacks ${listed(known.map((each) => `\`${each}\``))}`,
      isKnown && meant !== undefined ? `\`${token?.text ?? ""}\` is written \`${meant}\`` : undefined,
    );
  }

  name(what: string, example?: string): Token {
    const token = this.peek();
    if (token?.kind === "name" && token.text !== "") return this.take(token);
    this.fail(token ?? this.end(), `lacks ${what}`, example === undefined ? undefined : `as in \`${example}\``);
  }

  needs(symbol: string, what: string): void {
    if (!this.takes(symbol)) this.fail(this.peek() ?? this.end(), `lacks \`${symbol}\`, ${what}`);
  }

  takes(text: string): boolean {
    const token = this.peek();
    if (token?.text !== text || token.isQuoted) return false;
    this.take(token);
    return true;
  }

  /** The next token, or one behind it. */
  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#next + ahead];
  }

  /** The token that was taken last. */
  get last(): Token | undefined {
    return this.#tokens[this.#next - 1];
  }

  /** How many tokens are left. */
  get left(): number {
    return this.#tokens.length - this.#next;
  }

  take(token: Token): Token {
    this.#next += 1;
    return token;
  }

  /** Where the line ends, for what is missing there. */
  end(): Token {
    const last = this.#tokens.at(-1);
    const at = last === undefined ? 0 : last.at + last.length;
    return { kind: "symbol", text: "", isQuoted: false, at, length: 0 };
  }

  fail({ at, length }: Token, message: string, hint?: string): never {
    throw new LineFault(at, length, message, hint);
  }
}
