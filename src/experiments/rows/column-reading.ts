import type { ColumnKind, ColumnRole } from "./columns.ts";

/** A column of a table, or a key of records, and what it was read as. */
export interface NotedColumn {
  /** The name, or the path of a mapping. */
  readonly name: string;
  readonly role: ColumnRole;
  /** What stands in it; undefined for a path of a mapping. */
  readonly kind?: ColumnKind | undefined;
  /** By its name it could be this part of a row as well, for which another column was taken. */
  readonly passedOver?: { readonly part: ColumnRole["part"]; readonly taken: string } | undefined;
}

/** How the columns of a file were read. */
export interface ColumnReading {
  readonly by: "mapping" | "names";
  readonly columns: readonly NotedColumn[];
  /** The columns that became no part of a row, e.g. those without a value. */
  readonly unread: readonly string[];
}

/** Collects how the columns of one file are read, which may be known bit by bit. */
export class ColumnNotes {
  readonly #by: ColumnReading["by"];
  readonly #columns: NotedColumn[] = [];
  readonly #unread = new Set<string>();

  constructor(by: ColumnReading["by"]) {
    this.#by = by;
  }

  /** Adds columns; one that was unread before is no longer. */
  add(columns: readonly NotedColumn[], unread: readonly string[]): void {
    for (const name of unread) this.#unread.add(name);
    for (const column of columns) {
      this.#columns.push(column);
      this.#unread.delete(column.name);
    }
  }

  /** What is known so far; undefined for a file without columns. */
  get reading(): ColumnReading | undefined {
    if (this.#columns.length === 0 && this.#unread.size === 0) return undefined;
    return { by: this.#by, columns: [...this.#columns], unread: [...this.#unread] };
  }
}
