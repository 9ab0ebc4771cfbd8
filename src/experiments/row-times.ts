/** When a row ran, as far as its file says, microseconds since the epoch; the latency in microseconds too. */
export interface RowTimes {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
  readonly latency: bigint | undefined;
}

const FIRST_ROWS = 1024;
/** Stands for a time that is not known: no file has this one. */
const NONE = -(2n ** 63n);

/** Numbers of many rows, side by side: 24 bytes for a row. */
export class RowTimesTable {
  #columns = new BigInt64Array(3 * FIRST_ROWS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(times: RowTimes): void {
    if (3 * this.#count === this.#columns.length) {
      this.#columns = new BigInt64Array(this.#columns.buffer.transfer(2 * this.#columns.byteLength));
    }
    this.#count += 1;
    this.set(this.#count - 1, times);
  }

  get(row: number): RowTimes {
    const at = 3 * row;
    return {
      start: known(this.#columns[at]),
      end: known(this.#columns[at + 1]),
      latency: known(this.#columns[at + 2]),
    };
  }

  set(row: number, { start, end, latency }: RowTimes): void {
    const at = 3 * row;
    this.#columns[at] = start ?? NONE;
    this.#columns[at + 1] = end ?? NONE;
    this.#columns[at + 2] = latency ?? NONE;
  }
}

function known(value: bigint | undefined): bigint | undefined {
  return value === NONE ? undefined : value;
}
