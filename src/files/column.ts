const FIRST_ROWS = 1 << 10;

type Numbers = Float64Array | Int32Array | Uint8Array | Uint16Array;

/** A kind of numbers, such as Int32Array. */
interface NumbersKind {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer): Numbers;
}

/** A number for each row of a table, in as few bytes as its kind takes: objects would take ten times as many. */
export class Column {
  readonly #kind: NumbersKind;
  #buffer: ArrayBuffer;
  #cells: Numbers;

  constructor(kind: NumbersKind) {
    this.#kind = kind;
    this.#buffer = new ArrayBuffer(FIRST_ROWS * kind.BYTES_PER_ELEMENT);
    this.#cells = new kind(this.#buffer);
  }

  /** 0 for what was never set. */
  get(row: number): number {
    return this.#cells[row] ?? 0;
  }

  set(row: number, value: number): void {
    if (row >= this.#cells.length) {
      const rows = Math.max(row + 1, grown(this.#cells.length));
      // What is full goes at once, and not when the engine next looks for what nobody holds.
      this.#buffer = this.#buffer.transfer(rows * this.#kind.BYTES_PER_ELEMENT);
      this.#cells = new this.#kind(this.#buffer);
    }
    this.#cells[row] = value;
  }
}

/** How many rows a table has room for that was full with so many: a quarter more, since what is free is taken as well. */
export function grown(rows: number): number {
  return Math.ceil(1.25 * rows);
}
