import type { ColumnRole } from "../../rows/columns.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { MOST_TOGETHER } from "./summary-record.ts";
import { isBlankPart, isEmptyPart, sumsUpColumn } from "./summary-values.ts";

/** A column or a path with its role, as far as it is known. */
export interface RoledColumn {
  readonly role: ColumnRole | undefined;
  readonly valueIn: (record: JsonObject) => JsonValue | undefined;
}

/**
 * The records without those at an edge that may sum up the others: a label or a sum among the values of a column would
 * make it another column. `isWhole` is true where no record follows; `columns` is asked for only where it is needed.
 */
export function withoutEdges(
  records: readonly JsonObject[],
  isWhole: boolean,
  columns: () => readonly RoledColumn[],
): readonly JsonObject[] {
  const middle = records[Math.floor(records.length / 2)];
  const [first, last] = [records[0], isWhole ? records.at(-1) : undefined];
  if (middle === undefined || ![first, last].some((edge) => edge !== undefined && filled(edge) < filled(middle))) {
    return records;
  }
  const read = columns();
  const of = (...parts: readonly ColumnRole["part"][]) => {
    return read.filter(({ role }) => role !== undefined && parts.includes(role.part));
  };
  const [outcomes, inputs, errors] = [of("outputs", "expected"), of("inputs"), of("error")];
  const areBlank = (looked: readonly RoledColumn[], record: JsonObject) =>
    looked.every((column) => isBlankPart(column.valueIn(record)));
  // Without inputs, or without outputs and expected outputs where the table has these columns.
  const isApart = (record: JsonObject) =>
    [outcomes, inputs].some((looked) => looked.length > 0 && areBlank(looked, record)) && areBlank(errors, record);
  const begin = records.findIndex((record) => !isApart(record));
  const end = isWhole ? records.findLastIndex((record) => !isApart(record)) + 1 : records.length;
  const rest = records.slice(Math.max(0, begin), end);
  const isClear = begin <= MOST_TOGETHER && records.length - end <= MOST_TOGETHER && !rest.some(isApart);
  const apart = [...records.slice(0, Math.max(0, begin)), ...records.slice(end)];
  // A case that got no output counts with the others.
  return isClear && rest.length > 0 && apart.every((record) => sumsUpColumn(record, rest)) ? rest : records;
}

function filled(record: JsonObject): number {
  return Object.values(record).filter((value) => !isEmptyPart(value)).length;
}
