import type { FormatContext } from "../shared/format.ts";
import type { LeftOut } from "../shared/ledger.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { isMissingCell, scoreOfCell } from "./score-cell.ts";
import { csvHead } from "../shared/csv-file.ts";
import { csvObjects } from "./csv-table.ts";
import { readPythonLiteral } from "../shared/python-literal.ts";
import { recordList } from "./container-records.ts";
import { readLiteral } from "./cell-literal.ts";

/** A record that a tool wrote as a row of CSV or as an object of JSON: the same names, and the same values in them. */
export interface ToolRecord {
  readonly place: FilePlace;
  readonly names: readonly string[];
  /** What stands under a name, with lists and objects where a cell holds them; undefined for what is missing. */
  readonly value: (name: string) => JsonValue | undefined;
  /** The same for a value that no model wrote, so that words such as `None` mean a missing value. */
  readonly fact: (name: string) => JsonValue | undefined;
  /** The same where it may be a number or a boolean. */
  readonly score: (name: string) => JsonValue | undefined;
  /** The same without reading it, to see what it is. */
  readonly look: (name: string) => JsonValue | undefined;
  /** The same as a number; undefined for anything else. */
  readonly number: (name: string) => number | undefined;
  /** What a model answered: in CSV an empty answer looks as none does, which only a row that failed has. */
  readonly answer: (name: string, hasFailed: boolean) => JsonValue | undefined;
}

/** The names of a table, whichever of the two it is. */
export function toolNames(file: ResultFile): readonly string[] {
  return file.json?.topKeys ?? csvHead(file)?.header ?? [];
}

/** True for a table that has all of these names. */
export function hasNames(file: ResultFile, names: readonly string[]): boolean {
  const known = new Set(toolNames(file));
  return names.every((name) => known.has(name));
}

/**
 * The records of a file, one by one; other values are errors. What is asked for in no record is noted as not read, but
 * for what the format leaves out. Throws `DataFileError`.
 */
export function* toolRecords(
  file: ResultFile,
  context: FormatContext,
  leftOut: LeftOut = NOTHING,
): Generator<ToolRecord, void, undefined> {
  const { ledger } = context;
  const asked = new Set<string>();
  const isNoted = (name: string) => !asked.has(name) && !isIndex(name);
  let cells = 0;
  try {
    if (!file.json) {
      for (const { record, place } of csvObjects(file, context)) {
        yield asking(ofCells(record, place), asked);
        // A cell is dear to read, and the first ones show what such cells hold.
        const valueOf = cells++ < MOST_CELLS ? cellValue : (cell: string) => cell;
        for (const name in record) if (isNoted(name)) ledger.note(name, valueOf(record[name] ?? ""), leftOut);
      }
      return;
    }
    for (const { record, place } of recordList(file, context)) {
      yield asking(ofObject(record, place), asked);
      for (const name in record) if (isNoted(name)) ledger.note(name, record[name], leftOut);
    }
  } finally {
    // Some are asked for in later records only.
    ledger.read(asked);
  }
}

const NOTHING: LeftOut = new Set<string>();

/** True for the name of an index of pandas: none, or what pandas calls such a column. */
export function isIndex(name: string): boolean {
  return name === "" || name.startsWith("Unnamed: ");
}

const MOST_CELLS = 100;

/** The record, which keeps what it was asked for. */
function asking(record: ToolRecord, asked: Set<string>): ToolRecord {
  const kept = <Value>(of: (name: string) => Value) => {
    return (name: string) => {
      asked.add(name);
      return of(name);
    };
  };
  const { place, names, value, fact, score, look, number, answer } = record;
  const answered = (name: string, hasFailed: boolean) => {
    asked.add(name);
    return answer(name, hasFailed);
  };
  return {
    place,
    names,
    value: kept(value),
    fact: kept(fact),
    score: kept(score),
    look,
    number: kept(number),
    answer: answered,
  };
}

function ofObject(record: JsonObject, place: FilePlace): ToolRecord {
  const value = (name: string) => {
    const found = record[name];
    return found === null || found === NOT_A_NUMBER ? undefined : found;
  };
  const fact = (name: string) => (record[name] === "" ? undefined : value(name));
  const number = (name: string) => numberOf(value(name));
  return { place, names: Object.keys(record), value, fact, score: value, look: value, number, answer: value };
}

function ofCells(record: Readonly<Record<string, string>>, place: FilePlace): ToolRecord {
  const value = (name: string) => {
    const cell = record[name];
    return cell === undefined || cell === "" ? undefined : cellValue(cell);
  };
  const score = (name: string) => scoreOfCell(record[name] ?? "") ?? undefined;
  return {
    place,
    names: Object.keys(record),
    value,
    fact: (name) => (isMissingCell(record[name] ?? "") ? undefined : value(name)),
    score,
    look: score,
    number: (name) => numberOf(score(name)),
    answer: (name, hasFailed) => value(name) ?? (hasFailed ? undefined : record[name]),
  };
}

function numberOf(value: JsonValue | undefined): number | undefined {
  if (value instanceof ExactNumber) return value.value;
  return typeof value === "number" ? value : undefined;
}

/** A list, an object or a text in quotes, as JSON or Python's `repr` writes them into a cell; else the text. */
function cellValue(cell: string): JsonValue {
  return readLiteral(cell) ?? (cell.startsWith('"') ? readPythonLiteral(cell) : undefined) ?? cell;
}
