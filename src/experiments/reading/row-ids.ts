import { IdTable } from "../../files/id-table.ts";
import { isRowId, rowId, type RowIdentity } from "../rows/identity.ts";
import type { SourceRow } from "../rows/source-row.ts";
import type { KeptRows } from "./kept-rows.ts";

/**
 * What several files are: parts of one run, where a row that two of them have is one row, or a trial of its cases each,
 * where it is a trial of its own.
 */
export type FilesAre = "shards" | "trials";

/** No case has so many. */
const MOST_REPETITIONS = 2 ** 32;

/** Gives each row its id: rows of one case are numbered as its repetitions, within a file or over all of them. */
export class RowIds {
  readonly #files: FilesAre | undefined;
  readonly #kept: KeptRows;
  #ids = new IdTable();

  /** `kept` has the places of the rows that have their ids here. */
  constructor(files: FilesAre | undefined, kept: KeptRows) {
    this.#files = files;
    this.#kept = kept;
  }

  get count(): number {
    return this.#ids.count;
  }

  /** The row that has this id; undefined for one that no row has. */
  get(id: string): number | undefined {
    return this.#ids.get(id);
  }

  add(id: string): void {
    this.#ids.add(id);
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
    let repetition = counted === undefined ? 0 : counted + (this.#files === undefined ? 0 : firstRepetition);
    let id = rowId({ ...identity, repetition });
    let taken = this.#ids.get(id);
    if (taken === undefined) return { id, taken, repetition };
    if (isCounted && (this.#files !== "trials" || this.#kept.isOfThisFile(taken))) return { id, taken, repetition };
    if (isCounted) {
      // The count begins again in each file.
      repetition += this.#kept.fileCount * MOST_REPETITIONS;
      id = rowId({ ...identity, repetition });
      return { id, taken: this.#ids.get(id), repetition };
    }
    repetition = this.#kept.countAgain(taken);
    while (repetition > 0) {
      id = rowId({ ...identity, repetition });
      taken = this.#ids.get(id);
      if (taken === undefined || !this.#kept.isCountedTogether(taken)) break;
      repetition += 1;
    }
    return { id, taken, repetition };
  }

  /** Frees what only further rows would need. */
  end(): void {
    this.#ids = new IdTable();
  }
}
