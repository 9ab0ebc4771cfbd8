import { BYTE, endsScalar, isSpace } from "./bytes.ts";
import { holdsInexactNumber } from "./exact-number.ts";
import type { SkimMembers, SkimPlan } from "./skim-plan.ts";
import { membersIn } from "./parsed-value.ts";
import { stringEnd, valueEnd } from "./value-end.ts";
import type { JsonValue } from "./value.ts";

/**
 * The object that begins at `begin`, of which only what a plan wants is parsed, and where its text ends; the rest is passed
 * over by its quotes and brackets. Undefined for a text of which that cannot be told or whose end is missing, with a number
 * that a double cannot hold, or with a key twice: it is to be parsed as a whole, which says what is wrong with it. `bytes`
 * are UTF-8.
 */
export function skimJson(bytes: Buffer, plan: SkimMembers, begin = 0) {
  const skim = new Skim(bytes, begin);
  if (bytes[begin] !== BYTE.openObject || !skim.members(plan)) return undefined;
  let value: JsonValue;
  try {
    value = JSON_PARSER.parse(skim.text());
  } catch {
    return undefined;
  }
  return skim.count === membersIn(value) ? { value, end: skim.at } : undefined;
}

const JSON_PARSER: { parse(text: string): JsonValue } = JSON;

/** What is deeper is looked at in its own way. */
const MOST_DEPTH = 100;
/** A shorter value is parsed as fast as it is cut out. */
const LEAST_CUT = 24;

/** One look at a text: each method passes something, or is false where it stands before something else. */
class Skim {
  at: number;
  count = 0;
  readonly #bytes: Buffer;
  #text = "";
  /** Up to where the bytes are in the text, or left out of it. */
  #taken: number;

  constructor(bytes: Buffer, begin: number) {
    this.#bytes = bytes;
    this.at = this.#taken = begin;
  }

  text(): string {
    return this.#text + this.#bytes.toString("utf8", this.#taken, this.at);
  }

  members(plan: SkimMembers): boolean {
    const bytes = this.#bytes;
    this.#step();
    if (bytes[this.at] === BYTE.closeObject) return this.#end();
    for (;;) {
      const key = this.at;
      if (bytes[key] !== BYTE.quote) return false;
      const keyEnd = stringEnd(bytes, key);
      if (keyEnd < 0) return false;
      this.at = keyEnd;
      this.#space();
      if (bytes[this.at] !== BYTE.colon) return false;
      this.count += 1;
      this.#step();
      const of = plan.of(bytes, key + 1, keyEnd - 1);
      if (of === undefined || !this.#value(of)) return false;
      this.#space();
      if (bytes[this.at] === BYTE.closeObject) return this.#end();
      if (bytes[this.at] !== BYTE.comma) return false;
      this.#step();
    }
  }

  #items(plan: SkimPlan): boolean {
    const bytes = this.#bytes;
    this.#step();
    if (bytes[this.at] === BYTE.closeList) return this.#end();
    for (;;) {
      if (!this.#value(plan)) return false;
      this.#space();
      if (bytes[this.at] === BYTE.closeList) return this.#end();
      if (bytes[this.at] !== BYTE.comma) return false;
      this.#step();
    }
  }

  #value(plan: SkimPlan): boolean {
    const byte = this.#bytes[this.at];
    if (plan === "whole") return this.#whole();
    if (plan === "sign") return this.#sign();
    if (plan === "blank") return byte === BYTE.quote ? this.#cut(valueEnd(this.#bytes, this.at), '""') : this.#whole();
    if ("of" in plan) return byte === BYTE.openObject ? this.members(plan) : this.#whole();
    return byte === BYTE.openList ? this.#items(plan.item) : this.#whole();
  }

  /** A value of which only counts whether it says something. */
  #sign(): boolean {
    const begin = this.at;
    const end = valueEnd(this.#bytes, begin);
    if (end - begin < LEAST_CUT) return this.#whole();
    const byte = this.#bytes[begin];
    const isOpening = byte === BYTE.openObject || byte === BYTE.openList;
    return this.#cut(end, isOpening && behindSpace(this.#bytes, begin + 1) === end - 1 ? "null" : "1");
  }

  #cut(end: number, text: string): boolean {
    if (end < 0) return false;
    this.#text += this.#bytes.toString("utf8", this.#taken, this.at) + text;
    this.at = this.#taken = end;
    return true;
  }

  /** A value that is kept, of which the members are counted and long numbers looked at. */
  #whole(): boolean {
    const bytes = this.#bytes;
    let { at } = this;
    let depth = 0;
    do {
      switch (KIND[bytes[at] ?? 0]) {
        case STRING:
          at = stringEnd(bytes, at);
          if (at < 0) return false;
          break;
        case OPEN:
          depth += 1;
          if (depth > MOST_DEPTH) return false;
          at += 1;
          break;
        case CLOSE:
          depth -= 1;
          at += 1;
          break;
        case COLON:
          this.count += 1;
          at += 1;
          break;
        case SCALAR: {
          const begin = at;
          while (at < bytes.length && KIND[bytes[at] ?? 0] === SCALAR) at += 1;
          if (at - begin >= LEAST_INEXACT && holdsInexactNumber(bytes.subarray(begin, at))) return false;
          break;
        }
        default:
          // A comma, white space, or what no JSON has: the parser decides.
          if (depth === 0) return false;
          at += 1;
      }
    } while (depth > 0 && at < bytes.length);
    this.at = at;
    return depth === 0;
  }

  /** Goes behind a byte and the white space that follows. */
  #step(): void {
    this.at += 1;
    this.#space();
  }

  #space(): void {
    this.at = behindSpace(this.#bytes, this.at);
  }

  #end(): boolean {
    this.at += 1;
    return true;
  }
}

function behindSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at] ?? 0)) at += 1;
  return at;
}

// `1e309`: a double holds every shorter number.
const LEAST_INEXACT = 5;

const [, STRING, OPEN, CLOSE, COLON, SCALAR] = [0, 1, 2, 3, 4, 5];
const KIND = new Uint8Array(256);
for (let byte = 0; byte < KIND.length; byte++) if (byte !== 0 && !endsScalar(byte)) KIND[byte] = SCALAR;
KIND[BYTE.quote] = STRING;
KIND[BYTE.openObject] = KIND[BYTE.openList] = OPEN;
KIND[BYTE.closeObject] = KIND[BYTE.closeList] = CLOSE;
KIND[BYTE.colon] = COLON;
