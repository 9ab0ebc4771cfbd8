import { isAsciiLetter, keyOf, LEAST_VALUE, letterBytes, lettersOf, lowerCase, RUN, runsOf } from "./echo-letters.ts";

// A number or an order, within a longer text.
const LEAST_WORD = 4;
const FACTOR = 0x01_00_01_93;
// What leaves a window is multiplied so many times.
const LEAVING = Array.from({ length: RUN }).reduce<number>((power) => Math.imul(power, FACTOR), 1);
const [QUOTE, BACKSLASH, COLON, LETTER_U] = [0x22, 0x5c, 0x3a, 0x75];

/** A string before a colon is a key; everything else is a value. */
export type SentAs = "key" | "value";

/** Learns what is found: the runs that are still looked for, and each short value. */
export interface SentListener {
  readonly isOpen: (hash: number) => boolean;
  readonly onRun: (run: string, hash: number, as: SentAs) => void;
  /** True for a value that is looked for. */
  readonly isAsked: (value: string) => boolean;
  readonly onValue: (value: string, as: SentAs) => void;
}

/** Reads JSON, or parts with JSON, byte by byte: its letters in their order, its values, and its words with a digit. */
export class SentReader {
  readonly #listener: SentListener;
  readonly #fields: ReadonlySet<string>;
  readonly #shortFields: ReadonlySet<string>;
  readonly #window = new Uint8Array(RUN);
  #count = 0;
  #hash = 0;
  #isInString = false;
  /** How many bytes of an escape, or of a character beyond the first plane, still come. */
  #escape: "begin" | "none" | "unit" = "none";
  #unit = "";
  #beyond = 0;
  readonly #value = new ShortText();
  readonly #word = new ShortText();
  #wordHasDigit = false;
  /** The runs of the string, its words with a digit that are looked for, and true when it has ended: it is a key if a colon follows. */
  readonly #runs = new Map<number, string>();
  readonly #words = new Set<string>();
  #hasEnded = false;
  /** True for a string of small letters alone. As a key, it is a word that anybody may say. */
  #isPlain = true;

  /** `fields`: keys with these runs are names of the API. */
  constructor(fields: readonly string[], listener: SentListener) {
    this.#listener = listener;
    const letters = fields.map((field) => lettersOf(field, []));
    this.#fields = new Set(letters.flatMap((each) => runsOf(each).map(({ from, to }) => keyOf(each, from, to))));
    this.#shortFields = new Set(letters.map((each) => keyOf(each, 0, each.bytes.length)));
  }

  read(bytes: Uint8Array): void {
    for (const byte of bytes) this.#byte(byte);
  }

  end(): void {
    this.#endString(false);
  }

  #byte(byte: number): void {
    if (this.#isInString) {
      this.#inString(byte);
      return;
    }
    if (this.#hasEnded) {
      if (byte <= 0x20) return;
      this.#endString(byte === COLON);
    }
    const isLetter = isAsciiLetter(byte);
    if (isLetter) this.#letter(lowerCase(byte));
    else if (byte !== 0x2e && byte !== 0x2d && byte !== 0x2b) this.#endNumber();
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#clear();
    }
  }

  #endString(isKey: boolean): void {
    this.#hasEnded = false;
    for (const [hash, run] of this.#runs) {
      if (!isKey || !this.#fields.has(run)) this.#listener.onRun(run, hash, isKey ? "key" : "value");
    }
    for (const word of this.#words) this.#listener.onValue(word, isKey ? "key" : "value");
    if (!isKey) this.#report(this.#value);
    else if (!this.#isPlain && !this.#shortFields.has(this.#value.text ?? "")) this.#report(this.#value, "key");
    this.#clear();
  }

  /** What follows does not continue what came before. */
  #clear(): void {
    this.#runs.clear();
    this.#words.clear();
    this.#value.clear();
    this.#count = this.#hash = 0;
    this.#isPlain = true;
  }

  #inString(byte: number): void {
    if (byte !== QUOTE && !(byte >= 0x61 && byte <= 0x7a)) this.#isPlain = false;
    if (this.#escape === "unit") {
      this.#unit += String.fromCharCode(byte);
      if (this.#unit.length < 4) return;
      for (const letter of letterBytes(String.fromCharCode(parseInt(this.#unit, 16) || 0))) this.#letter(letter);
      this.#escape = "none";
    } else if (this.#escape === "begin") {
      this.#unit = "";
      this.#escape = byte === LETTER_U ? "unit" : "none";
      if (this.#escape === "none") this.#endWord();
    } else if (byte === BACKSLASH) this.#escape = "begin";
    else if (byte === QUOTE) {
      this.#endWord();
      this.#isInString = false;
      this.#hasEnded = true;
    } else if (this.#beyond > 0) this.#beyond -= 1;
    else if (byte >= 0xf0) this.#beyond = 3;
    else if (byte >= 0x80 || isAsciiLetter(byte)) this.#letter(lowerCase(byte));
    else if (!(byte === 0x2e || byte === 0x2d || byte === 0x5f || byte === 0x40)) this.#endWord();
  }

  #letter(byte: number): void {
    const slot = this.#count % RUN;
    const leaving = this.#count >= RUN ? (this.#window[slot] ?? 0) : 0;
    this.#window[slot] = byte;
    this.#hash = (Math.imul(this.#hash, FACTOR) + byte - Math.imul(leaving, LEAVING)) | 0;
    this.#count += 1;
    if (this.#count >= RUN && this.#listener.isOpen(this.#hash) && !this.#runs.has(this.#hash)) {
      const first = this.#count % RUN;
      const run = [...this.#window.subarray(first), ...this.#window.subarray(0, first)];
      this.#runs.set(this.#hash, String.fromCharCode(...run));
    }
    this.#value.add(byte);
    this.#word.add(byte);
    if (byte >= 0x30 && byte <= 0x39) this.#wordHasDigit = true;
  }

  #endWord(): void {
    const { text } = this.#word;
    if (this.#wordHasDigit && this.#word.length >= LEAST_WORD && text !== undefined && this.#listener.isAsked(text)) {
      this.#words.add(text);
    }
    this.#wordHasDigit = false;
    this.#word.clear();
  }

  /** Outside of strings there are numbers, and words such as `true`, which are no secret. */
  #endNumber(): void {
    if (this.#wordHasDigit) this.#report(this.#word);
    this.#wordHasDigit = false;
    this.#word.clear();
    if (this.#runs.size > 0) this.#endString(false);
    else this.#clear();
  }

  #report(short: ShortText, as: SentAs = "value"): void {
    if (short.text !== undefined) this.#listener.onValue(short.text, as);
  }
}

/** The letters of a value; of a long one only that it is long. */
class ShortText {
  readonly #bytes = new Uint8Array(RUN);
  length = 0;

  add(byte: number): void {
    if (this.length < RUN) this.#bytes[this.length] = byte;
    this.length += 1;
  }

  clear(): void {
    this.length = 0;
  }

  /** Undefined where it is too short or too long to be looked for. */
  get text(): string | undefined {
    if (this.length < LEAST_VALUE || this.length >= RUN) return undefined;
    return String.fromCharCode(...this.#bytes.subarray(0, this.length));
  }
}

export function hashOf(bytes: readonly number[]): number {
  let hash = 0;
  for (const byte of bytes) hash = (Math.imul(hash, FACTOR) + byte) | 0;
  return hash;
}
