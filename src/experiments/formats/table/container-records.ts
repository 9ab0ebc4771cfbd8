import { jsonListElements, jsonObjectMembers, jsonTexts, type JsonPiece } from "../../../files/json/array-split.ts";
import { kindOf } from "../../../files/json/kind.ts";
import { ExactNumber, isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { RecordContext } from "../shared/format.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { jsonLines, type JsonRecord } from "../shared/json-records.ts";
import { ElementPlaces, listedPieces, parsedPiece } from "../shared/listed-values.ts";
import type { ValuePlace } from "../shared/ledger.ts";
import type { Container } from "./container.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import { countOf } from "../../../text/number.ts";
import { quotedName } from "../../../text/quoted.ts";

/** The records of a container, in the order of the file. Throws `DataFileError` for a file that breaks. */
export function containerRecords(
  container: Container,
  file: ResultFile,
  context: RecordContext,
): Generator<JsonRecord, void> {
  switch (container.shape) {
    case "lines":
      return jsonLines(file, context);
    case "texts":
    case "one":
      return recordsOf(
        jsonTexts(file.bytes).map((piece) => ({ piece, place: { file: file.name, line: piece.line } })),
        context,
      );
    case "list": {
      const { path } = container;
      // A list that is all of the file is read to the end of the file, to see that nothing stands behind it.
      if (path.length === 0) return recordsOf(listedPieces(file, path), context);
      const places = new ElementPlaces(file.name, path, 0);
      const pieces = jsonListElements(file.bytes, path).map((piece) => ({ piece, place: places.next(piece) }));
      return recordsOf(pieces, context);
    }
    case "ids":
      return recordsOf(labelledPieces(file, container.path), context);
    case "split":
      return splitRecords(file, container.path, container.rows, context);
    case "columns":
      return columnRecords(file, container.path);
  }
}

interface RecordPiece {
  readonly piece: JsonPiece;
  readonly place: ValuePlace;
  /** What names the record from outside. */
  readonly label?: string | undefined;
}

function* labelledPieces(file: ResultFile, path: readonly string[]): Iterable<RecordPiece> {
  const places = new ElementPlaces(file.name, path, 0);
  let isCounted: boolean | undefined;
  for (const { key, ...piece } of jsonObjectMembers(file.bytes, path)) {
    isCounted ??= countsRows(key);
    yield { piece, place: places.next(piece), label: isCounted ? undefined : key };
  }
}

function* recordsOf(pieces: Iterable<RecordPiece>, context: RecordContext): Generator<JsonRecord, void> {
  for (const { piece, place, label } of pieces) {
    const value = parsedPiece(piece, place, context);
    if (isJsonObject(value)) {
      yield { record: label === undefined ? value : withLabel(value, label), place, size: piece.bytes.length };
    } else if (value !== undefined) context.fault(place, `a record is ${kindOf(value)}, not an object`);
  }
}

/** The objects of a file of a tool, which stand in a JSON list, one a line, or alone. Throws `DataFileError`. */
export function recordList(file: ResultFile, context: RecordContext): Generator<JsonRecord, void> {
  const { kind } = file.json;
  if (kind === "array") return containerRecords({ shape: "list", path: [], beside: [] }, file, context);
  return containerRecords({ shape: kind === "object" ? "one" : kind === "texts" ? "texts" : "lines" }, file, context);
}

/** The records of an object of `columns` and a list of lists, at `rows`; `index` may label them. */
function* splitRecords(
  file: ResultFile,
  path: readonly string[],
  rows: string,
  context: RecordContext,
): Generator<JsonRecord, void> {
  const columns = columnNames(file, [...path, "columns"]);
  const labels = labelsOf(file, [...path, "index"]);
  const places = new ElementPlaces(file.name, [...path, rows], 0);
  try {
    for (const piece of jsonListElements(file.bytes, [...path, rows])) {
      const place = places.next(piece);
      const label = labels.next().value;
      const cells = parsedPiece(piece, place, context);
      if (cells === undefined) continue;
      if (!isJsonList(cells)) context.fault(place, `a row is ${kindOf(cells)}, not a list of cells`);
      else if (cells.length !== columns.length) {
        const count = String(columns.length);
        context.fault(place, `the row has ${countOf(cells.length, "cell")}, but there are ${count} columns`);
      } else {
        const record = Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null]));
        yield { record: label === undefined ? record : withLabel(record, label), place, size: piece.bytes.length };
      }
    }
  } finally {
    // The two lists are read side by side, and the labels may be fewer.
    labels.return(undefined);
  }
}

