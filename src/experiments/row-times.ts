import { grown } from "./growth.ts";

/** When a row ran, as far as its file says, microseconds since the epoch; the latency in microseconds too. */
export interface RowTimes {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
  /** Only where start or end is not known. */
  readonly latency: bigint | undefined;
}

const FIRST_ROWS = 1024;
// Which times are known.
const START = 1;
const END = 2;
const LATENCY = 4;

/** Times of many rows, in 17 bytes for a row. */
export class RowTimesTable {
  /** Two numbers for a row: start and end, and the latency in the place of one that is not known. */
  #times = new BigInt64Array(2 * FIRST_ROWS);
  #known = new Uint8Array(FIRST_ROWS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(times: RowTimes): void {
    if (this.#count === this.#known.length) {
      const rows = grown(this.#count);
      this.#times = new BigInt64Array(this.#times.buffer.transfer(2 * rows * this.#times.BYTES_PER_ELEMENT));
      this.#known = new Uint8Array(this.#known.buffer.transfer(rows));
    }
    this.#count += 1;
    this.set(this.#count - 1, times);
  }

  get(row: number): RowTimes {
    const known = this.#known[row] ?? 0;
    const [first, second] = [this.#times[2 * row], this.#times[2 * row + 1]];
    const latency = (known & START) === 0 ? first : second;
    return {
      start: (known & START) === 0 ? undefined : first,
      end: (known & END) === 0 ? undefined : second,
      latency: (known & LATENCY) === 0 ? undefined : latency,
    };
  }

  set(row: number, { start, end, latency }: RowTimes): void {
    const isWhole = start !== undefined && end !== undefined;
    this.#known[row] =
      (start === undefined ? 0 : START) |
      (end === undefined ? 0 : END) |
      (latency === undefined || isWhole ? 0 : LATENCY);
    this.#times[2 * row] = start ?? latency ?? 0n;
    this.#times[2 * row + 1] = end ?? latency ?? 0n;
  }
}
