import { Column, grown } from "../../files/column.ts";
import type { SeenValues } from "./metric-facts.ts";

const CHUNK_BYTES = 256 * 1024;
const FIRST_ROWS = 1 << 10;
// Where a text stands: its chunk, where in it, and how long it is.
const WORDS = 3;

/** Many texts in a few buffers: as strings of their own they would take three times as much. */
export class TextColumn {
  readonly #chunks: Buffer[] = [];
  #filled = CHUNK_BYTES;
  #places = new Uint32Array(FIRST_ROWS * WORDS);
  #count = 0;

  /** Adds a text and returns its number. Halves of surrogate pairs become U+FFFD. */
  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    const chunk = this.#chunkFor(bytes);
    if ((this.#count + 1) * WORDS > this.#places.length) {
      const length = grown(this.#count + 1) * WORDS;
      this.#places = new Uint32Array(this.#places.buffer.transfer(length * this.#places.BYTES_PER_ELEMENT));
    }
    const place = this.#count * WORDS;
    this.#places[place] = chunk;
    this.#places[place + 1] = this.#filled;
    this.#places[place + 2] = bytes;
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

const MOST_SHARED = 4096;

/** Texts of some rows: the number of a text and 1, or 0 for none. */
export class Texts {
  readonly #numbers = new Column(Int32Array);
  readonly #texts: TextColumn;
  readonly #shared = new Map<string, number>();

  constructor(texts: TextColumn) {
    this.#texts = texts;
  }

  get(row: number): string | undefined {
    const number = this.#numbers.get(row);
    return number === 0 ? undefined : this.#texts.get(number - 1);
  }

  /** Equal for rows that share a text. */
  numberOf(row: number): number {
    return this.#numbers.get(row);
  }

  set(row: number, text: string): void {
    this.#numbers.set(row, this.#texts.add(text) + 1);
  }

  /** Sets a text that many rows may have: it is kept once, as far as there are not too many such texts. */
  setShared(row: number, text: string): void {
    const known = this.#shared.get(text);
    if (known === undefined) this.set(row, text);
    else this.#numbers.set(row, known);
    if (known === undefined && this.#shared.size < MOST_SHARED) this.#shared.set(text, this.#numbers.get(row));
  }

  /** Keeps the text that sorts first, so that the order of rows does not show. */
  setLeast(row: number, text: string): void {
    const kept = this.get(row);
    if (kept === undefined || text < kept) this.set(row, text);
  }
}

const DIGEST_BYTES = 16;

/** A digest of 32 hex digits for each of some rows. */
export class Digests {
  #buffer = new ArrayBuffer(FIRST_ROWS * DIGEST_BYTES);
  #bytes = Buffer.from(this.#buffer);

  /** Rows are set in their order. */
  set(row: number, digest: string): void {
    const end = (row + 1) * DIGEST_BYTES;
    if (end > this.#bytes.length) {
      this.#buffer = this.#buffer.transfer(grown(row + 1) * DIGEST_BYTES);
      this.#bytes = Buffer.from(this.#buffer);
    }
    this.#bytes.write(digest, end - DIGEST_BYTES, "hex");
  }

  get(row: number): string {
    return this.#bytes.toString("hex", row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES);
  }

  /** True where a row of another table has the same digest. */
  isEqual(row: number, digests: Digests, other: number): boolean {
    const [start, from] = [row * DIGEST_BYTES, other * DIGEST_BYTES];
    return this.#bytes.compare(digests.#bytes, from, from + DIGEST_BYTES, start, start + DIGEST_BYTES) === 0;
  }
}

/** The values of one metric, and what they show of it. */
export class MetricValues implements SeenValues {
  least = Infinity;
  most = -Infinity;
  isBinary = true;
  #cells = new Float64Array(FIRST_ROWS).fill(Number.NaN);

  set(trial: number, given: number): void {
    // JSON writes -0 as 0.
    const value = given + 0;
    if (trial >= this.#cells.length) {
      const { length, BYTES_PER_ELEMENT: bytes } = this.#cells;
      this.#cells = new Float64Array(this.#cells.buffer.transfer(bytes * Math.max(trial + 1, grown(length))));
      this.#cells.fill(Number.NaN, length);
    }
    this.#cells[trial] = value;
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
    this.isBinary &&= value === 0 || value === 1;
  }

  /** NaN where it is missing. */
  get(trial: number): number {
    return this.#cells[trial] ?? Number.NaN;
  }

  /** Gives each trial its place, once all are set: the first is the one that `trials` names first. */
  reorder(trials: Uint32Array): void {
    const cells = new Float64Array(trials.length);
    for (let place = 0; place < cells.length; place++) cells[place] = this.get(trials[place] ?? 0);
    this.#cells = cells;
  }

  get cells(): Float64Array {
    return this.#cells;
  }
}
