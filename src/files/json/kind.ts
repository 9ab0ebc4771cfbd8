import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "./value.ts";

/** What kind of value it is, for a message that must not show the value. */
export function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  if (typeof value === "string") return value === "" ? "an empty text" : "a text";
  if (typeof value === "boolean") return "true or false";
  if (typeof value === "number" || value instanceof ExactNumber || value === NOT_A_NUMBER) return "a number";
  return Array.isArray(value) ? "a list" : "an object";
}
