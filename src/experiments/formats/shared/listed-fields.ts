import type { FormatContext } from "./format.ts";
import { Fields, type KeysLeftOut } from "./fields.ts";
import { listedValues, pairedLists } from "./listed-values.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRun } from "../../rows/source-row.ts";

/** Where a document of a tool has its rows, and how it is read. */
export interface ListOfFields {
  readonly path: readonly string[];
  /** The list whose elements follow those of the first one, where there is one. */
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
  const values = second
    ? pairedLists(file, { first: path, second }, context, rest)
    : listedValues(file, path, context, { rest, isOfGroups });
  for (const { value, place } of values) yield Fields.of(value, place, context, leftOut);
}
