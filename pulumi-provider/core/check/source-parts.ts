import { crc32 } from "node:zlib";
import type { SourceEntry } from "../../../src/source/entry/entry.ts";
import { isOrdinary } from "../../../src/source/archive/ordinary-header.ts";
import { roundUp, TAR_BLOCK_BYTES, tarHeader } from "../../../src/source/archive/tar-header.ts";

// 86 characters of state, whatever the folder holds: a digest of each file would be a megabyte for a large one.
const PARTS = 64;

/**
 * Tells later how much of a tree changed. Each file belongs to one of 64 parts by its path, and each part has a
 * checksum of 8 bits over its members: names, modes and contents. It is fed the blocks of the tar stream in order.
 */
export class SourceParts {
  readonly #parts = new Uint32Array(PARTS);
  readonly #entries: Iterator<SourceEntry, undefined>;
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
    return Buffer.from(this.#parts.map((part) => part & 0xff)).toString("base64url");
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
    if (this.#entry !== undefined) this.#left = bytesOf(this.#entry);
  }
}

function bytesOf(entry: SourceEntry): number {
  return (isOrdinary(entry) ? TAR_BLOCK_BYTES : tarHeader(entry).length) + roundUp(entry.size);
}

/**
 * How many files differ at least between two trees, those that came and went among them; undefined when a text is not
 * of this form. Two changed files of one part count once.
 */
export function leastChanged(before: string, after: string): number | undefined {
  const [old, now] = [before, after].map((text) => Buffer.from(text, "base64url"));
  if (old?.length !== PARTS || now?.length !== PARTS) return undefined;
  return old.filter((part, index) => part !== now[index]).length;
}
