import { Column } from "../../files/column.ts";
import { IdTable } from "../../files/id-table.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { isRowId, rowId, type RowIdentity } from "../rows/identity.ts";
import type { SourceRow } from "../rows/source-row.ts";

/**
 * What several files are: parts of one run, where a row that two of them have is one row, or a trial of its cases each,
 * where it is a trial of its own.
 */
export type FilesAre = "shards" | "trials";

/** No case has so many. */
const MOST_REPETITIONS = 2 ** 32;

/**
 * Gives each row its id, and knows where it stands: rows of one case are numbered as its repetitions, within a file or
 * over all of them. The place takes 4 bytes for a row: a file of 1 GB has a million of them.
 */
export class RowIds {
  readonly #filesAre: FilesAre | undefined;
  #ids = new IdTable();
  readonly #files: { readonly name: string; readonly first: number }[] = [];
  /** The line, or less than 0 the row of the file; 0 where neither is known. */
  readonly #places = new Column(Int32Array);
  /** How often a row occurs in the current file, where that is not once for a row of its own and never for another. */
  readonly #times = new Map<number, number>();

  constructor(filesAre: FilesAre | undefined) {
    this.#filesAre = filesAre;
  }

  get count(): number {
    return this.#ids.count;
  }

  /** The rows that follow are of this file. */
  beginFile(name: string): void {
    this.#files.push({ name, first: this.count });
    if (this.#filesAre !== "trials") this.#times.clear();
  }

  /** The row that has this id; undefined for one that no row has. */
  get(id: string): number | undefined {
    return this.#ids.get(id);
  }

  add(id: string, { line, row }: FilePlace): void {
    this.#places.set(this.count, line ?? -(row ?? 0));
    this.#ids.add(id);
  }

  placeOf(row: number): FilePlace {
    const place = this.#places.get(row);
    const file = this.#files.findLast(({ first }) => first <= row)?.name ?? "";
    return { file, line: place > 0 ? place : undefined, row: place < 0 ? -place : undefined };
  }

  isOfThisFile(row: number): boolean {
    return row >= (this.#files.at(-1)?.first ?? 0);
  }

  /** The id of a row, and the row that has it already. */
  of(
    identity: Omit<RowIdentity, "repetition">,
    {
      repetition: counted,
      firstRepetition = 0,
      namesCase = false,
    }: Pick<SourceRow, "firstRepetition" | "namesCase" | "repetition">,
  ) {
    // A uuid names one row, unless it is said to name a case; two rows of one file with another id are repetitions,
    // however equal they are.
    const isCounted = counted !== undefined || (isRowId(identity.id) && !namesCase);
    // A row that is sent has the same id whether its file counts from 0 or from 1. Rows of several files are compared by
    // what is stated: a file with one trial begins with any number, and another file has the others.
    let repetition = counted === undefined ? 0 : counted + (this.#filesAre === undefined ? 0 : firstRepetition);
    let id = rowId({ ...identity, repetition });
    let taken = this.#ids.get(id);
    if (taken === undefined) return { id, taken, repetition };
    if (isCounted && (this.#filesAre !== "trials" || this.isOfThisFile(taken))) return { id, taken, repetition };
    if (isCounted) {
      // The count begins again in each file.
      repetition += this.#files.length * MOST_REPETITIONS;
      id = rowId({ ...identity, repetition });
      return { id, taken: this.#ids.get(id), repetition };
    }
    // Repetitions are counted in each file, or over all of them, as if they were one.
    const isCountedTogether = (row: number) => this.#filesAre === "trials" || this.isOfThisFile(row);
    repetition = this.#times.get(taken) ?? (isCountedTogether(taken) ? 1 : 0);
    this.#times.set(taken, repetition + 1);
    while (repetition > 0) {
      id = rowId({ ...identity, repetition });
      taken = this.#ids.get(id);
      if (taken === undefined || !isCountedTogether(taken)) break;
      repetition += 1;
    }
    return { id, taken, repetition };
  }

  /** Frees what only further rows would need. */
  end(): void {
    this.#ids = new IdTable();
  }
}
