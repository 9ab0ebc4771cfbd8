import type { FormatContext } from "../shared/format.ts";
import type { JsonRecord } from "../shared/json-records.ts";
import type { LeftOut } from "../shared/ledger.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { isMissing, numberIn, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { isMissingCell, scoreOfCell } from "./score-cell.ts";
import { csvObjects } from "./csv-table.ts";
import { readPythonLiteral } from "../shared/python-literal.ts";
import { recordList } from "./container-records.ts";
import { readLiteral } from "./cell-literal.ts";

/** A record that a tool wrote as a row of CSV or as an object of JSON: the same names, and the same values in them. */
export class ToolRecord {
  readonly place: FilePlace;
  readonly #record: JsonObject;
  readonly #areCells: boolean;
  /** Takes the names that are asked for. */
  readonly #asked: Set<string>;

  constructor(record: JsonObject, place: FilePlace, read: { readonly asked: Set<string>; readonly areCells: boolean }) {
    this.place = place;
    this.#record = record;
    this.#areCells = read.areCells;
    this.#asked = read.asked;
  }

  get names(): readonly string[] {
    return Object.keys(this.#record);
  }

  /** What stands under a name, with lists and objects where a cell holds them; undefined for what is missing. */
  value(name: string): JsonValue | undefined {
    this.#asked.add(name);
    return this.#valueOf(name);
  }

  /** The same for a value that no model wrote, so that words such as `None` mean a missing value. */
  fact(name: string): JsonValue | undefined {
    const value = this.value(name);
    const found = this.#record[name];
    return found === "" || (this.#areCells && typeof found === "string" && isMissingCell(found)) ? undefined : value;
  }

  /** The same where it may be a number or a boolean. */
  score(name: string): JsonValue | undefined {
    this.#asked.add(name);
    return this.look(name);
  }

  /** The same without reading it, to see what it is. */
  look(name: string): JsonValue | undefined {
    const found = this.#record[name];
    return this.#areCells && typeof found === "string" ? (scoreOfCell(found) ?? undefined) : this.#valueOf(name);
  }

  /** The same as a number of seconds, in milliseconds; undefined for anything else. */
  milliseconds(name: string): number | undefined {
    const seconds = numberIn(this.score(name));
    return seconds === undefined ? undefined : seconds * 1_000;
  }

  /** What a model answered: in CSV an empty answer looks as none does, which only a row that failed has. */
  answer(name: string, hasFailed: boolean): JsonValue | undefined {
    return this.value(name) ?? (this.#areCells && !hasFailed ? this.#record[name] : undefined);
  }

  #valueOf(name: string): JsonValue | undefined {
    const found = this.#record[name];
    if (isMissing(found) || (this.#areCells && found === "")) return undefined;
    return this.#areCells && typeof found === "string" ? cellValue(found) : found;
  }
}

/** The records of a file of JSON or of CSV, one by one; other values are errors. Throws `DataFileError`. */
export function namedRecords(file: ResultFile, context: FormatContext): Generator<JsonRecord, void> {
  return file.json.kind === "none" ? csvObjects(file, context) : recordList(file, context);
}

/**
 * The same as records of a tool. What is asked for in no record is noted as not read, but for what the format leaves out.
 * Throws `DataFileError`.
 */
export function* toolRecords(
  file: ResultFile,
  context: FormatContext,
  leftOut: LeftOut = new Set(),
): Iterable<ToolRecord> {
  const { ledger } = context;
  const asked = new Set<string>();
  const areCells = file.json.kind === "none";
  let count = 0;
  try {
    for (const { record, place } of namedRecords(file, context)) {
      yield new ToolRecord(record, place, { asked, areCells });
      // A cell is dear to read, and the first ones show what such cells hold.
      const isRead = areCells && count++ < MOST_CELLS;
      for (const name in record) {
        if (asked.has(name) || isIndex(name)) continue;
        const value = record[name];
        ledger.note(name, isRead && typeof value === "string" ? cellValue(value) : value, leftOut);
      }
    }
  } finally {
    // Some are asked for in later records only.
    ledger.read(asked);
  }
}

/** True for the name of an index of pandas: none, or what pandas calls such a column. */
export function isIndex(name: string): boolean {
  return name === "" || name.startsWith("Unnamed: ");
}

const MOST_CELLS = 100;

/** A list, an object or a text in quotes, as JSON or Python's `repr` writes them into a cell; else the text. */
function cellValue(cell: string): JsonValue {
  return readLiteral(cell) ?? (cell.startsWith('"') ? readPythonLiteral(cell) : undefined) ?? cell;
}
