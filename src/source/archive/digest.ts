import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withAllUnreadable } from "../entry/open-entry.ts";
import { newBlock, tarStream } from "./tar-stream.ts";
import type { SourceTree } from "../tree/tree.ts";

/** What determines whether two trees are the same. */
export interface SourceDigest {
  /** `sha256:` and the hex digest of the tar stream, as in SourceArchive. */
  readonly digest: string;
  /** The size of the tar stream. */
  readonly bytes: number;
}

export interface DigestOptions {
  readonly signal: AbortSignal;
  /** The buffer that the tar stream is read into; a new one when not given. */
  readonly block?: Buffer | undefined;
}

/**
 * The digest that packing the tree would return, without compressing or keeping anything. Throws SourceChangedError,
 * SourceUnreadableError or the reason of the signal.
 */
export async function digestSource(
  tree: SourceTree,
  { signal, block = newBlock() }: DigestOptions,
): Promise<SourceDigest> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    // Each block is hashed before the next one is read, so one buffer serves all.
    for (const part of tarStream(tree.root, tree.entries, () => block)) {
      bytes += part.length;
      hash.update(part);
      // A signal arrives only between two turns of the event loop.
      await nextTurn();
      signal.throwIfAborted();
    }
  } catch (error) {
    throw withAllUnreadable(error, tree);
  }
  return { digest: digestText(hash.digest("hex")), bytes };
}

export function digestText(hex: string): string {
  return `sha256:${hex}`;
}
