import { Column } from "../../files/column.ts";
import type { FilePlace } from "../../files/json/errors.ts";

/** Where each row stands, in 4 bytes for a row: a file of 1 GB has a million of them. */
export class KeptRows {
  readonly #files: { readonly name: string; readonly first: number }[] = [];
  /** The line, or less than 0 the row of the file; 0 where neither is known. */
  readonly #places = new Column(Int32Array);
  /** How often a row occurs in the current file, where that is not once for a row of its own and never for another. */
  readonly #times = new Map<number, number>();
  /** True counts what all files have, as if they were one. */
  readonly #areOne: boolean;
  #count = 0;

  constructor(areOne: boolean) {
    this.#areOne = areOne;
  }

  /** The rows that follow are of this file. */
  beginFile(name: string): void {
    this.#files.push({ name, first: this.#count });
    if (!this.#areOne) this.#times.clear();
  }

  add({ line, row }: FilePlace): void {
    this.#places.set(this.#count, line ?? -(row ?? 0));
    this.#count += 1;
  }

  /** Counts the row as seen again in the current file; returns how often it was seen there before. */
  countAgain(row: number): number {
    const times = this.#times.get(row) ?? (this.isCountedTogether(row) ? 1 : 0);
    this.#times.set(row, times + 1);
    return times;
  }

  /** True when the row is of the file that was begun last. */
  isOfThisFile(row: number): boolean {
    return row >= (this.#files.at(-1)?.first ?? 0);
  }

  /** True when the repetitions of the row are counted with those of the file that was begun last. */
  isCountedTogether(row: number): boolean {
    return this.#areOne || this.isOfThisFile(row);
  }

  get fileCount(): number {
    return this.#files.length;
  }

  placeOf(row: number): FilePlace {
    const place = this.#places.get(row);
    const file = this.#files.findLast(({ first }) => first <= row)?.name ?? "";
    return { file, line: place > 0 ? place : undefined, row: place < 0 ? -place : undefined };
  }
}
