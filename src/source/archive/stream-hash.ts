import { createHash } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { newBlock } from "./tar-stream.ts";

export interface StreamHashOptions {
  /** The buffer that the blocks are lent in while no thread hashes; a new one when not given. */
  readonly block?: Buffer;
  /** From how many bytes on a thread hashes; 256 MB when not given. */
  readonly threadBytes?: number;
}

/** Starting a thread keeps a processor as busy as hashing fewer bytes. */
const THREAD_BYTES = 256_000_000;

/** A SHA-256 of blocks in their order, in a thread of its own when there are many. */
export class StreamHash implements AsyncDisposable {
  readonly #block: Buffer | undefined;
  readonly #threadBytes: number;
  #hash?: BlockHash;

  constructor({ block, threadBytes = THREAD_BYTES }: StreamHashOptions = {}) {
    this.#block = block;
    this.#threadBytes = threadBytes;
  }

  /** Called with how many bytes will come, at least; starts the thread when they are many. */
  expect(bytes: number): void {
    if (bytes >= this.#threadBytes) this.#hash ??= startThread(this.#block);
  }

  /** A buffer for the next block. */
  lend(): Buffer {
    return this.#started.lend();
  }

  /** Takes a block, which the caller must not use any more. */
  async update(block: Buffer): Promise<void> {
    await this.#started.update(block);
  }

  async hex(): Promise<string> {
    return await this.#started.hex();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hash?.[Symbol.asyncDispose]();
  }

  get #started(): BlockHash {
    return (this.#hash ??= new LocalHash(this.#block));
  }
}

interface BlockHash extends AsyncDisposable {
  lend(): Buffer;
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
  // On one processor it would only take longer.
  if (availableParallelism() < 2) return new LocalHash(block);
  try {
    return new HashThread();
  } catch {
    // Node's permission model forbids threads unless they are allowed.
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
  #hex?: string;
  #failure?: Error;

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
    if (block) return block;
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
    if (this.#failure) throw this.#failure;
    await once(this.#worker, "message");
  }
}
