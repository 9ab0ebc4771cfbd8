import type { FormatContext } from "./format.ts";
import { Fields, type KeysLeftOut } from "./fields.ts";
import { ElementPlaces, listedValues, parsedPiece } from "./listed-values.ts";
import { jsonListElements } from "../../../files/json/array-split.ts";
import { DataFileError, RestTooLargeError } from "../../../files/json/errors.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRun } from "../../rows/source-row.ts";

/** Where a document of a tool has its rows, and how it is read. */
export interface ListOfFields {
  readonly path: readonly string[];
  /** The list whose elements follow those of the first one, which may be of any size; with the rest it is 32 MiB at most. */
  readonly second?: readonly string[];
  /** True where each element is a group of rows, and not a row. */
  readonly isOfGroups?: boolean;
  /** What is left out of each element. */
  readonly leftOut?: KeysLeftOut;
  /** What is left out of the document around the list. */
  readonly leftOutAround?: KeysLeftOut;
  /** What the document says of the run, once the list is read. */
  readonly runOf?: (document: Fields) => SourceRun;
}

/** The elements of a list, to be read field by field; then the document around it describes the run. Throws as `listedValues`. */
export function* listedFields(
  file: ResultFile,
  context: FormatContext,
  { path, second, isOfGroups = false, leftOut, leftOutAround, runOf = () => ({}) }: ListOfFields,
): Iterable<Fields> {
  const rest = (value: JsonValue) => {
    const document = Fields.of(value, { file: file.name }, context, leftOutAround);
    const run = runOf(document);
    if (document.end()) context.describeRun(run);
  };
  let count = 0;
  try {
    for (const { value, place } of listedValues(file, path, context, { rest, isOfGroups })) {
      count += 1;
      yield Fields.of(value, place, context, leftOut);
    }
  } catch (error) {
    if (!second || !(error instanceof RestTooLargeError)) throw error;
    const fault = `\`${second.join(".")}\` and the rest of the file are larger than 32 MiB, too large to be read beside \`${path.join(".")}\``;
    const advice = "Write the two lists into separate files.";
    throw new DataFileError({ file: file.name }, fault, { advice, cause: error });
  }
  if (!second) return;
  const places = new ElementPlaces(file.name, second, count);
  for (const piece of jsonListElements(file.bytes, second)) {
    const place = places.next(piece);
    const value = parsedPiece(piece, place, context);
    if (value !== undefined) yield Fields.of(value, place, context, leftOut);
  }
}
