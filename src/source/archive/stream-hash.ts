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
  readonly #hash = createHash("sha256");
  readonly #threadBytes: number;
  #block: Buffer | undefined;
  #isUsed = false;
  #thread?: HashThread;

  constructor({ block, threadBytes = THREAD_BYTES }: StreamHashOptions = {}) {
    this.#block = block;
    this.#threadBytes = threadBytes;
  }

  /** Called with how many bytes will come, at least; starts the thread when they are many. */
  expect(bytes: number): void {
    // On one processor it would only take longer.
    if (this.#isUsed || this.#thread || bytes < this.#threadBytes || availableParallelism() < 2) return;
    try {
      this.#thread = new HashThread();
    } catch {
      // Node's permission model forbids threads unless they are allowed.
    }
  }

  /** A buffer for the next block. */
  lend(): Buffer {
    this.#isUsed = true;
    // Each block is hashed before the next one is read, so one buffer serves all without a thread.
    return this.#thread?.lend() ?? (this.#block ??= newBlock());
  }

  /** Takes a block, which the caller must not use any more. */
  async update(block: Buffer): Promise<void> {
    this.#isUsed = true;
    if (this.#thread) await this.#thread.update(block);
    else this.#hash.update(block);
  }

  async hex(): Promise<string> {
    return this.#thread ? await this.#thread.hex() : this.#hash.digest("hex");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.end();
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
class HashThread {
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

  async update(block: Buffer): Promise<void> {
    const { buffer } = block;
    this.#worker.postMessage(block, buffer instanceof ArrayBuffer ? [buffer] : []);
    while (this.#free.length === 0 && this.#made >= BLOCKS) await this.#message();
  }

  async hex(): Promise<string> {
    this.#worker.postMessage(null);
    while (this.#hex === undefined) await this.#message();
    return this.#hex;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #message(): Promise<void> {
    if (this.#failure) throw this.#failure;
    await once(this.#worker, "message");
  }
}
