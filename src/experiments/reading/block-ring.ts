const BLOCKS = 4;

/**
 * Blocks of memory that are used again, one after the other: fresh ones would be garbage that the engine lets gather to
 * 50 MB while a body is sent. A stream asks for a block when the one before it was taken, and whoever takes one takes
 * none while the last is being written; so two would do, and there are four.
 */
export class BlockRing {
  readonly #blocks: readonly Buffer[];
  #next = 0;

  /** `bytes` is how large a block is. */
  constructor(bytes: number) {
    this.#blocks = Array.from({ length: BLOCKS }, () => Buffer.allocUnsafeSlow(bytes));
  }

  /** So many bytes, good until four others have been asked for; more than a block are good for ever. */
  take(bytes: number): Buffer {
    const block = this.#blocks[this.#next];
    if (block === undefined || bytes > block.length) return Buffer.allocUnsafeSlow(bytes);
    this.#next = (this.#next + 1) % BLOCKS;
    return block.subarray(0, bytes);
  }
}
