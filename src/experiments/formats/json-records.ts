import type { FormatContext } from "../format.ts";
import { isJsonObject } from "../json-object.ts";
import type { JsonPiece } from "../json/array-split.ts";
import { ResultFileError, type ResultPlace } from "../json/errors.ts";
import { splitJsonLines } from "../json/line-split.ts";
import { parseJsonValue } from "../json/parsed-value.ts";
import type { JsonObject, JsonValue } from "../json/value.ts";
import type { ResultFile } from "../result-file.ts";
import { kindOf } from "../score.ts";

/** An object of a file. */
export interface JsonRecord {
  readonly record: JsonObject;
  readonly place: ResultPlace;
  /** How long its text is. */
  readonly bytes: number;
}

/**
 * The objects of a file with one a line. A line that holds none is a fault, and the reading goes on; a last line that
 * breaks off is a `ResultFileError`.
 */
export function* jsonLines(file: ResultFile, context: FormatContext): Generator<JsonRecord, void, undefined> {
  for (const piece of splitJsonLines(file.bytes)) {
    const place = { file: file.name, line: piece.line };
    const value = valueOfLine(piece, file, context);
    if (value === undefined) continue;
    if (isJsonObject(value)) yield { record: value, place, bytes: piece.bytes.length };
    else context.fault(place, `the line is ${kindOf(value)}, and should be an object`);
  }
}

function valueOfLine(piece: JsonPiece, file: ResultFile, context: FormatContext): JsonValue | undefined {
  try {
    return parseJsonValue(piece.bytes, { file: file.name, line: piece.line });
  } catch (error) {
    const isCut = piece.offset + piece.bytes.length >= file.size;
    if (!(error instanceof ResultFileError) || isCut) throw error;
    context.fault(error.place, error.fault);
    return undefined;
  }
}
