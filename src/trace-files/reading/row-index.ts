import { IdTable } from "../../files/id-table.ts";
import type { RunTable } from "./run-table.ts";

/** Finds runs by the ids that the service knows; made when it is asked first, since most uploads never ask. */
export class RowIndex {
  readonly #table: RunTable;
  #ids: IdTable | undefined;

  constructor(table: RunTable) {
    this.#table = table;
  }

  /** The row of the run with this id. */
  get(id: string): number | undefined {
    this.#ids ??= this.#made();
    return this.#ids.get(id);
  }

  #made(): IdTable {
    const ids = new IdTable();
    for (let row = 0; row < this.#table.count; row++) ids.add(this.#table.idOf(row));
    return ids;
  }
}
