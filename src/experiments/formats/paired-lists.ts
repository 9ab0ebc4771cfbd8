import type { FormatContext } from "../format.ts";
import { ResultFileError, RestTooLargeError } from "../json/errors.ts";
import type { JsonValue } from "../json/value.ts";
import type { ResultFile } from "../result-file.ts";
import { listedValues, type ListedValue } from "./listed-values.ts";
import { isJsonList, isJsonObject } from "./shape.ts";

/** Two lists of rows in one document: paths of keys from the top. */
export interface PairedLists {
  /** The first one is always there. */
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/**
 * The elements of the first list and then those of the second, where there is one. `rest` gets the document without
 * the first list, once that is read. The first list may be of any size, the second 32 MiB long; ResultFileError says
 * so, and where the file breaks.
 */
export function* pairedLists(
  file: ResultFile,
  lists: PairedLists,
  context: FormatContext,
  rest: (document: JsonValue) => void,
): Generator<ListedValue, void, undefined> {
  let document: JsonValue | undefined;
  let count = 0;
  const keep = (found: JsonValue) => {
    document = found;
    rest(found);
  };
  try {
    for (const listed of listedValues(file, lists.first, context, { rest: keep })) {
      count++;
      yield listed;
    }
  } catch (error) {
    if (!(error instanceof RestTooLargeError)) throw error;
    throw new ResultFileError({ file: file.name }, tooMuch(lists), { ...ADVICE, cause: error });
  }
  const held = listAt(document, lists.second);
  if (held.length > 0) yield* secondList(file, lists.second, context, { held, before: count });
}

interface Second {
  readonly held: readonly JsonValue[];
  readonly before: number;
}

/** Splits the file again, which tells the lines; where the first list is too large for that, what it left must do. */
function* secondList(
  file: ResultFile,
  path: readonly string[],
  context: FormatContext,
  { held, before }: Second,
): Generator<ListedValue, void, undefined> {
  let count = 0;
  try {
    for (const listed of listedValues(file, path, context, { before })) {
      count++;
      yield listed;
    }
  } catch (error) {
    if (!(error instanceof RestTooLargeError)) throw error;
    const name = path.join(".");
    for (const value of held.slice(count)) {
      yield { value, place: { file: file.name, row: before + count + 1, path: `${name}.${count++}` } };
    }
  }
}

const ADVICE = { advice: "Write the two lists into files of their own." };

function tooMuch({ first, second }: PairedLists): string {
  return `\`${second.join(".")}\` and the rest of the file are over 32 MiB, too much to be read besides \`${first.join(".")}\``;
}

function listAt(value: JsonValue | undefined, path: readonly string[]): readonly JsonValue[] {
  let found = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return isJsonList(found) ? found : [];
}
