import { DataFileError } from "../../../files/json/errors.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { quotedName } from "../../../text/quoted.ts";
import { AmbiguousStepError, firstOfBrackets, valueAt } from "../../rows/dotted-path.ts";
import type { SeenColumn } from "../../rows/columns.ts";
import { mappedPaths } from "../../rows/mapped-paths.ts";
import type { RecordContext } from "../shared/format.ts";
import { scoreValueOf } from "./nested-scores.ts";

/** The value at a path, for a score the score in an object. Throws AmbiguousStepError. */
export function mappedValue(record: JsonObject, { name, role }: SeenColumn): JsonValue | undefined {
  const value = valueAt(record, name);
  return role?.part === "score" && value !== undefined ? scoreValueOf(value) : value;
}

/** The same; undefined where the path is ambiguous. */
export function seenValue(record: JsonObject, item: SeenColumn): JsonValue | undefined {
  try {
    return mappedValue(record, item);
  } catch (error) {
    if (error instanceof AmbiguousStepError) return undefined;
    throw error;
  }
}

/** True for a path that is the other, or leads into it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`) || firstOfBrackets(path) === other;
}

/** The column into which a path goes; undefined for a path that is a column, or leads to none. */
export function reachedColumn(path: string, columns: ReadonlySet<string>): string | undefined {
  if (columns.has(path)) return undefined;
  const first = firstOfBrackets(path);
  if (first !== undefined) return columns.has(first) ? first : undefined;
  for (let dot = path.indexOf("."); dot !== -1; dot = path.indexOf(".", dot + 1)) {
    const column = path.slice(0, dot);
    if (columns.has(column)) return column;
  }
  return undefined;
}

/** Refuses a mapping of columns that a table does not have. */
export function refuseUnknownColumns(
  columns: readonly string[],
  { file, context, line = 1 }: { readonly file: string; readonly context: RecordContext; readonly line?: number },
): void {
  if (!context.mapping) return;
  if (context.mapping.rows !== undefined) {
    throw new DataFileError({ file, line }, "the mapping has `rows`, but a table has only one place for rows", {
      advice: "Leave `rows` out of the mapping, or upload the tables separately.",
    });
  }
  const known = new Set(columns);
  const unknown = mappedPaths(context.mapping).filter(
    ({ name }) => !known.has(name) && reachedColumn(name, known) === undefined,
  );
  if (unknown.length === 0) return;
  const names = [...new Set(unknown.map(({ name }) => quotedName(name)))].join(", ");
  const there = columns.slice(0, 20).map(quotedName).join(", ");
  const fault = `the mapping names ${names}, but the only columns are ${there}`;
  throw new DataFileError({ file, line }, fault, { advice: "Correct the mapping." });
}
