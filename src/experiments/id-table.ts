const ID_BYTES = 16;
const FIRST_SLOTS = 1 << 10;

/**
 * Which row has which uuid, in 28 bytes for a row: a file of 1 GB has a million of them, for which a Map of texts would
 * take 100 MB. Open addressing.
 */
export class IdTable {
  #ids = Buffer.alloc(FIRST_SLOTS * ID_BYTES);
  /** The number of a row plus one; 0 for a free slot. */
  #rows = new Uint32Array(FIRST_SLOTS);
  #size = 0;

  /** The row that has this id; undefined when there is none. */
  get(id: string): number | undefined {
    const row = this.#rows[this.#slotOf(toBytes(id))] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  /** Adds an id that is not there. */
  add(id: string, row: number): void {
    if (2 * (this.#size + 1) > this.#rows.length) this.#grow();
    this.#put(toBytes(id), row + 1);
    this.#size += 1;
  }

  #put(id: Buffer, row: number): void {
    const slot = this.#slotOf(id);
    id.copy(this.#ids, slot * ID_BYTES);
    this.#rows[slot] = row;
  }

  /** Where the id stands, or the free slot where it belongs. */
  #slotOf(id: Buffer): number {
    const mask = this.#rows.length - 1;
    for (let slot = hashOf(id) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * ID_BYTES;
      if (this.#rows[slot] === 0 || id.compare(this.#ids, at, at + ID_BYTES) === 0) return slot;
    }
  }

  #grow(): void {
    const [ids, rows] = [this.#ids, this.#rows];
    this.#ids = Buffer.alloc(2 * ids.length);
    this.#rows = new Uint32Array(2 * rows.length);
    rows.forEach((row, slot) => {
      if (row !== 0) this.#put(ids.subarray(slot * ID_BYTES, (slot + 1) * ID_BYTES), row);
    });
  }
}

// Any version of a uuid has its random bits elsewhere, and one that counts has most of them equal.
function hashOf(id: Buffer): number {
  let hash = 0;
  for (let at = 0; at < ID_BYTES; at += 4) hash = Math.imul(hash ^ id.readInt32LE(at), 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function toBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}
