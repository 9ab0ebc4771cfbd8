import { closeSync, openSync, readSync } from "node:fs";
import { formatInstant, instantLength } from "../../contract/instant.ts";
import { Column } from "../../files/column.ts";
import { openSpool, removeSpool, type Spool } from "../../files/spool.ts";
import { MOST_BYTES_OF_UNIT } from "../../text/code-unit.ts";
import { RowTimesTable, type RowTimes } from "../rows/times.ts";

const BLOCK_BYTES = 512 * 1024;
// With the times that are added to its rows.
const LARGEST_BLOCK_BYTES = 2 * BLOCK_BYTES;
const ROWS_OF_START = 1024;
// The highest bit of a length: no row has 2 GiB.
const WHOLE = 0x8000_0000;
// A row that is not whole ends with its times, which are known when all rows are.
const TAIL = [`,"start_time":"`, `","end_time":"`, `"},`] as const;
const TAIL_BYTES = TAIL.join("").length;
const MOST_BYTES_OF_TIMES = TAIL_BYTES + 2 * "1970-01-01T00:00:00.000000Z".length;
const COMMA = Buffer.from(",");
const BRACE = Buffer.from("}");

/** Rows from `first` to before `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The rows of an experiment in a file, as they will be sent: whole ones, and others without their times, which may be
 * known only when all rows have been seen. In memory each row takes 4 bytes.
 */
export class RowSpool {
  readonly times: RowTimesTable;
  readonly #file: Spool;
  /** How many bytes each row has in the file, a whole one with its comma, and whether it is whole. */
  readonly #lengths = new Column(Int32Array);
  /** Where every thousandth row begins in the file. */
  readonly #starts: number[] = [];
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #filled = 0;
  /** Where the last row ends in the file. */
  #end = 0;

  /** Without a directory the rows stay in memory. Throws SpoolError when nothing can be written in `directory`. */
  constructor(directory: string | undefined) {
    this.#file = openSpool(directory, "rows.json");
    this.times = new RowTimesTable(directory);
  }

  get count(): number {
    return this.times.count;
  }

  /** Adds a row: the members of its JSON object, at least one, without braces and without its times. */
  add(members: string, times: RowTimes): void {
    this.#write(`{${members}`);
    this.#finish(times, { isWhole: false });
  }

  /** Adds a row that holds its times: its JSON object. */
  addWhole(bytes: Buffer, times: RowTimes): void {
    this.#append(bytes);
    this.#append(COMMA);
    this.#finish(times, { isWhole: true });
  }

