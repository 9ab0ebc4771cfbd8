import { uuidFromHex } from "../contract/uuid.ts";
import { hexDigit } from "../text/code-unit.ts";
import { Column } from "./column.ts";

const WORDS = 4;
const FIRST_ROWS = 1 << 10;
// Where the hex digits of a uuid stand in its text.
const DIGITS = Uint8Array.from("00000000-0000-0000-0000-000000000000".matchAll(/0/g), ({ index }) => index);
const DIGITS_OF_WORD = DIGITS.length / WORDS;

const BYTES = Buffer.alloc(4 * WORDS);

/**
 * Which row has which uuid, in 16 bytes for a row and 5 to 11 to find it by: a file of 1 GB has a million of them, for
 * which a Map of texts would take 100 MB.
 */
export class IdTable {
  readonly #ids = new Column(Int32Array);
  /**
   * Rows plus one where the hashes of their ids lead, 0 for a free slot: open addressing, three quarters full at most. The
   * bits that no row needs are those of its hash, so that the ids of other rows, which lie anywhere, are not looked at.
   */
  #slots = new Uint32Array(2 * FIRST_ROWS);
  #count = 0;
  readonly #wanted = new Int32Array(WORDS);
  #wantedId = "";

  /** The row that has this id; undefined when there is none. */
  get(id: string): number | undefined {
    this.#want(id);
    const row = this.#rowIn(this.#slot());
    return row === 0 ? undefined : row - 1;
  }

  /** The next row, counted from 0, has this id, which is not there. */
  add(id: string): void {
    if (4 * (this.#count + 1) > 3 * this.#slots.length) this.#spread();
    this.#want(id);
    for (let word = 0; word < WORDS; word++) this.#ids.set(this.#count * WORDS + word, this.#wanted[word] ?? 0);
    this.#count += 1;
    this.#fill(this.#count);
  }

  /** The id of a row, in lower case. */
  at(row: number): string {
    for (let word = 0; word < WORDS; word++) BYTES.writeInt32BE(this.#ids.get(row * WORDS + word), 4 * word);
    return uuidFromHex(BYTES.toString("hex"));
  }

  get count(): number {
    return this.#count;
  }

  /** Less than 0 when the id of the one row sorts before that of the other, which may be of another table. */
  compare(row: number, other: number, table: IdTable = this): number {
    for (let word = 0; word < WORDS; word++) {
      const difference = (this.#ids.get(row * WORDS + word) >>> 0) - (table.#ids.get(other * WORDS + word) >>> 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #want(id: string): void {
    // A row is looked for, and then added.
    if (id === this.#wantedId) return;
    this.#wantedId = id;
    for (let word = 0, digit = 0; word < WORDS; word++) {
      let bits = 0;
      for (const end = digit + DIGITS_OF_WORD; digit < end; digit++)
        bits = (bits << 4) | hexDigit(id.charCodeAt(DIGITS[digit] ?? 0));
      this.#wanted[word] = bits;
    }
  }

  /** Where the wanted id stands, or the free slot where it belongs. */
  #slot(): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = hashOf(this.#wanted);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const filled = slots[slot] ?? 0;
      if (filled === 0) return slot;
      // Xor is 0 in the bits that are equal.
      if (((filled ^ hash) & ~mask) === 0 && this.#isWanted((filled & mask) - 1)) return slot;
    }
  }

  /** The row in a slot, plus one; 0 in a free one. */
  #rowIn(slot: number): number {
    return (this.#slots[slot] ?? 0) & (this.#slots.length - 1);
  }

  /** Puts the row that has the wanted id, plus one, into its slot. */
  #fill(row: number): void {
    const mask = this.#slots.length - 1;
    this.#slots[this.#slot()] = (hashOf(this.#wanted) & ~mask) | row;
  }

  #isWanted(row: number): boolean {
    const at = row * WORDS;
    for (let word = 0; word < WORDS; word++) if (this.#ids.get(at + word) !== this.#wanted[word]) return false;
    return true;
  }

  #spread(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    this.#wantedId = "";
    for (let row = 0; row < this.#count; row++) {
      for (let word = 0; word < WORDS; word++) this.#wanted[word] = this.#ids.get(row * WORDS + word);
      this.#fill(row + 1);
    }
  }
}

// Any version of a uuid has its random bits elsewhere, and one that counts has most of them equal.
function hashOf(words: Int32Array): number {
  let hash = 0;
  for (const word of words) hash = Math.imul(hash ^ word, 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 16)) >>> 0;
}
