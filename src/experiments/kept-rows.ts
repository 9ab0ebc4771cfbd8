import type { ResultPlace } from "./json/errors.ts";

const FIRST_ROWS = 1024;

/** Where each row stands and what it was, in 14 bytes for a row: a file of 1 GB has a million of them. */
export class KeptRows {
  readonly #files: string[] = [];
  #digests = new BigUint64Array(FIRST_ROWS);
  #lines = new Uint32Array(FIRST_ROWS);
  #fileOf = new Uint16Array(FIRST_ROWS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The rows that follow are of this file. */
  beginFile(name: string): void {
    this.#files.push(name);
  }

  add(line: number | undefined, digest: bigint): void {
    if (this.#count === this.#lines.length) this.#grow();
    this.#digests[this.#count] = digest;
    this.#lines[this.#count] = line ?? 0;
    this.#fileOf[this.#count] = this.#files.length - 1;
    this.#count += 1;
  }

  /** True when the row holds the same. */
  isSame(row: number, digest: bigint): boolean {
    return this.#digests[row] === digest;
  }

  /** True when the row is of the file that was begun last. */
  isOfThisFile(row: number): boolean {
    return this.#fileOf[row] === this.#files.length - 1;
  }

  placeOf(row: number): ResultPlace {
    const line = this.#lines[row] ?? 0;
    return { file: this.#files[this.#fileOf[row] ?? 0] ?? "", line: line === 0 ? undefined : line };
  }

  #grow(): void {
    this.#digests = new BigUint64Array(this.#digests.buffer.transfer(2 * this.#digests.byteLength));
    this.#lines = new Uint32Array(this.#lines.buffer.transfer(2 * this.#lines.byteLength));
    this.#fileOf = new Uint16Array(this.#fileOf.buffer.transfer(2 * this.#fileOf.byteLength));
  }
}
