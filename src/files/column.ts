const SHIFT = 10;
/** How many rows are made room for at once. */
export const CHUNK_ROWS = 1 << SHIFT;
const MASK = CHUNK_ROWS - 1;

type Numbers = Float64Array | Int32Array | Uint8Array | Uint16Array;

type NumbersKind = new (length: number) => Numbers;

/**
 * A number for each row of a table, in as few bytes as its kind takes: objects would take ten times as many. It grows by
 * chunks that stay where they are: one buffer that moves as it grows leaves holes that nothing else fits into.
 */
export class Column {
  readonly #kind: NumbersKind;
  readonly #chunks: Numbers[] = [];
  readonly #unset: number;

  constructor(kind: NumbersKind, unset = 0) {
    this.#kind = kind;
    this.#unset = unset;
  }

  /** 0, or what the column was made with, for what was never set. */
  get(row: number): number {
    return this.#chunks[row >>> SHIFT]?.[row & MASK] ?? this.#unset;
  }

  set(row: number, value: number): void {
    const chunk = this.#chunks[row >>> SHIFT] ?? this.#reach(row >>> SHIFT);
    chunk[row & MASK] = value;
  }

  #reach(last: number): Numbers {
    let chunk;
    do {
      chunk = new this.#kind(CHUNK_ROWS).fill(this.#unset);
      this.#chunks.push(chunk);
    } while (this.#chunks.length <= last);
    return chunk;
  }
}
