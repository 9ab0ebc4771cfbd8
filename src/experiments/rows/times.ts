import { openSpool, type Spool } from "../../files/spool.ts";

/** When a row ran, as far as its file says, microseconds since the epoch; the latency in microseconds too. */
export interface RowTimes {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
  /** Only where start or end is not known. */
  readonly latency: bigint | undefined;
}

// What a row takes: its start and its end, the latency in the place of one that is not known, and which are known.
const COLUMNS = 3;
const PAGE_ROWS = 1 << 11;
const START = 1n;
const END = 2n;
const LATENCY = 4n;

/** Times of many rows, one page in memory and the others on disk: fast for a walk in order. */
export class RowTimesTable {
  readonly #directory: string | undefined;
  /** Made when there is more than one page. */
  #file?: Spool;
  #page = new BigInt64Array(COLUMNS * PAGE_ROWS);
  /** Which page it is, from 0. */
  #number = 0;
  #isChanged = false;
  #count = 0;

  /** `directory` exists; without one all pages stay in memory. */
  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  get count(): number {
    return this.#count;
  }

  /** Throws SpoolError when the disk takes no more. */
  add(times: RowTimes): void {
    this.#count += 1;
    this.set(this.#count - 1, times);
  }

  get(row: number): RowTimes {
    const at = this.#turnTo(row);
    const [first, second, known = 0n] = [this.#page[at], this.#page[at + 1], this.#page[at + 2]];
    const latency = (known & START) === 0n ? first : second;
    return {
      start: (known & START) === 0n ? undefined : first,
      end: (known & END) === 0n ? undefined : second,
      latency: (known & LATENCY) === 0n ? undefined : latency,
    };
  }

  set(row: number, { start, end, latency }: RowTimes): void {
    const at = this.#turnTo(row);
    const isWhole = start !== undefined && end !== undefined;
    this.#page[at] = start ?? latency ?? 0n;
    this.#page[at + 1] = end ?? latency ?? 0n;
    this.#page[at + 2] =
      (start === undefined ? 0n : START) |
      (end === undefined ? 0n : END) |
      (latency === undefined || isWhole ? 0n : LATENCY);
    this.#isChanged = true;
  }

  /** Removes the file; may be called twice. */
  discard(): void {
    this.#file?.discard();
  }

  /** Where the row stands in the page, which is read if it is another one. */
  #turnTo(row: number): number {
    const number = Math.floor(row / PAGE_ROWS);
    if (number !== this.#number) {
      this.#file ??= openSpool(this.#directory, "times");
      if (this.#isChanged) this.#file.writeAt(this.#bytes(), this.#number * this.#page.byteLength);
      // A page that was never written is not read either: each of its rows is set before it is read.
      this.#file.readAt(this.#bytes(), number * this.#page.byteLength);
      this.#number = number;
      this.#isChanged = false;
    }
    return COLUMNS * (row % PAGE_ROWS);
  }

  #bytes(): Buffer {
    return Buffer.from(this.#page.buffer);
  }
}

/** How many rows have a latency, and the least milliseconds that 50 % and 95 % of them do not exceed. */
export function latenciesOf(times: RowTimesTable) {
  const known = new Float64Array(times.count);
  let n = 0;
  for (let row = 0; row < times.count; row++) {
    const { start, end, latency } = times.get(row);
    const microseconds = start !== undefined && end !== undefined ? end - start : latency;
    if (microseconds !== undefined) known[n++] = Number(microseconds) / 1000;
  }
  if (n === 0) return undefined;
  const sorted = known.subarray(0, n).sort();
  const percentile = (share: number) => sorted[Math.max(0, Math.ceil(share * n) - 1)] ?? 0;
  return { n, p50: percentile(0.5), p95: percentile(0.95) };
}
