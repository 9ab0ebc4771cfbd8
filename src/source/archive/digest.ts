import { setImmediate as nextTurn } from "node:timers/promises";
import { withAllUnreadable } from "../entry/open-entry.ts";
import { StreamHash } from "./stream-hash.ts";
import { tarStream } from "./tar-stream.ts";
import type { SourceTree } from "../tree/tree.ts";

export interface DigestOptions {
  readonly signal: AbortSignal;
  /** What hashes; stays the caller's to dispose of. A new one when not given. */
  readonly hash?: StreamHash;
  /** Gets the CRC-32 of what each entry of the tree holds. */
  readonly sums?: Uint32Array;
}

/** A turn of the event loop takes a tenth of the time that a block of small files does. */
const BLOCKS_PER_TURN = 8;

/**
 * The digest that packing the tree would return, and the bytes of the tar stream, without compressing or keeping anything.
 * Throws SourceChangedError, SourceUnreadableError or the reason of the signal.
 */
export async function digestSource(tree: SourceTree, { signal, hash: given, sums }: DigestOptions) {
  await using own = new StreamHash();
  const hash = given ?? own;
  hash.expect(tree.bytes);
  let bytes = 0;
  let blocks = 0;
  try {
    for (const part of tarStream(tree.root, tree.entries, () => hash.lend(), sums)) {
      bytes += part.length;
      await hash.update(part);
      if (blocks++ % BLOCKS_PER_TURN > 0) continue;
      // A signal arrives only between two turns of the event loop.
      await nextTurn();
      signal.throwIfAborted();
    }
  } catch (error) {
    throw withAllUnreadable(error, tree);
  }
  return { digest: digestText(await hash.hex()), bytes };
}

export function digestText(hex: string): string {
  return `sha256:${hex}`;
}
