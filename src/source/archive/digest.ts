import { createHash } from "node:crypto";
import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
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
  /** Gets the CRC-32 of what each entry of the tree holds. */
  readonly sums?: Uint32Array | undefined;
  /** From how many bytes on a thread hashes; 256 MB when not given. */
  readonly threadBytes?: number | undefined;
}

/** Starting a thread keeps a processor as busy as hashing fewer bytes. */
const THREAD_BYTES = 256_000_000;

/** A turn of the event loop takes a tenth of the time that a block of small files does. */
const BLOCKS_PER_TURN = 8;

/**
 * The digest that packing the tree would return, without compressing or keeping anything. Throws SourceChangedError,
 * SourceUnreadableError or the reason of the signal.
 */
export async function digestSource(
  tree: SourceTree,
  { signal, block, sums, threadBytes = THREAD_BYTES }: DigestOptions,
): Promise<SourceDigest> {
  await using hash = tree.bytes < threadBytes ? new LocalHash(block) : startThread(block);
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

/** A SHA-256 of blocks in their order. */
interface BlockHash extends AsyncDisposable {
  /** A buffer for the next block. */
  lend(): Buffer;
  /** Takes a block, which the caller must not use any more. */
  update(block: Buffer): Promise<void>;
  hex(): Promise<string>;
}

class LocalHash implements BlockHash {
  readonly #hash = createHash("sha256");
  // Each block is hashed before the next one is read, so one buffer serves all.
  readonly #block: Buffer;

  constructor(block = newBlock()) {
    this.#block = block;
  }

  lend(): Buffer {
    return this.#block;
  }

  update(block: Buffer): Promise<void> {
    this.#hash.update(block);
    return Promise.resolve();
  }

  hex(): Promise<string> {
    return Promise.resolve(this.#hash.digest("hex"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is open.
  }
}

function startThread(block: Buffer | undefined): BlockHash {
  try {
    return new HashThread();
  } catch {
    // Node's permission model forbids threads unless it is told otherwise.
    return new LocalHash(block);
  }
}

// As text: a bundle would have to carry a second file.
const CODE = `
  const { createHash } = require("node:crypto");
  const { parentPort } = require("node:worker_threads");
  const hash = createHash("sha256");
  parentPort.on("message", (block) => {
    if (block === null) return parentPort.postMessage(hash.digest("hex"));
    hash.update(block);
    parentPort.postMessage(block, [block.buffer]);
  });
`;

// 8 MiB: reading begins before the thread has started, and the thread is the faster one.
const BLOCKS = 16;

/** Hashes blocks while the next ones are read. */
class HashThread implements BlockHash {
  // The thread needs neither the loaders nor the variables of this process.
  readonly #worker = new Worker(CODE, { eval: true, execArgv: [], env: {} });
  readonly #free: Buffer[] = [];
  #made = 0;
  #hex: string | undefined;
  #failure: Error | undefined;

  constructor() {
    this.#worker.on("message", (message: string | Uint8Array<ArrayBuffer>) => {
      if (typeof message === "string") this.#hex = message;
      else this.#free.push(Buffer.from(message.buffer));
    });
    this.#worker.on("error", (error: Error) => {
      this.#failure = error;
    });
  }

  lend(): Buffer {
    const block = this.#free.pop();
    if (block !== undefined) return block;
    this.#made += 1;
    return newBlock();
  }

  async update(block: Buffer<ArrayBuffer>): Promise<void> {
    this.#worker.postMessage(block, [block.buffer]);
    while (this.#free.length === 0 && this.#made >= BLOCKS) await this.#message();
  }

  async hex(): Promise<string> {
    this.#worker.postMessage(null);
    while (this.#hex === undefined) await this.#message();
    return this.#hex;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  async #message(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    await once(this.#worker, "message");
  }
}
