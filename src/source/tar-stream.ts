import { closeSync, readSync } from "node:fs";
import type { SourceEntry } from "./entry.ts";
import { SourceChangedError } from "./errors.ts";
import { printable } from "./name-list.ts";
import { openEntry, readFailure } from "./open-entry.ts";
import { roundUp, TAR_BLOCK_BYTES, tarHeader } from "./tar-header.ts";

// The gzip stage compresses each as one block: smaller ones compress worse, larger ones hardly better.
const STREAM_BLOCK_BYTES = 512 * 1024;

const END_OF_ARCHIVE = Buffer.alloc(2 * TAR_BLOCK_BYTES);
const ZEROS = Buffer.alloc(TAR_BLOCK_BYTES);

/**
 * The tar stream of a tree in buffers of 512 KiB, the last one shorter, made as they are asked for. Reading is synchronous, for one
 * buffer at a time: whoever consumes it lets other work in between.
 */
export function* tarStream(root: string, entries: readonly SourceEntry[]): Generator<Buffer, void, void> {
  const cutter = new Cutter();
  for (const entry of entries) {
    yield* cutter.add(tarHeader(entry));
    if (entry.type === "file") yield* readInto(cutter, root, entry);
  }
  yield* cutter.add(END_OF_ARCHIVE);
  yield* cutter.end();
}

function* readInto(cutter: Cutter, root: string, entry: SourceEntry): Generator<Buffer, void, void> {
  const descriptor = openEntry(root, entry);
  try {
    let left = entry.size;
    for (let atEnd = false; !atEnd;) {
      const room = cutter.room();
      // One byte more than there should be, where it fits, tells in the same call that the file did not grow.
      const asked = Math.min(room.length, left + 1);
      const count = read(descriptor, room, asked, entry);
      if (count > left) throw new SourceChangedError(printable(entry.path), "grew");
      if (count === 0 && left > 0) throw new SourceChangedError(printable(entry.path), "shrank");
      left -= count;
      atEnd = left === 0 && count < asked;
      const full = cutter.take(count);
      if (full !== undefined) yield full;
    }
  } finally {
    closeSync(descriptor);
  }
  yield* cutter.add(ZEROS.subarray(0, roundUp(entry.size) - entry.size));
}

function read(descriptor: number, room: Buffer, asked: number, entry: SourceEntry): number {
  try {
    return readSync(descriptor, room, 0, asked, null);
  } catch (error) {
    throw readFailure(entry, error);
  }
}

/** Cuts what is added into blocks. A block is given away whole and never written again. */
class Cutter {
  #block = Buffer.allocUnsafeSlow(STREAM_BLOCK_BYTES);
  #used = 0;

  /** The free end of the current block; never empty. */
  room(): Buffer {
    return this.#block.subarray(this.#used);
  }

  /** Counts bytes that were written into the room; returns the block once it is full. */
  take(count: number): Buffer | undefined {
    this.#used += count;
    if (this.#used < this.#block.length) return undefined;
    const full = this.#block;
    this.#block = Buffer.allocUnsafeSlow(STREAM_BLOCK_BYTES);
    this.#used = 0;
    return full;
  }

  *add(bytes: Buffer): Generator<Buffer, void, void> {
    for (let at = 0; at < bytes.length;) {
      const count = bytes.copy(this.room(), 0, at);
      at += count;
      const full = this.take(count);
      if (full !== undefined) yield full;
    }
  }

  *end(): Generator<Buffer, void, void> {
    if (this.#used > 0) yield this.#block.subarray(0, this.#used);
  }
}
