import { jsonListElements, jsonObjectMembers, jsonTexts, type JsonPiece } from "../../../files/json/array-split.ts";
import { kindOf } from "../../../files/json/kind.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { FormatContext } from "../shared/format.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { jsonLines, type JsonRecord } from "../shared/json-records.ts";
import { ElementPlaces, listedPieces, parsedPiece } from "../shared/listed-values.ts";
import type { ShapePlace } from "../shared/shape.ts";
import { columnRecords, splitRecords } from "./column-records.ts";
import type { Container } from "./container.ts";
import { countsRows, withLabel } from "./record-label.ts";

/** The records of a container, in the order of the file. Throws `DataFileError` for a file that breaks. */
export function containerRecords(
  container: Container,
  file: ResultFile,
  context: FormatContext,
): Generator<JsonRecord, void, undefined> {
  switch (container.shape) {
    case "lines":
      return jsonLines(file, context);
    case "texts":
    case "one":
      return recordsOf(textPieces(file), context);
    case "list":
      return recordsOf(listPieces(file, container.path), context);
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
  readonly place: ShapePlace;
  /** What names the record from outside. */
  readonly label?: string | undefined;
}

function* textPieces(file: ResultFile): Generator<RecordPiece, void, undefined> {
  for (const piece of jsonTexts(file.bytes)) yield { piece, place: { file: file.name, line: piece.line } };
}

/** A list that is all of the file is read to the end of the file, to see that nothing stands behind it. */
function listPieces(file: ResultFile, path: readonly string[]): Generator<RecordPiece, void, undefined> {
  return path.length === 0 ? listedPieces(file, path) : partPieces(file, path);
}

function* partPieces(file: ResultFile, path: readonly string[]): Generator<RecordPiece, void, undefined> {
  const places = new ElementPlaces(file.name, path, 0);
  for (const piece of jsonListElements(file.bytes, path)) yield { piece, place: places.next(piece) };
}

function* labelledPieces(file: ResultFile, path: readonly string[]): Generator<RecordPiece, void, undefined> {
  const places = new ElementPlaces(file.name, path, 0);
  let isCounted: boolean | undefined;
  for (const { key, ...piece } of jsonObjectMembers(file.bytes, path)) {
    isCounted ??= countsRows(key);
    yield { piece, place: places.next(piece), label: isCounted ? undefined : key };
  }
}

function* recordsOf(pieces: Iterable<RecordPiece>, context: FormatContext): Generator<JsonRecord, void, undefined> {
  for (const { piece, place, label } of pieces) {
    const value = parsedPiece(piece, place, context);
    if (isJsonObject(value)) {
      yield { record: label === undefined ? value : withLabel(value, label), place, bytes: piece.bytes.length };
    } else if (value !== undefined) context.fault(place, `a record is ${kindOf(value)}, and should be an object`);
  }
}
