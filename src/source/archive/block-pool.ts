/**
 * Buffers of one size that are lent, given back and lent again: memory outside the heap that nobody holds any more
 * waits for the garbage collector, which comes late for it and takes time when it comes.
 */
export class BlockPool {
  readonly #make: () => Buffer;
  readonly #free: Buffer[] = [];

  constructor(make: () => Buffer) {
    this.#make = make;
  }

  lend(): Buffer {
    return this.#free.pop() ?? this.#make();
  }

  giveBack(block: Buffer): void {
    this.#free.push(block);
  }
}
