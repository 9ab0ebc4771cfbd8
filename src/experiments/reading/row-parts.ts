import { DataFileError } from "../../files/json/errors.ts";
import { quotedName } from "../../text/quoted.ts";
import type { Emit } from "../events.ts";
import type { FoundRow } from "../formats/shared/format.ts";
import type { ColumnValue } from "../rows/columns.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { sourceOf } from "../rows/verbatim-row.ts";
import { caseWarning, ColumnUse, gapsWarning } from "./column-use.ts";
import type { Chosen, ResultFaults } from "./result-faults.ts";
import { RowCollector } from "./row-collector.ts";
import type { FilesAre } from "./row-ids.ts";
import type { TakeRow } from "./row-reader.ts";
import { RowSpool } from "./row-spool.ts";

/** How many experiments one upload may become: each keeps a megabyte while rows are read. */
export const MOST_PARTS = 50;

/** Which rows count, and which of them are together. */
export interface PartsRequest extends Chosen {
  readonly dataset: string;
  readonly files: FilesAre | undefined;
}

interface Part {
  /** Undefined where rows are not split. */
  readonly part: ColumnValue | undefined;
  readonly rows: RowCollector;
  readonly spool: RowSpool;
}

interface PartsDeps {
  readonly spoolDirectory: string | undefined;
  readonly faults: ResultFaults;
  readonly emit: Emit;
  readonly takeRow: TakeRow | undefined;
}

const SPLIT_ADVICE = "Give each row a value in this column, or choose a column that has one in each.";
const WHERE_ADVICE = "Choose a value that rows have.";

/** Leads each row to the experiment that it is part of. */
export class RowParts {
  readonly #request: PartsRequest;
  readonly #deps: PartsDeps;
  readonly #parts = new Map<string, Part>();
  readonly #files: string[] = [];
  readonly #wanted: readonly { readonly use: ColumnUse; readonly value: string }[];
  #split: ColumnUse | undefined;
  #left = 0;
  #chosen = 0;

  constructor(request: PartsRequest, deps: PartsDeps) {
    const { where = [], splitBy } = request;
    this.#request = request;
    this.#deps = deps;
    this.#wanted = where.map(({ column, value }) => ({ use: new ColumnUse(column), value: value.trim() }));
    if (splitBy === undefined) this.#add("", undefined);
  }

  get all(): readonly Part[] {
    return [...this.#parts.values()];
  }

  /** How many rows have not the values that are wanted. */
  get left(): number {
    return this.#left;
  }

  /** The rows that follow are of this file. */
  beginFile(name: string): void {
    this.#endFile();
    this.#files.push(name);
    for (const { rows } of this.#parts.values()) rows.beginFile(name);
    const { splitBy } = this.#request;
    if (splitBy !== undefined) this.#split = new ColumnUse(splitBy);
  }

  /** Takes a row. Throws DataFileError where rows would become too many experiments. */
  add(found: FoundRow): void {
    const source = "bytes" in found ? sourceOf(found) : found;
    if (!this.#isWanted(source)) {
      this.#left += 1;
      return;
    }
    this.#chosen += 1;
    const split = this.#split;
    if (!split) {
      this.#parts.get("")?.rows.add(found);
      return;
    }
    const value = split.valueOf(source);
    if (value === undefined) return;
    const part = this.#parts.get(value) ?? this.#add(value, { column: split.column, value });
    // Rows of two parts are compared by their ids.
    const id = "bytes" in found ? undefined : found.idWithin?.(split.column);
    part.rows.add(id === undefined ? found : { ...found, id });
  }

  /** No further rows follow: says what is wrong with the columns. */
  end(): void {
    this.#endFile();
    this.#endWhere();
    const { splitBy } = this.#request;
    const warning = splitBy === undefined ? undefined : caseWarning(splitBy, this.#parts.keys());
    if (warning !== undefined) this.#warn(warning);
    // What is wrong is told of an experiment, also where no row is of one.
    if (this.#parts.size === 0) this.#add("", undefined);
    for (const { rows, spool } of this.#parts.values()) {
      rows.end(this.#request);
      spool.close();
    }
  }

  async remove(): Promise<void> {
    for (const { spool } of this.#parts.values()) await spool.remove();
  }

  #isWanted(source: SourceRow): boolean {
    let isWanted = true;
    // Each column sees each row.
    for (const { use, value } of this.#wanted) if (use.valueOf(source) !== value) isWanted = false;
    return isWanted;
  }

  #add(value: string, part: ColumnValue | undefined): Part {
    const { dataset, files } = this.#request;
    const { spoolDirectory, faults, takeRow } = this.#deps;
    if (this.#parts.size === MOST_PARTS) {
      const fault = `${quotedName(part?.column ?? "")} has more than ${String(MOST_PARTS)} values, and each would be an experiment`;
      throw new DataFileError({ file: this.#files.at(-1) ?? "" }, fault, {
        advice: "Choose a column with few values, such as the model.",
      });
    }
    const spool = new RowSpool(spoolDirectory);
    const rows = new RowCollector({ dataset, files }, spool, faults, takeRow);
    for (const name of this.#files) rows.beginFile(name);
    const made = { part, rows, spool };
    this.#parts.set(value, made);
    return made;
  }

  #endFile(): void {
    const split = this.#split;
    this.#split = undefined;
    const file = this.#files.at(-1);
    if (!split || file === undefined) return;
    const { faults } = this.#deps;
    if (split.isUnknown) {
      faults.add({ file }, split.unknownText, { advice: "Choose one of them.", reasons: ["COLUMN_MISSING"] });
      return;
    }
    for (const { place, message } of split.gaps) {
      faults.add(place, message, { advice: SPLIT_ADVICE, reasons: ["COLUMN_MISSING"] });
    }
  }

  #endWhere(): void {
    const { faults } = this.#deps;
    for (const { use, value } of this.#wanted) {
      const file = this.#files[0] ?? "";
      const reasons = ["COLUMN_MISSING"] as const;
      if (use.isUnknown) faults.add({ file }, use.unknownText, { advice: WHERE_ADVICE, reasons });
      else if (!use.values.has(value) && this.#chosen === 0 && use.values.size > 0) {
        const message = `no row has ${quotedName(value)} in ${quotedName(use.column)}; its values are ${use.valuesText}`;
        faults.add({ file }, message, { advice: WHERE_ADVICE, reasons });
      } else {
        for (const warning of [gapsWarning(use), caseWarning(use.column, use.values)])
          if (warning !== undefined) this.#warn(warning);
      }
    }
    if (this.#wanted.length > 1 && this.#chosen === 0 && this.#left > 0 && faults.count === 0) {
      const columns = this.#wanted.map(({ use }) => quotedName(use.column)).join(", ");
      const message = `no row has all of the values that are wanted of ${columns}`;
      faults.add({ file: this.#files[0] ?? "" }, message, { advice: WHERE_ADVICE, reasons: ["COLUMN_MISSING"] });
    }
  }

  #warn(message: string): void {
    this.#deps.emit({ type: "warning", message });
  }
}
