import * as z from "zod";
import { createHash } from "node:crypto";
import { abortSignal, checkCall, count, type ShapesOf, somePath, someText } from "../../contract/call-arguments.ts";
import { bytesText, limitText } from "../../text/bytes.ts";
import { digestText } from "./digest.ts";
import type { SourceEntry } from "../entry/entry.ts";
import { SourceTooLargeError } from "../entry/errors.ts";
import { gzip } from "./gzip.ts";
import { printable } from "../../text/quoted.ts";
import { withAllUnreadable } from "../entry/open-entry.ts";
import { removeSpool, SpoolFile } from "../../files/spool.ts";
import { END_OF_ARCHIVE, newBlock, tarStream } from "./tar-stream.ts";
import type { SourceTree } from "../tree/tree.ts";
import { roundUp, TAR_BLOCK_BYTES, tarHeader, writeOrdinaryHeader } from "./tar-header.ts";

/** Where a tree is packed to, and how large it may become. */
export interface PackOptions {
  /** An existing directory; the archive lies in a new one inside. */
  readonly spoolDirectory: string;
  /** The largest compressed archive, bytes. */
  readonly maxBytes: number;
  /** Cancels the packing. */
  readonly signal: AbortSignal;
}

const entries = z.custom<SourceTree["entries"]>(Array.isArray, "must be a list");
const treeShape = z.looseObject({ root: someText, entries }, "must be a SourceTree, which readSourceTree returns");
const packOptions = z.looseObject(
  { spoolDirectory: somePath, maxBytes: count, signal: abortSignal } satisfies ShapesOf<PackOptions>,
  "must be an object",
);

/** A packed tree, in a file that only this user can read. */
export interface SourceArchive {
  readonly file: string;
  /** Compressed. */
  readonly bytes: number;
  /** `sha256:` and the hex digest of the tar stream: equal for equal trees, whatever compressed them. */
  readonly digest: string;
  /** Sentences that a user should read. */
  readonly warnings: readonly string[];
  /**
   * Removes the file and its directory.
   * @throws The error of the file system.
   * @idempotence Sends nothing; may be called twice.
   */
  remove(): Promise<void>;
}

/**
 * Packs a tree into a `.tar.gz` whose bytes follow from the tree alone. Throws SourceTooLargeError, SourceChangedError,
 * SourceUnreadableError, an error with the code SPOOL, or the reason of the signal, and leaves nothing behind.
 */
export async function packSource(tree: SourceTree, options: PackOptions): Promise<SourceArchive> {
  checkCall("packSource", { tree: [treeShape, tree], options: [packOptions, options] });
  const { spoolDirectory, maxBytes, signal } = options;
  signal.throwIfAborted();
  const spool = new SpoolFile(spoolDirectory, "source.tar.gz");
  const hash = createHash("sha256");
  // Blocks are given back and lent again: memory outside the heap that is no longer referenced waits for the garbage
  // collector, which comes late for it and takes time when it comes.
  const free: Buffer[] = [];
  try {
    const blocks = tarStream(tree.root, tree.entries, () => free.pop() ?? newBlock()).map((block) => {
      hash.update(block);
      return block;
    });
    // By its files alone, so that equal trees are compressed to equal bytes anywhere.
    const level = tree.bytes <= TINY_BYTES * tree.files ? 5 : 6;
    for await (const part of gzip(blocks, { signal, level, release: (block) => free.push(block) })) {
      if (spool.bytes + part.length > maxBytes) {
        const message = `The compressed archive is larger than ${limitText(maxBytes)}; its largest files: ${sizes(tree.largest)}.`;
        throw new SourceTooLargeError(message, {
          maxBytes,
          advice: "Exclude what the agent does not need.",
        });
      }
      spool.write(part);
    }
    spool.close();
  } catch (error) {
    spool.discard();
    throw withAllUnreadable(error, tree);
  }
  const { path: file, bytes } = spool;
  const digest = digestText(hash.digest("hex"));
  return {
    file,
    bytes,
    digest,
    warnings:
      bytes <= LARGE_BYTES
        ? []
        : [`The archive is large, ${bytesText(bytes)}; its largest files: ${sizes(tree.largest)}.`],
    remove: () => removeSpool(file),
  };
}

// Below half a block of tar a file is mostly header and zeros, which a shorter search compresses as well: level 5 takes
// three quarters of the time of level 6, and makes 0.6 to 1.7 % more; above, 2 to 4 % (bench archive).
const TINY_BYTES = 256;

// A source is text; what is larger is data or weights that hardly belong in it, and each deploy sends it again.
const LARGE_BYTES = 50 * 1024 * 1024;

function sizes(entries: readonly SourceEntry[]): string {
  return entries.map(({ path, size }) => `${printable(path)} ${bytesText(size)}`).join(", ");
}

/** How long the tar stream of these entries is, by their names and sizes alone. */
export function tarBytes(entries: readonly SourceEntry[]): number {
  const block = Buffer.alloc(TAR_BLOCK_BYTES);
  let bytes = END_OF_ARCHIVE.length;
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
