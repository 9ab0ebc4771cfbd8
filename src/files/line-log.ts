import { closeSync, fstatSync, mkdirSync, openSync, readSync, truncateSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const BLOCK_BYTES = 1024 * 1024;

export interface LinePlace {
  readonly offset: number;
  readonly bytes: number;
}

/**
 * A file that only grows, line by line, so that a process that is killed leaves whole lines and half of one at most. It is
 * made where there is none, with the directories above it. Every method throws the error of the file system.
 */
export class LineLog implements Disposable {
  readonly #path: string;
  readonly #descriptor: number;
  #end: number;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#descriptor = openSync(path, "a+");
    this.#end = fstatSync(this.#descriptor).size;
  }

  /** How much there is, with the half of a line. */
  get bytes(): number {
    return this.#end;
  }

  /** The whole lines, from the first. */
  *lines(): Generator<LinePlace & { readonly text: string }, void, undefined> {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    let rest = Buffer.alloc(0);
    let offset = 0;
    for (let at = 0, count = -1; count !== 0; at += count) {
      count = readSync(this.#descriptor, block, 0, block.length, at);
      // Cut as bytes: half of a character may be there, too.
      rest = Buffer.concat([rest, block.subarray(0, count)]);
      for (let bytes = rest.indexOf("\n"); bytes >= 0; bytes = rest.indexOf("\n")) {
        yield { offset, bytes, text: rest.toString("utf8", 0, bytes) };
        offset += bytes + 1;
        rest = rest.subarray(bytes + 1);
      }
    }
  }

  /** Drops all from there on. */
  cut(offset: number): void {
    if (offset >= this.#end) return;
    // By its path: Windows shortens no file through a handle that only appends.
    truncateSync(this.#path, offset);
    this.#end = offset;
  }

  /** Adds a line; its text has no end of a line. */
  append(text: string): LinePlace {
    const line = Buffer.from(`${text}\n`);
    const place = { offset: this.#end, bytes: line.length - 1 };
    for (let at = 0; at < line.length;) at += writeSync(this.#descriptor, line, at);
    this.#end += line.length;
    return place;
  }

  read({ offset, bytes }: LinePlace): string {
    const line = Buffer.allocUnsafe(bytes);
    // Less, where another process cut the file.
    const count = readSync(this.#descriptor, line, 0, bytes, offset);
    return line.toString("utf8", 0, count);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
