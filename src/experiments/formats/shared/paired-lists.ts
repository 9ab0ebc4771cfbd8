import type { FormatContext } from "./format.ts";
import { DataFileError, RestTooLargeError } from "../../../files/json/errors.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { listedValues, moreListedValues, type ListedValue } from "./listed-values.ts";

/** Two lists of rows in one document: paths of keys from the top. */
export interface PairedLists {
  /** The first one is always there. */
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/**
 * The elements of the first list and then those of the second, where there is one. `rest` gets the document without
 * the first list, once that is read. The first list may be of any size, the second 32 MiB long; DataFileError says
 * so, and where the file breaks.
 */
export function* pairedLists(
  file: ResultFile,
  { first, second }: PairedLists,
  context: FormatContext,
  rest: (document: JsonValue) => void,
): Generator<ListedValue, void, undefined> {
  let count = 0;
  try {
    for (const listed of listedValues(file, first, context, { rest })) {
      count++;
      yield listed;
    }
  } catch (error) {
    if (!(error instanceof RestTooLargeError)) throw error;
    const fault = `\`${second.join(".")}\` and the rest of the file are over 32 MiB, too much to be read besides \`${first.join(".")}\``;
    const advice = "Write the two lists into files of their own.";
    throw new DataFileError({ file: file.name }, fault, { advice, cause: error });
  }
  yield* moreListedValues(file, second, context, count);
}