  /** The JSON object of a row, without its times unless it is whole. */
  rowBytes(row: number): Buffer {
    this.#flush();
    const start = this.#startOf(row);
    const bytes = Buffer.allocUnsafe(this.#lengthOf(row));
    this.#file.readAt(bytes, start);
    return this.#isWhole(row) ? bytes.subarray(0, -COMMA.length) : Buffer.concat([bytes, BRACE]);
  }

  close(): void {
    this.#flush();
    this.#block = Buffer.alloc(0);
    this.#file.close();
  }

  /** How many bytes `read` gives. */
  bytesOf({ first, end }: RowRange): number {
    return first === end ? 0 : this.#completeBytes(first, end) - COMMA.length;
  }

  /**
   * The rows, separated by commas, in blocks of about 512 KiB; a block is good until three others have been read.
   */
  *read({ first, end }: RowRange): Generator<Buffer, void, void> {
    const { path } = this.#file;
    if (path === undefined) throw new TypeError("Rows in memory are not sent.");
    const descriptor = openSync(path, "r");
    const most = this.#startOf(end) - this.#startOf(first) + (end - first) * MOST_BYTES_OF_TIMES;
    const ring = new BlockRing(Math.min(LARGEST_BLOCK_BYTES, most));
    try {
      for (let row = first, next; row < end; row = next) {
        next = this.#endOfBatch(row, end);
        const start = this.#startOf(row);
        const stored = this.#startOf(next) - start;
        const complete = ring.take(this.#completeBytes(row, next));
        // What is completed lies at the end of the block until its rows are moved to their places.
        const rest = complete.subarray(complete.length - stored);
        readAll(descriptor, rest, start);
        if (stored < complete.length) this.#complete(complete, rest, { first: row, end: next });
        yield next === end ? complete.subarray(0, -COMMA.length) : complete;
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** The rows as they are stored, without times that are made up, in blocks; each is good until the next one. */
  *stored({ first, end }: RowRange): Generator<Buffer, void, void> {
    const { path } = this.#file;
    if (path === undefined) throw new TypeError("Rows in memory are not sent.");
    const descriptor = openSync(path, "r");
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    try {
      const last = this.#startOf(end);
      for (let at = this.#startOf(first); at < last; at += block.length) {
        const part = block.subarray(0, Math.min(block.length, last - at));
        readAll(descriptor, part, at);
        yield part;
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the file; may be called twice. */
  async remove(): Promise<void> {
    this.times.discard();
    this.#file.discard();
    if (this.#file.path !== undefined) await removeSpool(this.#file.path);
  }

  #startOf(row: number): number {
    const mark = Math.min(Math.floor(row / ROWS_OF_START), this.#starts.length - 1);
    let start = this.#starts[mark] ?? 0;
    for (let before = mark * ROWS_OF_START; before < row; before++) start += this.#lengthOf(before);
    return start;
  }

  #lengthOf(row: number): number {
    return this.#lengths.get(row) & ~WHOLE;
  }

  #isWhole(row: number): boolean {
    return (this.#lengths.get(row) & WHOLE) !== 0;
  }

  /** As many rows from `first` on as fit into a block, and at least one. */
  #endOfBatch(first: number, end: number): number {
    let next = first + 1;
    let bytes = this.#lengthOf(first);
    for (; next < end && bytes + this.#lengthOf(next) <= BLOCK_BYTES; next++) bytes += this.#lengthOf(next);
    return next;
  }

  /** How long rows are with their times, each with its comma. */
  #completeBytes(first: number, end: number): number {
    let bytes = this.#startOf(end) - this.#startOf(first);
    for (let row = first; row < end; row++) {
      if (this.#isWhole(row)) continue;
      const { start = 0n, end: last = 0n } = this.times.get(row);
      bytes += TAIL_BYTES + instantLength(start) + instantLength(last);
    }
    return bytes;
  }

  /** Moves rows from the rest of a block to its beginning, each with its times: no row comes before its place. */
  #complete(block: Buffer, rest: Buffer, { first, end }: RowRange): void {
    let at = 0;
    let from = 0;
    for (let row = first; row < end; row++) {
      const length = this.#lengthOf(row);
      at += rest.copy(block, at, from, from + length);
      from += length;
      if (!this.#isWhole(row)) at += block.write(this.#tail(row), at, "latin1");
    }
  }

  #tail(row: number): string {
    const { start = 0n, end = 0n } = this.times.get(row);
    return `${TAIL[0]}${formatInstant(start)}${TAIL[1]}${formatInstant(end)}${TAIL[2]}`;
  }

  #append(bytes: Buffer): void {
    if (bytes.length > this.#block.length - this.#filled) this.#flush();
    if (bytes.length > this.#block.length) this.#file.write(bytes);
    else this.#filled += bytes.copy(this.#block, this.#filled);
  }

  /** Writes straight into the block: a buffer for each row is garbage that gathers. */
  #write(text: string): void {
    // Most texts fit however many bytes their characters take, which to count takes as long as to write them.
    const room = this.#block.length - this.#filled;
    const fits = MOST_BYTES_OF_UNIT * text.length <= room || Buffer.byteLength(text) <= room;
    if (fits) this.#filled += this.#block.write(text, this.#filled);
    else this.#append(Buffer.from(text));
  }

  #finish(times: RowTimes, { isWhole }: { readonly isWhole: boolean }): void {
    const { count } = this;
    const end = this.#file.bytes + this.#filled;
    if (count % ROWS_OF_START === 0) this.#starts.push(this.#end);
    this.#lengths.set(count, (end - this.#end) | (isWhole ? WHOLE : 0));
    this.#end = end;
    this.times.add(times);
  }

  #flush(): void {
    if (this.#filled > 0) this.#file.write(this.#block.subarray(0, this.#filled));
    this.#filled = 0;
  }
}

function readAll(descriptor: number, into: Buffer, offset: number): void {
  for (let at = 0; at < into.length;) {
    const count = readSync(descriptor, into, at, into.length - at, offset + at);
    if (count === 0) throw new Error("The spool file of the rows is truncated.");
    at += count;
  }
}

const BLOCKS = 4;

/**
 * Blocks of memory that are used again, one after the other: fresh ones would be garbage that the engine lets gather to
 * 50 MB while a body is sent. A stream asks for a block when the one before it was taken, and the consumer takes
 * none while the last is being written; so two would do, and there are four.
 */
class BlockRing {
  readonly #blocks: readonly Buffer[];
  #next = 0;

  /** `bytes` is how large a block is. */
  constructor(bytes: number) {
    this.#blocks = Array.from({ length: BLOCKS }, () => Buffer.allocUnsafeSlow(bytes));
  }

  /** So many bytes, good until four others have been asked for; more than a block are good for ever. */
  take(bytes: number): Buffer {
    const block = this.#blocks[this.#next];
    if (!block || bytes > block.length) return Buffer.allocUnsafeSlow(bytes);
    this.#next = (this.#next + 1) % BLOCKS;
    return block.subarray(0, bytes);
  }
}
