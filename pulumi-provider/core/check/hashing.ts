import { digestSource, LocalHash, type BlockHash } from "../../../src/source/archive/digest.ts";
import { HashThread } from "../../../src/source/archive/hash-thread.ts";
import type { SourceTree } from "../../../src/source/tree/tree.ts";
import { SourceParts } from "./source-parts.ts";

/** What tells a folder from what it was. */
export interface HashedSource {
  /** The digest that packing it would tell. */
  readonly hash: string;
  /** See source-parts.ts. */
  readonly parts: string;
}

// A thread takes some 40 ms to start, on another processor. A folder that is walked for longer than this takes longer
// than that to hash, as a rule; one of so many bytes does.
const WALK_MILLISECONDS = 10;
const THREAD_BYTES = 32_000_000;

/** The hashing of one folder: on a thread of its own where that is faster. */
export class Hashing implements AsyncDisposable {
  readonly #block: Buffer;
  readonly #start: () => HashThread | undefined;
  #timer: NodeJS.Timeout | undefined;
  #thread: HashThread | undefined;

  /** `block` is the buffer for a small folder. */
  constructor(block: Buffer, start = startThread) {
    this.#block = block;
    this.#start = start;
  }

  /** To be called before the walk when it will be followed by hashing: the thread starts meanwhile. */
  prepare(): void {
    this.#timer = setTimeout(() => {
      this.#thread = this.#start();
    }, WALK_MILLISECONDS);
  }

  /** Throws as digestSource does. */
  async run(tree: SourceTree, signal: AbortSignal): Promise<HashedSource> {
    clearTimeout(this.#timer);
    const thread = tree.bytes < THREAD_BYTES ? undefined : this.#thread;
    try {
      return await hashed(tree, thread ?? new LocalHash(this.#block), signal);
    } catch (error) {
      if (thread?.failure === undefined) throw error;
      return await hashed(tree, new LocalHash(this.#block), signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#thread?.close();
  }
}

async function hashed(tree: SourceTree, hash: BlockHash, signal: AbortSignal): Promise<HashedSource> {
  const parts = new SourceParts(tree.entries);
  const onBlock = (block: Buffer) => {
    parts.add(block);
  };
  const { digest } = await digestSource(tree, { signal, hash, onBlock });
  return { hash: digest, parts: parts.text() };
}

/** A process that may have no threads hashes by itself. */
function startThread(): HashThread | undefined {
  try {
    return new HashThread();
  } catch {
    return undefined;
  }
}
