import type { RecordContext } from "./format.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { JsonPiece } from "../../../files/json/array-split.ts";
import { DataFileError, type FilePlace } from "../../../files/json/errors.ts";
import type { ValuePlace } from "./ledger.ts";
import { splitJsonLines } from "../../../files/json/line-split.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { kindOf } from "../../../files/json/kind.ts";

/** An object of a file, or a record of a table by the names of its columns. */
export interface JsonRecord {
  readonly record: JsonObject;
  readonly place: FilePlace;
  /** How long its text is. */
  readonly size: number;
}

/**
 * The objects of a file with one per line. Another line is an error, and the reading continues; a last line that
 * breaks off is a `DataFileError`.
 */
export function* jsonLines(file: ResultFile, context: RecordContext): Generator<JsonRecord, void> {
  for (const line of linePieces(file)) {
    const record = lineRecord(line, file, context);
    if (record) yield { record, place: line.place, size: line.piece.bytes.length };
  }
}

/** A value of a file, not parsed yet. */
export interface PlacedPiece {
  readonly piece: JsonPiece;
  readonly place: ValuePlace;
}

/** The lines of a file with one object a line. */
export function* linePieces(file: ResultFile): Iterable<PlacedPiece> {
  for (const piece of splitJsonLines(file.bytes)) yield { piece, place: { file: file.name, line: piece.line } };
}

/** The object of a line; undefined after an error, which is reported. */
export function lineRecord(
  { piece, place }: PlacedPiece,
  file: ResultFile,
  context: RecordContext,
): JsonObject | undefined {
  const value = lineValue(piece, file, context);
  if (value === undefined || isJsonObject(value)) return value;
  context.fault(place, `the line is ${kindOf(value)}, not an object`);
  return undefined;
}

/** The value of a line of any kind; undefined after an error. */
export function lineValue(piece: JsonPiece, file: ResultFile, context: RecordContext): JsonValue | undefined {
  try {
    return parseJsonValue(piece.bytes, { file: file.name, line: piece.line });
  } catch (error) {
    const isCut = piece.offset + piece.bytes.length >= file.size;
    if (!(error instanceof DataFileError) || isCut) throw error;
    context.fault(error.place, error.fault);
    return undefined;
  }
}
