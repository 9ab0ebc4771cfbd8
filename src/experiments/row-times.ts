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
    const [start, end, latency] = this.#columns.subarray(3 * row, 3 * row + 3);
    return { start: known(start), end: known(end), latency: known(latency) };
  }

  set(row: number, { start, end, latency }: RowTimes): void {
    this.#columns.set([start ?? NONE, end ?? NONE, latency ?? NONE], 3 * row);
  }
}

function known(value: bigint | undefined): bigint | undefined {
  return value === NONE ? undefined : value;
}
