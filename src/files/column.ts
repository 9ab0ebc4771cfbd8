const FIRST_ROWS = 1 << 10;

/** Numbers in a row of memory. */
export type Cells = Float64Array | Int32Array | Uint8Array | Uint16Array;

/** A number for each row of a table, in as few bytes as its kind takes: objects would take ten times as many. */
export class Column {
  readonly #make: (rows: number) => Cells;
  #cells: Cells;

  /** `make` gives cells that are 0. */
  constructor(make: (rows: number) => Cells) {
    this.#make = make;
    this.#cells = make(FIRST_ROWS);
  }

  /** 0 for what was never set. */
  get(row: number): number {
    return this.#cells[row] ?? 0;
  }

  set(row: number, value: number): void {
    if (row >= this.#cells.length) {
      const cells = this.#make(Math.max(row + 1, grown(this.#cells.length)));
      cells.set(this.#cells);
      this.#cells = cells;
    }
    this.#cells[row] = value;
  }
}

/** How many rows a table has room for that was full with so many: a quarter more, since what is free is taken as well. */
export function grown(rows: number): number {
  return Math.ceil(1.25 * rows);
}
