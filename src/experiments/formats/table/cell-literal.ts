import type { FilePlace } from "../../../files/json/errors.ts";
import { jsonValueOf } from "../../../files/json/parsed-value.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import type { RecordContext } from "../shared/format.ts";
import { quotedName } from "../../../text/quoted.ts";
import { isMissingCell } from "./score-cell.ts";
import { readPythonLiteral } from "../shared/python-literal.ts";

/**
 * The columns of a table of texts in which every cell is a list or an object, as JSON or as Python's `repr` writes it, by the
 * first records. Into those of `reached` a mapping goes: what stands in them has to be literals, whatever the first cells are.
 */
export function literalColumns(first: readonly JsonObject[], reached: ReadonlySet<string>): readonly string[] {
  const names = new Set(first.flatMap((record) => Object.keys(record)));
  return [...names].filter((name) => reached.has(name) || isLiteral(first, name));
}

/** The record with the values of its literals; undefined after an error, which is reported. */
export function withLiterals(
  record: JsonObject,
  columns: readonly string[],
  place: FilePlace,
  { fault }: Pick<RecordContext, "fault">,
): JsonObject | undefined {
  const read: [string, JsonValue][] = [];
  for (const name of columns) {
    const cell = record[name];
    if (typeof cell !== "string" || isMissingCell(cell)) continue;
    const value = readLiteral(cell);
    if (value === undefined) {
      fault(place, `the cell of ${quotedName(name)} is text, but must be JSON or a Python literal`);
      return undefined;
    }
    read.push([name, value]);
  }
  return read.length === 0 ? record : { ...record, ...Object.fromEntries(read) };
}

/** A list or an object as JSON or Python writes it; undefined for any other text. */
export function readLiteral(cell: string): JsonValue | undefined {
  const text = cell.trim();
  const first = text[0];
  if (first !== "{" && first !== "[") return undefined;
  const value = jsonValueOf(text) ?? readPythonLiteral(text);
  return isJsonObject(value) || isJsonList(value) ? value : undefined;
}

/** The first cell that is none ends the look: a column of texts costs no more than a glance. */
function isLiteral(records: readonly JsonObject[], name: string): boolean {
  let isSome = false;
  for (const record of records) {
    const cell = record[name];
    if (typeof cell !== "string" || isMissingCell(cell)) continue;
    if (readLiteral(cell) === undefined) return false;
    isSome = true;
  }
  return isSome;
}
