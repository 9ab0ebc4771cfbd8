import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withAllUnreadable } from "../entry/open-entry.ts";
import { newBlock, tarStream } from "./tar-stream.ts";
import type { SourceTree } from "../tree/tree.ts";

/** What tells whether two trees are the same. */
export interface SourceDigest {
  /** `sha256:` and the hex digest of the tar stream, as in SourceArchive. */
  readonly digest: string;
  /** The size of the tar stream. */
  readonly bytes: number;
}

/** A SHA-256 of blocks in their order. */
export interface BlockHash {
  /** A buffer for the next block. */
  lend(): Buffer;
  /** Takes a block, which is not to be touched any more, and lets other work in between. */
  update(block: Buffer): Promise<void>;
  /** In hex. */
  digest(): Promise<string>;
}

/** How a tree is read. */
export interface DigestOptions {
  readonly signal: AbortSignal;
  /** On this thread when not given. */
  readonly hash?: BlockHash | undefined;
  /** Hears each block of the tar stream in order, and keeps none. */
  readonly onBlock?: ((block: Buffer) => void) | undefined;
}

/**
 * The digest that packing the tree would tell, without compressing or keeping anything. Throws SourceChangedError,
 * SourceUnreadableError or the reason of the signal.
 */
export async function digestSource(
  tree: SourceTree,
  { signal, hash = new LocalHash(), onBlock = () => undefined }: DigestOptions,
): Promise<SourceDigest> {
  let bytes = 0;
  try {
    for (const block of tarStream(tree.root, tree.entries, () => hash.lend())) {
      bytes += block.length;
      onBlock(block);
      await hash.update(block);
      signal.throwIfAborted();
    }
  } catch (error) {
    throw withAllUnreadable(error, tree);
  }
  return { digest: digestText(await hash.digest()), bytes };
}

/** Hashes between two turns of the event loop. */
export class LocalHash implements BlockHash {
  readonly #hash = createHash("sha256");
  // Each is hashed before the next one is asked for, and so one buffer does for all.
  readonly #block: Buffer;

  constructor(block = newBlock()) {
    this.#block = block;
  }

  lend(): Buffer {
    return this.#block;
  }

  async update(block: Buffer): Promise<void> {
    this.#hash.update(block);
    // A signal arrives between two turns of the event loop only.
    await nextTurn();
  }

  digest(): Promise<string> {
    return Promise.resolve(this.#hash.digest("hex"));
  }
}

/** A digest as it is written down. */
export function digestText(hex: string): string {
  return `sha256:${hex}`;
}
