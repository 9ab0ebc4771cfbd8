const WORDS = 4;
const FIRST_SLOTS = 1 << 10;
// Where the hex digits of a uuid stand in its text, four times eight of them.
const DIGITS = [
  [0, 1, 2, 3, 4, 5, 6, 7],
  [9, 10, 11, 12, 14, 15, 16, 17],
  [19, 20, 21, 22, 24, 25, 26, 27],
  [28, 29, 30, 31, 32, 33, 34, 35],
] as const;

/**
 * Which row has which uuid, in 40 bytes for a row: a file of 1 GB has a million of them, for which a Map of texts would
 * take 100 MB. Open addressing.
 */
export class IdTable {
  #ids = new Int32Array(FIRST_SLOTS * WORDS);
  /** The number of a row plus one; 0 for a free slot. */
  #rows = new Uint32Array(FIRST_SLOTS);
  #size = 0;
  /** The id that is looked for. */
  readonly #wanted = new Int32Array(WORDS);

  /** The row that has this id; undefined when there is none. */
  get(id: string): number | undefined {
    this.#want(id);
    const row = this.#rows[this.#slot()] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  /** Adds an id that is not there. */
  add(id: string, row: number): void {
    if (2 * (this.#size + 1) > this.#rows.length) this.#grow();
    this.#want(id);
    this.#put(row + 1);
    this.#size += 1;
  }

  #want(id: string): void {
    for (let word = 0; word < WORDS; word++) {
      let bits = 0;
      for (const at of DIGITS[word] ?? []) bits = (bits << 4) | valueOf(id.charCodeAt(at));
      this.#wanted[word] = bits;
    }
  }

  #put(row: number): void {
    const slot = this.#slot();
    this.#ids.set(this.#wanted, slot * WORDS);
    this.#rows[slot] = row;
  }

  /** Where the wanted id stands, or the free slot where it belongs. */
  #slot(): number {
    const mask = this.#rows.length - 1;
    let slot = hashOf(this.#wanted) & mask;
    while (this.#rows[slot] !== 0 && !this.#isWanted(slot * WORDS)) slot = (slot + 1) & mask;
    return slot;
  }

  #isWanted(at: number): boolean {
    for (let word = 0; word < WORDS; word++) if (this.#ids[at + word] !== this.#wanted[word]) return false;
    return true;
  }

  #grow(): void {
    const [ids, rows] = [this.#ids, this.#rows];
    this.#ids = new Int32Array(2 * ids.length);
    this.#rows = new Uint32Array(2 * rows.length);
    for (let slot = 0; slot < rows.length; slot++) {
      const row = rows[slot] ?? 0;
      if (row === 0) continue;
      this.#wanted.set(ids.subarray(slot * WORDS, (slot + 1) * WORDS));
      this.#put(row);
    }
  }
}

// Any version of a uuid has its random bits elsewhere, and one that counts has most of them equal.
function hashOf(words: Int32Array): number {
  let hash = 0;
  for (const word of words) hash = Math.imul(hash ^ word, 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The value of a hex digit in either case. */
function valueOf(code: number): number {
  return (code & 0x0f) + 9 * (code >> 6);
}
