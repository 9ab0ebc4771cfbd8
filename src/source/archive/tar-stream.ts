import { closeSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { SourceEntry } from "../entry/entry.ts";
import { SourceChangedError } from "../entry/errors.ts";
import { printable } from "../../text/quoted.ts";
import { openEntry, readFailure } from "../entry/open-entry.ts";
import { writeOrdinaryHeader, roundUp, TAR_BLOCK_BYTES, tarHeader } from "./tar-header.ts";

// The gzip stage compresses each as one block: smaller ones compress worse, larger ones hardly better.
const STREAM_BLOCK_BYTES = 512 * 1024;

/** Two blocks of zeros. */
export const END_OF_ARCHIVE = Buffer.alloc(2 * TAR_BLOCK_BYTES);

/** A buffer for one block of the stream. */
export function newBlock(): Buffer {
  return Buffer.allocUnsafeSlow(STREAM_BLOCK_BYTES);
}

/**
 * The tar stream of a tree in blocks of 512 KiB, the last one shorter, made as they are asked for. `nextBlock` gives
 * the buffer of each; one that was yielded before must be done with. Reading is synchronous, for one block at a time:
 * the consumer lets other work in between. `sums` gets the CRC-32 of what each entry holds.
 */
export function* tarStream(
  root: string,
  entries: readonly SourceEntry[],
  nextBlock: () => Buffer = newBlock,
  sums?: Uint32Array,
): Generator<Buffer, void, void> {
  const cutter = new Cutter(nextBlock);
  let index = -1;
  for (const entry of entries) {
    index += 1;
    if (!writeOrdinaryHeader(entry, cutter.block, cutter.used)) yield* cutter.add(tarHeader(entry));
    else if (cutter.take(TAR_BLOCK_BYTES)) yield cutter.cut();
    if (entry.type !== "file") continue;
    let left = entry.size;
    const file = openEntry(root, entry);
    try {
      for (let isRead = false; !isRead;) {
        // One byte more than there should be, where it fits, shows in the same call that the file did not grow.
        const asked = Math.min(cutter.room, left + 1);
        const count = readInto(cutter, file, asked, entry);
        if (count > left) throw new SourceChangedError(printable(entry.path), "grew");
        if (count === 0 && left > 0) throw new SourceChangedError(printable(entry.path), "shrank");
        left -= count;
        isRead = left === 0 && count < asked;
        if (sums) sums[index] = crc32(cutter.block.subarray(cutter.used, cutter.used + count), sums[index]);
        if (cutter.take(count)) yield cutter.cut();
      }
    } finally {
      closeSync(file);
    }
    if (cutter.pad()) yield cutter.cut();
  }
  yield* cutter.add(END_OF_ARCHIVE);
  if (cutter.used > 0) yield cutter.cut();
}

/** Reads behind what is used of the block; returns how many bytes. */
function readInto(cutter: Cutter, file: number, asked: number, entry: SourceEntry): number {
  try {
    return readSync(file, cutter.block, cutter.used, asked, null);
  } catch (error) {
    throw readFailure(entry, error);
  }
}

/** Cuts what is added into blocks. Without generators of its own: the garbage of a call counts for 100,000 files. */
class Cutter {
  /** How much of the block is written. */
  used = 0;
  readonly #nextBlock: () => Buffer;
  #block: Buffer | undefined;

  constructor(nextBlock: () => Buffer) {
    this.#nextBlock = nextBlock;
  }

  /** The block that is being filled. */
  get block(): Buffer {
    return (this.#block ??= this.#nextBlock());
  }

  get room(): number {
    return STREAM_BLOCK_BYTES - this.used;
  }

  /** Counts bytes that were written behind the used ones; true when the block is full and must be given away. */
  take(count: number): boolean {
    this.used += count;
    return this.room === 0;
  }

  /** Gives the block away, as far as it is used. */
  cut(): Buffer {
    const full = this.room === 0 ? this.block : this.block.subarray(0, this.used);
    this.#block = undefined;
    this.used = 0;
    return full;
  }

  /** Zeros up to the end of a block of tar, which is never behind the end of this one; true as with `take`. */
  pad(): boolean {
    const end = roundUp(this.used);
    // Buffer's own fill is slow for so few bytes.
    if (end > this.used) Uint8Array.prototype.fill.call(this.block, 0, this.used, end);
    return end > this.used && this.take(end - this.used);
  }

  *add(bytes: Buffer): Generator<Buffer, void, void> {
    for (let at = 0; at < bytes.length;) {
      const count = bytes.copy(this.block, this.used, at);
      at += count;
      if (this.take(count)) yield this.cut();
    }
  }
}
