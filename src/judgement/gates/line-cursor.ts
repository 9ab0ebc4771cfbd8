import { listed } from "../../text/quoted.ts";
import type { GateFault } from "./errors.ts";
import type { Operator } from "./rule.ts";

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

/** Walks over the tokens of a line; throws LineFault where another one is needed. */
export class LineCursor {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensIn(text);
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
    if (token && operator !== undefined) {
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

  /** A name with the words that were taken after it, and those that follow, in quotes. */
  quoted(first: Token): string {
    let last = this.last ?? first;
    for (let token = this.peek(); isWord(token); token = this.peek()) last = this.take(token);
    return `"${this.textOf(first, last)}"`;
  }

  /** Fails for a name that continues after a space, up to one of these symbols. */
  checkQuotes(first: Token, ends: readonly string[]): void {
    let words = 0;
    while (isWord(this.peek(words))) words += 1;
    if (words === 0 || first.isQuoted || !ends.includes(this.peek(words)?.text ?? "")) return;
    const name = this.quoted(first);
    this.fail({ ...first, length: name.length - 2 }, "has a name with a space", `quote it: \`${name}\``);
  }

  /** The next token, or one behind it. */
  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#next + ahead];
  }

  get last(): Token | undefined {
    return this.#tokens[this.#next - 1];
  }

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
    const at = last ? last.at + last.length : 0;
    return { kind: "symbol", text: "", isQuoted: false, at, length: 0 };
  }

  fail({ at, length }: Token, message: string, hint?: string): never {
    throw new LineFault({ at, length, message, hint });
  }
}

export class LineFault extends Error {
  readonly fault: Omit<GateFault, "line" | "text">;

  constructor(fault: Omit<GateFault, "line" | "text">) {
    super(fault.message);
    this.fault = fault;
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

const TEST_WORDS: ReadonlySet<string> = new Set(["drop", "rise", "not"]);

/** A word of a name, which is not one of a test. */
function isWord(token: Token | undefined): token is Token {
  return token?.kind === "name" && !token.isQuoted && !TEST_WORDS.has(token.text);
}

// The longer operators first. Those that no rule has are read too, so that the error can name the right one.
const TOKEN = /\s*(?:(#.*)|("(?:[^"\\]|\\.)*"?)|([<>=!≤≥]=|=[<>]|[<>=!≤≥[\](),])|([^\s"<>=!≤≥[\](),]+))/uy;

/** The tokens of a line of gates up to its comment. Linear in its length. */
function tokensIn(line: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(line); match !== null; match = TOKEN.exec(line)) {
    const [whole, comment, quotes, symbol, word = ""] = match;
    const end = match.index + whole.length;
    // Only after a blank: a name may hold the sign.
    if (comment !== undefined) break;
    const source = quotes ?? symbol ?? word;
    const at = end - source.length;
    const isQuoted = quotes !== undefined;
    if (isQuoted && (quotes.length === 1 || !quotes.endsWith('"'))) {
      throw new LineFault({ at, length: 1, message: "has a quoted name without its closing quote", hint: undefined });
    }
    const text = isQuoted ? quotes.slice(1, -1).replaceAll(/\\(.)/gu, "$1") : source;
    tokens.push({ kind: symbol === undefined ? "name" : "symbol", text, isQuoted, at, length: source.length });
    TOKEN.lastIndex = end;
  }
  return tokens;
}
