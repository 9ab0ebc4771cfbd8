import type { ResultPlace } from "./json/errors.ts";

const FIRST_ROWS = 1024;

/** Where each row stands in 12 bytes for a row: a file of 1 GB has a million of them. */
export class KeptRows {
  readonly #files: string[] = [];
  /** The line, or less than 0 the row of the file; 0 where neither is known. */
  #places = new Int32Array(FIRST_ROWS);
  #fileOf = new Uint32Array(FIRST_ROWS);
  /** How often the row stands in the file that was begun last. */
  #times = new Uint32Array(FIRST_ROWS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The rows that follow are of this file. */
  beginFile(name: string): void {
    this.#files.push(name);
    this.#times.fill(0);
  }

  add({ line, row }: ResultPlace): void {
    if (this.#count === this.#places.length) this.#grow();
    this.#places[this.#count] = line ?? -(row ?? 0);
    this.#fileOf[this.#count] = this.#files.length - 1;
    this.#times[this.#count] = 1;
    this.#count += 1;
  }

  /** Counts that the row stands in the file that was begun last, and tells how often it did so before. */
  countAgain(row: number): number {
    const times = this.#times[row] ?? 0;
    this.#times[row] = times + 1;
    return times;
  }

  /** True when the row is of the file that was begun last. */
  isOfThisFile(row: number): boolean {
    return this.#fileOf[row] === this.#files.length - 1;
  }

  placeOf(row: number): ResultPlace {
    const place = this.#places[row] ?? 0;
    const file = this.#files[this.#fileOf[row] ?? 0] ?? "";
    return { file, line: place > 0 ? place : undefined, row: place < 0 ? -place : undefined };
  }

  #grow(): void {
    this.#places = new Int32Array(this.#places.buffer.transfer(2 * this.#places.byteLength));
    this.#fileOf = new Uint32Array(this.#fileOf.buffer.transfer(2 * this.#fileOf.byteLength));
    this.#times = new Uint32Array(this.#times.buffer.transfer(2 * this.#times.byteLength));
  }
}
