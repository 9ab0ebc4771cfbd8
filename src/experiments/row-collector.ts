import { createHash } from "node:crypto";
import { IdTable } from "./id-table.ts";
import type { ResultPlace } from "./json/errors.ts";
import { KeptRows } from "./kept-rows.ts";
import { placeText, type ResultFaults } from "./result-faults.ts";
import { isRowId, rowId } from "./row-id.ts";
import { readRow } from "./row-reader.ts";
import type { RowSpool } from "./row-spool.ts";
import { ScoreTally } from "./score-tally.ts";
import type { SourceRow } from "./source-row.ts";

/**
 * Takes the rows of all files: gives each its id, counts repetitions within a file, takes a row that two files share
 * once, and refuses one that they tell in two ways.
 */
export class RowCollector {
  readonly tally = new ScoreTally();
  readonly #dataset: string;
  readonly #spool: RowSpool;
  readonly #faults: ResultFaults;
  readonly #ids = new IdTable();
  readonly #kept = new KeptRows();
  #errors = 0;
  #naiveTimes = 0;
  #shared = 0;

  constructor(dataset: string, spool: RowSpool, faults: ResultFaults) {
    this.#dataset = dataset;
    this.#spool = spool;
    this.#faults = faults;
  }

  /** Rows with an error. */
  get errors(): number {
    return this.#errors;
  }

  /** Times without a zone. */
  get naiveTimes(): number {
    return this.#naiveTimes;
  }

  /** Rows that two files have, and that were taken once. */
  get shared(): number {
    return this.#shared;
  }

  /** The rows that follow are of this file. */
  beginFile(name: string): void {
    this.#kept.beginFile(name);
  }

  add(source: SourceRow): void {
    const row = readRow(source, {
      fault: (place, message) => {
        this.#faults.add(place, message);
      },
      naiveTime: () => (this.#naiveTimes += 1),
    });
    if (row === undefined) return;
    const { inputs, expected } = row;
    const idOf = (repetition: number) => rowId({ dataset: this.#dataset, id: source.id, inputs, expected, repetition });
    const { start, end, latency } = row.times;
    const digest = digestOf(`${row.members} ${String(start)} ${String(end)} ${String(latency)}`);
    const id = this.#freeId(source, idOf, digest);
    if (id === undefined) return;
    this.#ids.add(id, this.#kept.count);
    this.#kept.add(source.place.line, digest);
    this.#spool.add(`"row_id":"${id}",${row.members}`, row.times);
    this.tally.addRow(row.scores);
    if (row.hasError) this.#errors += 1;
  }

  /** Where a row that was taken stands. */
  placeOf(row: number): ResultPlace {
    return this.#kept.placeOf(row);
  }

  /** The id of a row; undefined for one that is there already, and after a fault. */
  #freeId(source: SourceRow, idOf: (repetition: number) => string, digest: bigint): string | undefined {
    // A uuid names one row; two rows of one file with another id are repetitions, however equal they are.
    const isCounted = source.repetition !== undefined || isRowId(source.id);
    for (let repetition = source.repetition ?? 0; ; repetition += 1) {
      const id = idOf(repetition);
      const row = this.#ids.get(id);
      if (row === undefined) return id;
      const isOfThisFile = this.#kept.isOfThisFile(row);
      if (isOfThisFile && !isCounted) continue;
      if (this.#kept.isSame(row, digest)) this.#shared += 1;
      else this.#faults.add(source.place, `the row is also in ${placeText(this.placeOf(row))}, and differs there`);
      return undefined;
    }
  }
}

function digestOf(text: string): bigint {
  return createHash("sha1").update(text).digest().readBigUInt64LE(0);
}
