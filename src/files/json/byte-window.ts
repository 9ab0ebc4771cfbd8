import { isUtf8 } from "node:buffer";
import { bytesText } from "../../text/bytes.ts";
import { lineAt, type ByteSource, type OpenBytes } from "./byte-source.ts";
import { MARK_BYTES, markLength, unicodeRefusal } from "./encoding.ts";
import { DataFileError } from "./errors.ts";
import { FAULT } from "./faults.ts";

/**
 * What of a source is in memory just now. Bytes before `at` are done with; those from `keep` on stay when more is
 * read, or are handed to `spill`, where one is set, when they are done with. Everything that comes in is checked to
 * be text in UTF-8 without NUL. The fields are open because a method call a byte would take half of the time.
 */
export class ByteWindow implements Disposable {
  readonly source: ByteSource;
  /** Good up to `end`; may be another buffer after each `more()`. */
  bytes: Buffer;
  at = 0;
  end = 0;
  keep = 0;
  spill: ((bytes: Buffer) => void) | undefined;
  readonly #opened: OpenBytes;
  readonly #maxKept: number;
  /** Where in the source `bytes` begins. */
  #base = 0;
  /** The bytes between `end` and here are a character whose end is still to come. */
  #filled = 0;
  #isAtEnd = false;

  /** Opens the source; more than `maxKept` bytes that may not be given up are an error. */
  constructor(source: ByteSource, maxKept: number) {
    this.source = source;
    this.#maxKept = maxKept;
    this.bytes = Buffer.allocUnsafe(2 * Math.max(source.blockBytes, MARK_BYTES));
    this.#opened = source.open();
    try {
      this.#begin();
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Where in the source `index` stands. */
  offsetOf(index: number): number {
    return this.#base + index;
  }

  /** Reads on; false at the end of the source. Moves `at`, `keep` and `end`, and may put `bytes` elsewhere. */
  more(): boolean {
    if (this.#isAtEnd) return false;
    if (this.spill) {
      if (this.at > this.keep) this.spill(this.bytes.subarray(this.keep, this.at));
      this.keep = this.at;
    }
    const before = this.offsetOf(this.end);
    let isMore: boolean;
    do {
      this.#makeRoom();
      isMore = this.#fill();
      this.#admit();
    } while (isMore && this.offsetOf(this.end) === before);
    return this.offsetOf(this.end) > before;
  }

  /** The next place of a byte, or -1. */
  indexOf(byte: number, from: number): number {
    const index = this.bytes.indexOf(byte, from);
    // Behind the end are bytes of an earlier block.
    return index < this.end ? index : -1;
  }

  /** From here on the bytes stay, until `release`. */
  hold(): void {
    this.keep = this.at;
    this.spill = undefined;
  }

  /** From here on bytes that are done with go to `spill`, or nowhere. */
  release(spill: (bytes: Buffer) => void = forget): void {
    this.keep = this.at;
    this.spill = spill;
  }

  kept(): Buffer {
    return this.bytes.subarray(this.keep, this.at);
  }

  fault(offset: number, fault: string, advice?: string): DataFileError {
    return new DataFileError({ file: this.source.name, line: lineAt(this.source, offset) }, fault, { advice });
  }

  [Symbol.dispose](): void {
    this.#opened[Symbol.dispose]();
  }

  #begin(): void {
    while (this.#filled < MARK_BYTES && this.#fill());
    const start = this.bytes.subarray(0, this.#filled);
    const refusal = unicodeRefusal(this.source.name, start);
    if (refusal) throw refusal;
    this.at = this.keep = this.end = markLength(start);
    this.#admit();
  }

  #makeRoom(): void {
    const held = this.#filled - this.keep;
    if (held > this.#maxKept) {
      const limit = bytesText(this.#maxKept);
      const advice = "Leave large texts out of the file.";
      throw this.fault(this.offsetOf(this.keep), `one value has more than ${limit}`, advice);
    }
    const { blockBytes } = this.source;
    if (this.bytes.length - this.#filled >= blockBytes) return;
    const isFull = held + blockBytes > this.bytes.length;
    const target = isFull ? Buffer.allocUnsafe(2 * this.bytes.length) : this.bytes;
    this.bytes.copy(target, 0, this.keep, this.#filled);
    this.bytes = target;
    this.#base += this.keep;
    this.#filled = held;
    this.at -= this.keep;
    this.end -= this.keep;
    this.keep = 0;
  }

  #fill(): boolean {
    const count = this.#opened.read(this.bytes.subarray(this.#filled, this.#filled + this.source.blockBytes));
    this.#filled += count;
    this.#isAtEnd = count === 0;
    return count > 0;
  }

  /** Checks what came in, and moves `end` behind it. */
  #admit(): void {
    const until = this.#isAtEnd ? this.#filled : wholeCharacters(this.bytes, this.end, this.#filled);
    const text = this.bytes.subarray(this.end, until);
    const zero = text.indexOf(0);
    const offset = this.offsetOf(this.end);
    if (zero >= 0) throw this.fault(offset + zero, FAULT.zeroByte);
    if (!isUtf8(text)) throw this.fault(offset + startOfBadLine(text), FAULT.notUtf8, "Write the file as UTF-8.");
    this.end = until;
  }
}

function forget(): void {
  // White space, commas and what was only passed are nothing to keep.
}

/** The last place before `end` that is not inside a character. */
function wholeCharacters(bytes: Buffer, from: number, end: number): number {
  for (let at = end - 1; at >= from && at > end - 4; at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) return end;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return at + length > end ? at : end;
  }
  return end;
}

/** Where the first line begins that is not UTF-8. */
export function startOfBadLine(text: Buffer): number {
  for (let from = 0; ;) {
    const end = text.indexOf(0x0a, from);
    if (end < 0 || !isUtf8(text.subarray(from, end))) return from;
    from = end + 1;
  }
}
