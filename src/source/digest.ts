import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withAllUnreadable } from "./open-entry.ts";
import { newBlock, tarStream } from "./tar-stream.ts";
import type { SourceTree } from "./tree.ts";

/** What tells whether two trees are the same. */
export interface SourceDigest {
  /** `sha256:` and the hex digest of the tar stream, as in SourceArchive. */
  readonly digest: string;
  /** The size of the tar stream. */
  readonly bytes: number;
}

/** How a tree is read. */
export interface DigestOptions {
  readonly signal: AbortSignal;
  /** The buffer for the blocks; one of `newBlock` when not given. */
  readonly block?: Buffer | undefined;
  /** Hears each block of the tar stream in order, and keeps none. */
  readonly onBlock?: ((block: Buffer) => void) | undefined;
}

/**
 * The digest that packing the tree would tell, without compressing or keeping anything. Throws SourceChangedError,
 * SourceUnreadableError or the reason of the signal.
 */
export async function digestSource(
  tree: SourceTree,
  { signal, block = newBlock(), onBlock = () => undefined }: DigestOptions,
): Promise<SourceDigest> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    // Each is hashed before the next one is asked for, and so one buffer does for all.
    for (const full of tarStream(tree.root, tree.entries, () => block)) {
      hash.update(full);
      onBlock(full);
      bytes += full.length;
      // A signal arrives between two turns of the event loop only.
      await nextTurn();
      signal.throwIfAborted();
    }
  } catch (error) {
    throw withAllUnreadable(error, tree);
  }
  return { digest: digestText(hash.digest("hex")), bytes };
}

/** A digest as it is written down. */
export function digestText(hex: string): string {
  return `sha256:${hex}`;
}
