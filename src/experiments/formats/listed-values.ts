import { splitJsonArray } from "../json/array-split.ts";
import { ResultFileError } from "../json/errors.ts";
import { parseJsonValue } from "../json/parsed-value.ts";
import type { JsonValue } from "../json/value.ts";
import type { ResultFile } from "../result-file.ts";
import type { ShapePlace } from "./shape.ts";

/** An element of a list in a file. */
export interface ListedValue {
  readonly value: JsonValue;
  readonly place: ShapePlace;
}

/**
 * The elements of the list at `path`, parsed one by one; `rest` gets the document without them at its end. Throws
 * ResultFileError for a file without that list, too.
 */
export function* listedValues(
  file: ResultFile,
  path: readonly string[],
  rest?: (document: JsonValue) => void,
): Generator<ListedValue, void, undefined> {
  const name = path.join(".");
  const split = splitJsonArray(file.bytes, path);
  try {
    let index = 0;
    let step = split.next();
    for (; step.done !== true; step = split.next()) {
      const place = { file: file.name, line: step.value.line, path: `${name}.${index++}` };
      yield { value: parseJsonValue(step.value.bytes, place), place };
    }
    if (!step.value.isFound) throw new ResultFileError({ file: file.name }, `there is no list \`${name}\``);
    rest?.(step.value.rest);
  } finally {
    // Whoever stops in between leaves the file open otherwise.
    split.return({ isFound: false });
  }
}
