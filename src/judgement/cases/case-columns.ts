import { atEnd, knownRange } from "../../statistics/known-range.ts";
import { CHUNK_ROWS, Column } from "../../files/column.ts";
import type { SeenValues } from "./metric-facts.ts";

const CHUNK_BYTES = 256 * 1024;
// Where a text stands: its chunk, where in it, and how long it is.
const WORDS = 3;

/** Many texts in a few buffers: as strings of their own they would take three times as much. */
export class TextColumn {
  readonly #chunks: Buffer[] = [];
  #filled = CHUNK_BYTES;
  readonly #places = new Column(Int32Array);
  #count = 0;

  /** Adds a text and returns its number. Halves of surrogate pairs become U+FFFD. */
  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    if (this.#filled + bytes > CHUNK_BYTES || this.#chunks.length === 0) {
      this.#chunks.push(Buffer.allocUnsafeSlow(Math.max(bytes, CHUNK_BYTES)));
      this.#filled = 0;
    }
    const chunk = this.#chunks.length - 1;
    const at = this.#count * WORDS;
    this.#places.set(at, chunk);
    this.#places.set(at + 1, this.#filled);
    this.#places.set(at + 2, bytes);
    this.#chunks[chunk]?.write(text, this.#filled);
    this.#filled += bytes;
    return this.#count++;
  }

  get(text: number): string {
    const start = this.#places.get(text * WORDS + 1);
    const end = start + this.#places.get(text * WORDS + 2);
    return this.#chunks[this.#places.get(text * WORDS)]?.toString("utf8", start, end) ?? "";
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
  readonly #chunks: Buffer[] = [];

  /** Rows are set in their order. */
  set(row: number, digest: string): void {
    if (!this.#chunkOf(row)) this.#chunks.push(Buffer.allocUnsafeSlow(CHUNK_ROWS * DIGEST_BYTES));
    this.#chunkOf(row)?.write(digest, startOf(row), DIGEST_BYTES, "hex");
  }

  get(row: number): string {
    const start = startOf(row);
    return this.#chunkOf(row)?.toString("hex", start, start + DIGEST_BYTES) ?? "";
  }

  isEqual(row: number, digests: Digests, other: number): boolean {
    const [ours, theirs] = [this.#chunkOf(row), digests.#chunkOf(other)];
    if (!ours || !theirs) return ours === theirs;
    const [at, from] = [startOf(row), startOf(other)];
    for (let byte = 0; byte < DIGEST_BYTES; byte++) if (ours[at + byte] !== theirs[from + byte]) return false;
    return true;
  }

  #chunkOf(row: number): Buffer | undefined {
    return this.#chunks[Math.floor(row / CHUNK_ROWS)];
  }
}

function startOf(row: number): number {
  return (row % CHUNK_ROWS) * DIGEST_BYTES;
}

/** The values of one metric. */
export class MetricValues {
  #taken = new Column(Float64Array, Number.NaN);

  set(trial: number, value: number): void {
    // JSON writes -0 as 0.
    this.#taken.set(trial, value + 0);
  }

  /** NaN where it is missing. */
  get(trial: number): number {
    return this.#taken.get(trial);
  }

  /** What the values show once all `trials` are set. Shares that rounding brought over an end are set to it: 1.0000001 is 1. */
  settle(trials: number): SeenValues {
    let [least, most, isBinary] = [Infinity, -Infinity, true];
    for (let trial = 0; trial < trials; trial++) {
      const value = this.get(trial);
      if (value < least) least = value;
      if (value > most) most = value;
    }
    const known = knownRange({ least, most });
    const settled = (value: number) => ("high" in known ? atEnd(value, known) + 0 : value);
    for (let trial = 0; trial < trials; trial++) {
      const value = this.get(trial);
      if (Number.isNaN(value)) continue;
      this.#taken.set(trial, settled(value));
      isBinary &&= settled(value) === 0 || settled(value) === 1;
    }
    return { least: settled(least), most: settled(most), isBinary };
  }

  /** The values in the order of these trials, once all are set. They are nowhere else from then on. */
  inOrder(trials: Uint32Array): Float64Array {
    const values = new Float64Array(trials.length);
    for (let place = 0; place < values.length; place++) values[place] = this.get(trials[place] ?? 0);
    this.#taken = new Column(Float64Array, Number.NaN);
    return values;
  }
}
