import { splitJsonArray } from "../../../files/json/array-split.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";

/**
 * The document without the elements of the list at `path`, which are passed over unread; undefined where it has no
 * such list or cannot be read: whoever reads the rows tells why.
 */
export function documentRest(file: ResultFile, path: readonly string[]): JsonValue | undefined {
  try {
    const split = splitJsonArray(file.bytes, path);
    let step = split.next();
    while (step.done !== true) step = split.next();
    return step.value.isFound ? step.value.rest : undefined;
  } catch (error) {
    if (error instanceof DataFileError) return undefined;
    throw error;
  }
}
