import { backslashesBefore, BYTE, endsScalar, isSpace, MAX_DEPTH } from "./bytes.ts";
import { FAULT, JsonFault } from "./faults.ts";

/** What a scan reports of a text as it reads. */
export interface JsonVisitor {
  readonly opens: () => void;
  readonly closes: () => void;
  readonly key: (key: string) => void;
}

/**
 * Reads JSON by its grammar, token by token: slower than JSON.parse, but it knows where a text breaks and says so
 * without a word of the text, and it can look at a text whose end is missing. Takes the words of Python for numbers
 * that are none, too.
 */
export class JsonScan {
  readonly bytes: Buffer;
  at = 0;
  /** True once the bytes ended where more was to come. */
  isCut = false;
  readonly #visitor: JsonVisitor | undefined;
  readonly #refusesHalves: boolean;
  /** The brackets that are open. */
  readonly #open: number[] = [];

  constructor(bytes: Buffer, visitor?: JsonVisitor, refusesHalves = false) {
    this.bytes = bytes;
    this.#refusesHalves = refusesHalves;
    this.#visitor = visitor;
  }

  /** Passes white space and returns the byte behind it; -1 at the end. */
  next(): number {
    for (; this.at < this.bytes.length; this.at++) {
      const byte = this.bytes[this.at] ?? 0;
      if (!isSpace(byte)) return byte;
    }
    return -1;
  }

  /** Passes one value; throws `JsonFault`. */
  value(): void {
    this.#open.length = 0;
    for (;;) {
      if (this.#isNested()) continue;
      do {
        if (this.#open.length === 0) return;
      } while (!this.#isSeparated());
    }
  }

  /** Passes one value; returns where it breaks. */
  fault(): JsonFault | undefined {
    try {
      this.value();
      return undefined;
    } catch (error) {
      if (error instanceof JsonFault) return error;
      throw error;
    }
  }

  /** Passes a value that holds no other, or the beginning of one that does: then true. */
  #isNested(): boolean {
    const byte = this.next();
    switch (byte) {
      case BYTE.openObject:
      case BYTE.openList: {
        if (this.#open.push(byte) > MAX_DEPTH) throw new JsonFault(this.at, FAULT.tooDeep);
        this.at++;
        this.#visitor?.opens();
        if (this.next() === byte + 2) return false;
        if (byte === BYTE.openObject) this.#key();
        return true;
      }
      case BYTE.quote:
        this.#string();
        return false;
      case -1:
        throw this.#cut();
      default:
        this.#scalar();
        return false;
    }
  }

  /** Behind a value: passes a comma, and what comes before the next value, or a closing bracket: then false. */
  #isSeparated(): boolean {
    const opened = this.#open.at(-1) ?? 0;
    const closing = opened + 2;
    const byte = this.next();
    if (byte === -1) throw this.#cut();
    if (byte === closing) {
      this.at++;
      this.#open.pop();
      this.#visitor?.closes();
      return false;
    }
    if (byte === BYTE.closeList || byte === BYTE.closeObject) throw new JsonFault(this.at, FAULT.otherBracket);
    if (byte !== BYTE.comma) throw new JsonFault(this.at, FAULT.noComma);
    this.at++;
    if (this.next() === closing) throw new JsonFault(this.at, FAULT.extraComma);
    if (opened === BYTE.openObject) this.#key();
    return true;
  }

  #key(): void {
    const byte = this.next();
    if (byte === -1) throw this.#cut();
    if (byte !== BYTE.quote) throw new JsonFault(this.at, FAULT.noKey);
    const key = this.#string();
    const colon = this.next();
    if (colon === -1) throw this.#cut();
    if (colon !== BYTE.colon) throw new JsonFault(this.at, FAULT.noColon);
    this.at++;
    this.#visitor?.key(key);
  }

  #string(): string {
    const begin = this.at;
    for (let from = begin + 1; ; from = this.at) {
      const quote = this.bytes.indexOf(BYTE.quote, from);
      if (quote < 0) {
        this.isCut = true;
        throw new JsonFault(begin, FAULT.openString);
      }
      this.at = quote + 1;
      if (backslashesBefore(this.bytes, from, quote) % 2 === 1) continue;
      const text = stringValue(this.bytes, begin, this.at);
      if (this.#refusesHalves && !text.isWellFormed()) throw new JsonFault(begin, FAULT.loneSurrogate);
      return text;
    }
  }

  #scalar(): void {
    const begin = this.at;
    while (this.at < this.bytes.length && !endsScalar(this.bytes[this.at] ?? 0)) this.at++;
    if (this.at === begin) throw new JsonFault(begin, FAULT.noValue);
    const text = this.bytes.toString("latin1", begin, this.at);
    if (WORDS.has(text) || NUMBER.test(text)) return;
    const fault = /^[-+.\d]/.test(text) ? FAULT.badNumber : FAULT.badWord;
    this.isCut = this.at === this.bytes.length;
    throw new JsonFault(begin, text.startsWith("'") ? FAULT.singleQuotes : fault);
  }

  #cut(): JsonFault {
    this.isCut = true;
    return new JsonFault(this.at, FAULT.cutOff);
  }
}

/** Where a text that should be one value breaks, or has half of a character if that counts; undefined for a text that does not. */
export function findJsonFault(bytes: Buffer, refusesHalves = false): JsonFault | undefined {
  const scan = new JsonScan(bytes, undefined, refusesHalves);
  if (scan.next() === -1) return new JsonFault(0, FAULT.noValue);
  return scan.fault() ?? (scan.next() === -1 ? undefined : new JsonFault(scan.at, FAULT.more));
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const WORDS: ReadonlySet<string> = new Set(["true", "false", "null", "NaN", "Infinity", "-Infinity"]);

function stringValue(bytes: Buffer, begin: number, end: number): string {
  // Control characters are the only bytes below 0x20, in UTF-8 as in ASCII.
  for (let at = begin; at < end; at++) {
    if ((bytes[at] ?? 0) < BYTE.space) throw new JsonFault(at, FAULT.badString);
  }
  try {
    return String(JSON.parse(bytes.toString("utf8", begin, end)));
  } catch {
    throw new JsonFault(begin, FAULT.badEscape);
  }
}
