import { closeSync, openSync, readSync } from "node:fs";
import { formatInstant } from "../contract/instant.ts";
import { removeSpool, SpoolFile } from "../source/spool.ts";
import { RowTimesTable, type RowTimes } from "./row-times.ts";

const BLOCK_BYTES = 1024 * 1024;
const FIRST_ROWS = 1024;

/**
 * The rows of an experiment in a file, as they will be sent but for their times, which are known only when all rows
 * have been seen. In memory each row takes its length and its times.
 */
export class RowSpool {
  readonly times = new RowTimesTable();
  readonly #file: SpoolFile;
  #lengths = new Uint32Array(FIRST_ROWS);
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #filled = 0;

  /** Throws SpoolError when nothing can be written in `directory`. */
  constructor(directory: string) {
    this.#file = new SpoolFile(directory, "rows.json");
  }

  get count(): number {
    return this.times.count;
  }

  /** Adds a row: the members of its JSON object, at least one, without braces and without its times. */
  add(members: string, times: RowTimes): void {
    const { count } = this;
    if (count === this.#lengths.length) {
      this.#lengths = new Uint32Array(this.#lengths.buffer.transfer(2 * this.#lengths.byteLength));
    }
    this.#lengths[count] = this.#write(`{${members}`);
    this.times.add(times);
  }

  /** All rows are there. */
  close(): void {
    this.#flush();
    this.#file.close();
  }

  /** How many bytes `read` gives for the rows from `first` to before `end`. */
  bytesOf(first: number, end: number): number {
    let bytes = Math.max(0, end - first - 1);
    for (let row = first; row < end; row++) bytes += (this.#lengths[row] ?? 0) + this.#tail(row).length;
    return bytes;
  }

  /** The rows from `first` to before `end` with their times, separated by commas, in blocks of about 1 MiB. */
  *read(first: number, end: number): Generator<Buffer, void, void> {
    const descriptor = openSync(this.#file.path, "r");
    try {
      let offset = 0;
      for (let row = 0; row < first; row++) offset += this.#lengths[row] ?? 0;
      let parts: Buffer[] = [];
      let bytes = 0;
      for (let row = first; row < end; row++) {
        const length = this.#lengths[row] ?? 0;
        const part = Buffer.allocUnsafe(length);
        readAll(descriptor, part, offset);
        offset += length;
        parts.push(...(row === first ? [] : [COMMA]), part, Buffer.from(this.#tail(row)));
        bytes += length;
        if (bytes < BLOCK_BYTES) continue;
        yield Buffer.concat(parts);
        [parts, bytes] = [[], 0];
      }
      if (parts.length > 0) yield Buffer.concat(parts);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the file; may be called twice. */
  async remove(): Promise<void> {
    this.#file.discard();
    await removeSpool(this.#file.path);
  }

  // Only ASCII: its length is its bytes.
  #tail(row: number): string {
    const { start = 0n, end = 0n } = this.times.get(row);
    return `,"start_time":"${formatInstant(start)}","end_time":"${formatInstant(end)}"}`;
  }

  #write(text: string): number {
    // A UTF-16 unit becomes three bytes at most.
    if (text.length * 3 > this.#block.length - this.#filled) this.#flush();
    if (text.length * 3 > this.#block.length) {
      const bytes = Buffer.from(text);
      this.#file.write(bytes);
      return bytes.length;
    }
    const length = this.#block.write(text, this.#filled);
    this.#filled += length;
    return length;
  }

  #flush(): void {
    if (this.#filled > 0) this.#file.write(this.#block.subarray(0, this.#filled));
    this.#filled = 0;
  }
}

const COMMA = Buffer.from(",");

function readAll(descriptor: number, into: Buffer, offset: number): void {
  for (let at = 0; at < into.length;) {
    const count = readSync(descriptor, into, at, into.length - at, offset + at);
    if (count === 0) throw new Error("The spool file of the rows was cut.");
    at += count;
  }
}
