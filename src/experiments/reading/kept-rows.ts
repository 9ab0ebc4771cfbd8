import { grown } from "../../files/growth.ts";
import type { FilePlace } from "../../files/json/errors.ts";

const FIRST_ROWS = 1024;

/** Where each row stands, in 4 bytes for a row: a file of 1 GB has a million of them. */
export class KeptRows {
  /** The files, and the first row of each. */
  readonly #files: { readonly name: string; readonly first: number }[] = [];
  /** The line, or less than 0 the row of the file; 0 where neither is known. */
  #places = new Int32Array(FIRST_ROWS);
  /** How often rows stand in the file that was begun last, where that is not once for its own and never for others. */
  readonly #times = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The rows that follow are of this file. */
  beginFile(name: string): void {
    this.#files.push({ name, first: this.#count });
    this.#times.clear();
  }

  add({ line, row }: FilePlace): void {
    if (this.#count === this.#places.length) {
      this.#places = new Int32Array(this.#places.buffer.transfer(grown(this.#count) * this.#places.BYTES_PER_ELEMENT));
    }
    this.#places[this.#count] = line ?? -(row ?? 0);
    this.#count += 1;
  }

  /** Counts that the row stands in the file that was begun last, and tells how often it did so before. */
  countAgain(row: number): number {
    const times = this.#times.get(row) ?? (this.isOfThisFile(row) ? 1 : 0);
    this.#times.set(row, times + 1);
    return times;
  }

  /** True when the row is of the file that was begun last. */
  isOfThisFile(row: number): boolean {
    return row >= (this.#files.at(-1)?.first ?? 0);
  }

  placeOf(row: number): FilePlace {
    const place = this.#places[row] ?? 0;
    const file = this.#files.findLast(({ first }) => first <= row)?.name ?? "";
    return { file, line: place > 0 ? place : undefined, row: place < 0 ? -place : undefined };
  }
}
