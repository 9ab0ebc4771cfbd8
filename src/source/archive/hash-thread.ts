import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { BlockHash } from "./digest.ts";
import { newBlock } from "./tar-stream.ts";

// As text: a file of its own would have another name in each build, and bundlers would have to find it.
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

// 8 MiB: the thread starts later than the reader, and is the faster one.
const BLOCKS = 16;

/** Hashes on a thread of its own, while the next blocks are read. To be closed. */
export class HashThread implements BlockHash {
  /** What broke the thread: nothing that the blocks are to blame for. */
  failure: Error | undefined;
  readonly #worker: Worker;
  readonly #free: Buffer[] = [];
  #made = 0;
  #digest: string | undefined;
  #wake: () => void = () => undefined;

  /** Throws where this process may have no threads. */
  constructor() {
    // Neither the loaders nor the variables of this process are of any use there.
    this.#worker = new Worker(CODE, { eval: true, execArgv: [], env: {} });
    this.#worker.on("message", (message: string | Uint8Array<ArrayBuffer>) => {
      if (typeof message === "string") this.#digest = message;
      else this.#free.push(Buffer.from(message.buffer));
      this.#wake();
    });
    this.#worker.on("error", (error) => {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    });
    this.#worker.on("exit", () => {
      this.#fail(new Error("the thread ended"));
    });
  }

  lend(): Buffer {
    const block = this.#free.pop();
    if (block !== undefined) return block;
    this.#made += 1;
    return newBlock();
  }

  async update(block: Buffer): Promise<void> {
    const { buffer } = block;
    this.#worker.postMessage(block, buffer instanceof ArrayBuffer ? [buffer] : []);
    await nextTurn();
    await this.#until(() => this.#free.length > 0 || this.#made < BLOCKS);
  }

  async digest(): Promise<string> {
    this.#worker.postMessage(null);
    await this.#until(() => this.#digest !== undefined);
    return this.#digest ?? "";
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.failure ??= error;
    this.#wake();
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (this.failure === undefined && !isSo()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.failure !== undefined) throw this.failure;
  }
}
