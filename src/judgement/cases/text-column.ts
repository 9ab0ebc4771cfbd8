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
