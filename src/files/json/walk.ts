import type { ByteSource } from "./byte-source.ts";
import { ByteWindow } from "./byte-window.ts";
import { backslashesBefore, BYTE, endsScalar, isSpace, MAX_DEPTH } from "./bytes.ts";
import { FAULT } from "./faults.ts";

/**
 * A walk over a JSON text that sees where values begin and end, and nothing of what they are: strings, and brackets
 * that fit each other. Whether a value is well-formed inside is left to the parser.
 */
export class JsonWalk implements Disposable {
  readonly window: ByteWindow;
  /** The line in which `window.at` stands, counted from 1. */
  line = 1;
  /** Which brackets are open around `window.at`, inside the value that is passed. */
  readonly #open = new Uint8Array(MAX_DEPTH + 1);

  /** Opens the source; a value that is kept may have `maxKept` bytes. */
  constructor(source: ByteSource, maxKept: number) {
    this.window = new ByteWindow(source, maxKept);
  }

  [Symbol.dispose](): void {
    this.window[Symbol.dispose]();
  }

  /** Passes white space and returns the byte behind it without passing that; -1 at the end of the source. */
  next(): number {
    const { window } = this;
    for (;;) {
      while (window.at < window.end) {
        const byte = window.bytes[window.at] ?? 0;
        if (!isSpace(byte)) return byte;
        if (byte === BYTE.lineFeed) this.line++;
        window.at++;
      }
      if (!window.more()) return -1;
    }
  }

  /** As `next`, where the text cannot end. */
  nextOfMore(): number {
    const byte = this.next();
    if (byte === -1) throw this.fault(FAULT.cutOff);
    return byte;
  }

  /** Passes the value that begins at `window.at`, which stands in `depth` brackets. */
  passValue(depth: number): void {
    const byte = this.window.bytes[this.window.at];
    if (byte === BYTE.openObject || byte === BYTE.openList) this.#passBrackets(depth);
    else if (byte === BYTE.quote) this.passString();
    else this.#passScalar();
  }

  /** Passes the string whose opening quote stands at `window.at`. */
  passString(): void {
    this.window.at++;
    this.#passRestOfString();
  }

  /** Passes a key, its colon and the white space behind, and returns the key. */
  passKey(): string {
    const { window } = this;
    if (this.nextOfMore() !== BYTE.quote) throw this.fault(FAULT.noKey);
    const { spill } = window;
    const offset = window.offsetOf(window.at);
    // What is kept already stays, so that it goes to `spill` later, and with it the key.
    window.spill = undefined;
    this.passString();
    const bytes = window.bytes.subarray(offset - window.offsetOf(0), window.at);
    window.spill = spill;
    let key: unknown;
    try {
      key = JSON.parse(bytes.toString());
    } catch {
      // The key stays undefined.
    }
    if (typeof key !== "string") throw window.fault(offset, FAULT.badKey);
    if (this.nextOfMore() !== BYTE.colon) throw this.fault(FAULT.noColon);
    window.at++;
    this.nextOfMore();
    return key;
  }

  /** Passes a comma and the white space behind it, if there is one; false before the closing bracket. */
  passComma(closing: number): boolean {
    const byte = this.nextOfMore();
    if (byte === closing) return false;
    if (byte !== BYTE.comma) throw this.fault(FAULT.noComma);
    this.window.at++;
    if (this.nextOfMore() === closing) throw this.fault(FAULT.extraComma);
    return true;
  }

  /** Goes down a path of keys; true before the opening bracket that is wanted, false where there is none. */
  enter(path: readonly string[], opening: number): boolean {
    for (const [depth, key] of path.entries()) {
      if (this.next() !== BYTE.openObject) return false;
      this.window.at++;
      if (this.nextOfMore() === BYTE.closeObject) return false;
      while (this.passKey() !== key) {
        this.passValue(depth + 1);
        if (!this.passComma(BYTE.closeObject)) return false;
      }
    }
    return this.next() === opening;
  }

  fault(what: string): Error {
    return this.window.fault(this.window.offsetOf(this.window.at), what);
  }

  #passScalar(): void {
    const { window } = this;
    const from = window.offsetOf(window.at);
    do {
      while (window.at < window.end && !endsScalar(window.bytes[window.at] ?? 0)) window.at++;
    } while (window.at === window.end && window.more());
    if (window.offsetOf(window.at) === from) throw this.fault(FAULT.noValue);
  }

  #passRestOfString(): void {
    const { window } = this;
    const begin = window.offsetOf(window.at);
    let from = window.at;
    for (;;) {
      const quote = window.indexOf(BYTE.quote, from);
      const until = quote < 0 ? window.end : quote;
      const isEscape = backslashesBefore(window.bytes, from, until) % 2 === 1;
      if (quote >= 0) {
        window.at = from = quote + 1;
        if (!isEscape) return;
      } else {
        // A backslash at the end is looked at again together with what it escapes.
        window.at = isEscape ? until - 1 : until;
        if (!window.more()) throw window.fault(begin, FAULT.openString);
        from = window.at;
      }
    }
  }

  #passBrackets(outerDepth: number): void {
    const { window } = this;
    const begin = window.offsetOf(window.at);
    const open = this.#open;
    const maxDepth = MAX_DEPTH - outerDepth;
    let depth = 0;
    let { at, bytes, end } = window;
    for (;;) {
      while (at < end && KIND[bytes[at] ?? 0] === PLAIN) at++;
      if (at >= end) {
        window.at = at;
        if (!window.more()) throw window.fault(begin, FAULT.openBracket);
        ({ at, bytes, end } = window);
        continue;
      }
      const byte = bytes[at++] ?? 0;
      if (byte === BYTE.quote) {
        const limit = Math.min(end, at + SHORT_STRING_BYTES);
        let quote = at;
        while (quote < limit && bytes[quote] !== BYTE.quote) quote++;
        if (quote < limit && bytes[quote - 1] !== BYTE.backslash) {
          at = quote + 1;
        } else {
          window.at = at;
          this.#passRestOfString();
          ({ at, bytes, end } = window);
        }
      } else if (byte === BYTE.lineFeed) {
        this.line++;
      } else if (byte === BYTE.openObject || byte === BYTE.openList) {
        if (++depth > maxDepth) throw window.fault(window.offsetOf(at - 1), FAULT.tooDeep);
        open[depth] = byte;
      } else {
        // The closing bracket has the code of the opening one and 2.
        if (open[depth] !== byte - 2) throw window.fault(window.offsetOf(at - 1), FAULT.otherBracket);
        if (--depth === 0) break;
      }
    }
    window.at = at;
  }
}

// Up to here a loop is faster than a call of Buffer.indexOf.
const SHORT_STRING_BYTES = 24;

const PLAIN = 0;
const KIND = new Uint8Array(256);
for (const byte of [BYTE.quote, BYTE.lineFeed, BYTE.openObject, BYTE.openList, BYTE.closeObject, BYTE.closeList]) {
  KIND[byte] = 1;
}
