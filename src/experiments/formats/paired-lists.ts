import { ResultFileError } from "../json/errors.ts";
import type { JsonValue } from "../json/value.ts";
import type { ResultFile } from "../result-file.ts";
import { listedValues, type ListedValue } from "./listed-values.ts";
import { isJsonObject } from "./shape.ts";

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
  rest: (document: JsonValue) => void,
): Generator<ListedValue, void, undefined> {
  let document: JsonValue | undefined;
  try {
    yield* listedValues(file, lists.first, (found) => {
      document = found;
      rest(found);
    });
  } catch (error) {
    throw isTooMuchBesides(error) ? new ResultFileError({ file: file.name }, tooMuch(lists), ADVICE) : error;
  }
  const held = listAt(document, lists.second);
  if (held.length > 0) yield* secondList(file, lists.second, held);
}

/** Splits the file again, which tells the lines; where the first list is too large for that, what it left must do. */
function* secondList(
  file: ResultFile,
  path: readonly string[],
  held: readonly JsonValue[],
): Generator<ListedValue, void, undefined> {
  let count = 0;
  try {
    for (const listed of listedValues(file, path)) {
      count++;
      yield listed;
    }
  } catch (error) {
    if (!isTooMuchBesides(error)) throw error;
    const name = path.join(".");
    for (const value of held.slice(count)) yield { value, place: { file: file.name, path: `${name}.${count++}` } };
  }
}

const ADVICE = { advice: "Write the two lists into files of their own." };

function tooMuch({ first, second }: PairedLists): string {
  return `\`${second.join(".")}\` and the rest of the file are over 32 MiB, too much to be read besides \`${first.join(".")}\``;
}

function isTooMuchBesides(error: unknown): boolean {
  return error instanceof ResultFileError && error.fault.includes("32 MiB besides");
}

function listAt(value: JsonValue | undefined, path: readonly string[]): readonly JsonValue[] {
  let found = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return isList(found) ? found : [];
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
