import { isExact } from "../../../files/json/exact-number.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../../files/json/value.ts";

/**
 * The value of a list, tuple, dict, text or number as Python's `repr` writes it; undefined for any other text, which
 * the caller can keep. Lists of numpy, which have no commas, are read too.
 */
export function readPythonLiteral(text: string): JsonValue | undefined {
  const literal = new PythonLiteral(text);
  const value = literal.value(0);
  return value !== undefined && literal.isAtEnd() ? value : undefined;
}

const MAX_DEPTH = 100;

const SPACE = /\s*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d*)?(?:e[-+]?\d+)?(?![\w.])/y;
const WORD = /-?[a-zA-Z]+(?!\w)/y;
const PLAIN = /[^\\'"]+/y;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/sy;

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["None", null],
  ["True", true],
  ["False", false],
  ["nan", NOT_A_NUMBER],
  ["inf", NOT_A_NUMBER],
  ["-inf", NOT_A_NUMBER],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

class PythonLiteral {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.#match(SPACE);
    return this.#at === this.#text.length;
  }

  /** Reads a value; undefined if there is none. */
  value(depth: number): JsonValue | undefined {
    if (depth > MAX_DEPTH) return undefined;
    this.#match(SPACE);
    const character = this.#text[this.#at];
    switch (character) {
      case "[":
        return this.#list("]", depth);
      case "(":
        return this.#list(")", depth);
      case "{":
        return this.#dict(depth);
      case "'":
      case '"':
        return this.#string(character);
      default:
        return this.#number() ?? WORDS.get(this.#match(WORD)?.[0] ?? "");
    }
  }

  #list(closing: string, depth: number): JsonValue | undefined {
    this.#at++;
    const values: JsonValue[] = [];
    while (!this.#passes(closing)) {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      values.push(value);
      // A comma may stand behind the last value, as in (1,), and is left out by numpy.
      this.#passes(",");
    }
    return values;
  }

  #dict(depth: number): JsonValue | undefined {
    this.#at++;
    const entries: [string, JsonValue][] = [];
    while (!this.#passes("}")) {
      const key = this.value(depth + 1);
      if (typeof key !== "string" || !this.#passes(":")) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      entries.push([key, value]);
      if (!this.#passes(",") && this.#text[this.#at] !== "}") return undefined;
    }
    return Object.fromEntries(entries);
  }

  #string(quote: string): string | undefined {
    this.#at++;
    const parts: string[] = [];
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) return undefined;
      if (character === quote) break;
      // A quote of the other kind does not end the string.
      const plain = () => this.#match(PLAIN)?.[0] ?? this.#text[this.#at++];
      const part = character === "\\" ? this.#escape() : plain();
      if (part === undefined) return undefined;
      parts.push(part);
    }
    this.#at++;
    const string = parts.join("");
    return string.isWellFormed() ? string : undefined;
  }

  #escape(): string | undefined {
    const [, two, four, eight, one] = this.#match(ESCAPE) ?? [];
    const hex = two ?? four ?? eight;
    if (hex === undefined) return ESCAPES.get(one ?? "");
    const code = Number.parseInt(hex, 16);
    return code > 0x10ffff ? undefined : String.fromCodePoint(code);
  }

  #number(): JsonValue | undefined {
    const text = this.#match(NUMBER)?.[0];
    if (text === undefined) return undefined;
    // 1. is a number to Python and numpy, and none to JSON.
    const json = text.replace(/\.(?!\d)/, "");
    return isExact(json) ? Number(json) : new ExactNumber(json);
  }

  #passes(character: string): boolean {
    this.#match(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }
}
