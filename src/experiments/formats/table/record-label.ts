import type { JsonObject } from "../../../files/json/value.ts";

/** The record with the label under which it stands as its id, where it has none itself. */
export function withLabel(record: JsonObject, label: string): JsonObject {
  return Object.hasOwn(record, "id") ? record : { id: label, ...record };
}

/** True where the first label shows that labels count the rows, and name none. */
export function countsRows(first: string): boolean {
  return first === "0";
}
