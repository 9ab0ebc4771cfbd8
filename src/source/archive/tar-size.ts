import type { SourceEntry } from "../entry/entry.ts";
import { roundUp, TAR_BLOCK_BYTES, tarHeader, writeOrdinaryHeader } from "./tar-header.ts";

// Two blocks of zeros end an archive.
const END_BYTES = 2 * TAR_BLOCK_BYTES;

/** How long the tar stream of these entries is, by their names and sizes alone. */
export function tarBytes(entries: readonly SourceEntry[]): number {
  const block = Buffer.alloc(TAR_BLOCK_BYTES);
  let bytes = END_BYTES;
  for (const entry of entries) {
    bytes += writeOrdinaryHeader(entry, block, 0) ? TAR_BLOCK_BYTES : tarHeader(entry).length;
    if (entry.type === "file") bytes += roundUp(entry.size);
  }
  return bytes;
}

// Deflate adds 0.03 % to what it cannot make shorter (deflateBound in zlib), the flush of each block and the frame of gzip
// a few bytes more.
const MOST_EXPANSION = 0.001;
const FRAME_BYTES = 1024;

/** A size that the compressed archive of these entries does not exceed, whatever they hold. */
export function mostArchiveBytes(entries: readonly SourceEntry[]): number {
  return Math.ceil(tarBytes(entries) * (1 + MOST_EXPANSION)) + FRAME_BYTES;
}