/** The records of an object of columns, each an object by labels, or a list. */
export function* columnRecords(file: ResultFile, path: readonly string[]): Generator<JsonRecord, void> {
  if (file.size > MAX_BYTES) throw new DataFileError({ file: file.name }, TOO_LARGE, { advice: BY_RECORDS });
  const columns = [...jsonObjectMembers(file.bytes, path)].map(({ key, bytes, line }): Column => {
    return { name: key, values: valuesOf(parseJsonValue(bytes, { file: file.name, line })) };
  });
  refuseUneven(file, columns);
  const labels = [...new Set(columns.flatMap(({ values }) => [...values.keys()]))];
  const [first] = labels;
  const isCounted = first === undefined || typeof first === "number" || countsRows(first);
  for (const [row, label] of labels.entries()) {
    const cells = columns.flatMap(({ name, values }): [string, JsonValue][] => {
      const value = values.get(label);
      return value === undefined ? [] : [[name, value]];
    });
    const record: JsonObject = Object.fromEntries(cells);
    const place = { file: file.name, row: row + 1 };
    yield { record: isCounted ? record : withLabel(record, String(label)), place, size: GUESSED_BYTES };
  }
}

// All columns are in memory, since the last one may have a part of the first row.
const MAX_BYTES = 64 * 1024 * 1024;
const TOO_LARGE = "the rows are stored by column, and such a file can be read only up to 64 MiB";
const BY_RECORDS = 'Write one record per line; with pandas: `to_json(…, orient="records", lines=True)`.';
const GUESSED_BYTES = 1024;

interface Column {
  readonly name: string;
  readonly values: ReadonlyMap<string | number, JsonValue>;
}

function valuesOf(column: JsonValue): Column["values"] {
  if (isJsonObject(column)) return new Map(Object.entries(column));
  return new Map(isJsonList(column) ? column.entries() : []);
}

/** Lists have no labels to show which value belongs to which row. */
function refuseUneven({ name: file }: ResultFile, [first, ...others]: readonly Column[]): void {
  if (first?.values.has(0) !== true) return;
  const other = others.find(({ values }) => values.size !== first.values.size);
  if (!other) return;
  const sizes = `${countOf(first.values.size, "value")}, but ${quotedName(other.name)} has ${String(other.values.size)}`;
  throw new DataFileError({ file }, `the column ${quotedName(first.name)} has ${sizes}`);
}

function columnNames(file: ResultFile, path: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const { bytes, line } of jsonListElements(file.bytes, path)) {
    const place = { file: file.name, line };
    const name = labelText(parseJsonValue(bytes, place));
    if (name === undefined) throw new DataFileError(place, "the name of a column is neither a text nor a number");
    if (names.includes(name)) throw new DataFileError(place, `the column ${quotedName(name)} appears twice`);
    names.push(name);
  }
  return names;
}

/** The labels of the rows, one by one; none where they count the rows only. */
function* labelsOf(file: ResultFile, path: readonly string[]): Generator<string | undefined, undefined, undefined> {
  let isFirst = true;
  for (const { bytes, line } of jsonListElements(file.bytes, path)) {
    const label = labelText(parseJsonValue(bytes, { file: file.name, line }));
    if (isFirst && (label === undefined || countsRows(label))) return undefined;
    isFirst = false;
    yield label;
  }
  return undefined;
}

function labelText(value: JsonValue): string | undefined {
  if (typeof value === "string") return value;
  if (value instanceof ExactNumber) return value.text;
  return typeof value === "number" ? String(value) : undefined;
}

/** The record with the label under which it stands as its id, where it has none itself. */
function withLabel(record: JsonObject, label: string): JsonObject {
  return Object.hasOwn(record, "id") ? record : { id: label, ...record };
}

/** True where the first label shows that labels count the rows, and name none. */
function countsRows(first: string): boolean {
  return first === "0";
}
