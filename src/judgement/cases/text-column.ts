import { Column } from "../../files/column.ts";

const CHUNK_BYTES = 256 * 1024;
const FIRST_TEXTS = 1 << 10;
// Where a text stands: its chunk, where in it, and how long it is.
const WORDS = 3;

/** Many texts in a few buffers: as strings of their own they would take three times as much. */
export class TextColumn {
  readonly #chunks: Buffer[] = [];
  #filled = CHUNK_BYTES;
  #places = new Uint32Array(FIRST_TEXTS * WORDS);
  #count = 0;

  /** Adds a text and returns its number. Halves of surrogate pairs become U+FFFD. */
  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    const chunk = this.#chunkFor(bytes);
    if ((this.#count + 1) * WORDS > this.#places.length) {
      const length = Math.ceil(1.25 * (this.#count + 1)) * WORDS;
      this.#places = new Uint32Array(this.#places.buffer.transfer(length * this.#places.BYTES_PER_ELEMENT));
    }
    this.#places.set([chunk, this.#filled, bytes], this.#count * WORDS);
    this.#chunks[chunk]?.write(text, this.#filled);
    this.#filled += bytes;
    return this.#count++;
  }

  get(text: number): string {
    const [chunk = 0, start = 0, bytes = 0] = this.#places.subarray(text * WORDS, (text + 1) * WORDS);
    return this.#chunks[chunk]?.toString("utf8", start, start + bytes) ?? "";
  }

  /** The chunk that has room for so many bytes: the last one, or a new one. */
  #chunkFor(bytes: number): number {
    if (this.#filled + bytes > CHUNK_BYTES || this.#chunks.length === 0) {
      this.#chunks.push(Buffer.allocUnsafeSlow(Math.max(bytes, CHUNK_BYTES)));
      this.#filled = 0;
    }
    return this.#chunks.length - 1;
  }
}

/** Texts of some rows: the number of a text and 1, or 0 for none. */
export class Texts {
  readonly #numbers = new Column((rows) => new Int32Array(rows));
  readonly #texts: TextColumn;

  constructor(texts: TextColumn) {
    this.#texts = texts;
  }

  get(row: number): string | undefined {
    const number = this.#numbers.get(row);
    return number === 0 ? undefined : this.#texts.get(number - 1);
  }

  set(row: number, text: string): void {
    this.#numbers.set(row, this.#texts.add(text) + 1);
  }

  /** Keeps the text that sorts first, so that the order of rows does not show. */
  setLeast(row: number, text: string): void {
    const kept = this.get(row);
    if (kept === undefined || text < kept) this.set(row, text);
  }
}
