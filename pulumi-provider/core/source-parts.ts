import { crc32 } from "node:zlib";
import type { SourceEntry } from "../../src/source/entry.ts";
import { writeOrdinaryHeader } from "../../src/source/ordinary-header.ts";
import { roundUp, TAR_BLOCK_BYTES, tarHeader } from "../../src/source/tar-header.ts";

// 342 characters of state, whatever the folder holds: a digest of each file would be a megabyte for a large one.
const PARTS = 128;
const BYTES_PER_PART = 2;

/**
 * Tells later how much of a tree changed. Each file belongs to one of 128 parts by its path, and each part has a
 * checksum of 16 bits over its members: names, modes and contents. It is fed the blocks of the tar stream in order.
 */
export class SourceParts {
  readonly #parts = new Uint32Array(PARTS);
  readonly #entries: Iterator<SourceEntry, undefined>;
  readonly #scratch = Buffer.alloc(TAR_BLOCK_BYTES);
  #entry: SourceEntry | undefined;
  /** How many bytes of the member are still to come. */
  #left = 0;
  #checksum = 0;

  /** The entries in the order of the stream. */
  constructor(entries: readonly SourceEntry[]) {
    this.#entries = entries.values();
    this.#next();
  }

  add(block: Buffer): void {
    for (let at = 0; at < block.length && this.#entry !== undefined;) {
      const end = Math.min(block.length, at + this.#left);
      this.#checksum = crc32(block.subarray(at, end), this.#checksum);
      this.#left -= end - at;
      at = end;
      if (this.#left === 0) this.#close(this.#entry);
    }
  }

  /** The checksums as a text of one length. */
  text(): string {
    const bytes = Buffer.alloc(PARTS * BYTES_PER_PART);
    for (const [index, part] of this.#parts.entries()) bytes.writeUInt16BE(part & 0xffff, index * BYTES_PER_PART);
    return bytes.toString("base64url");
  }

  #close({ path }: SourceEntry): void {
    const index = crc32(path) % PARTS;
    this.#parts[index] = (this.#parts[index] ?? 0) ^ this.#checksum;
    this.#next();
  }

  #next(): void {
    const next = this.#entries.next();
    this.#entry = next.done === true ? undefined : next.value;
    this.#checksum = 0;
    if (this.#entry !== undefined) this.#left = this.#bytesOf(this.#entry);
  }

  #bytesOf(entry: SourceEntry): number {
    const header = writeOrdinaryHeader(entry, this.#scratch, 0) ? TAR_BLOCK_BYTES : tarHeader(entry).length;
    return header + roundUp(entry.size);
  }
}

/**
 * How many files differ at least between two trees, those that came and went among them; undefined when a text is not
 * of this form. Two changed files of one part count once.
 */
export function leastChanged(before: string, after: string): number | undefined {
  const [old, now] = [before, after].map((text) => Buffer.from(text, "base64url"));
  if (old?.length !== PARTS * BYTES_PER_PART || now?.length !== old.length) return undefined;
  let count = 0;
  for (let at = 0; at < old.length; at += BYTES_PER_PART) {
    if (old.readUInt16BE(at) !== now.readUInt16BE(at)) count += 1;
  }
  return count;
}
