import { ExactNumber, isJsonList, isJsonObject, type JsonValue, NOT_A_NUMBER } from "../../files/json/value.ts";

/** The deepest nesting of a run that is sent. */
export const MOST_DEPTH = 180;

/**
 * A plain value for JSON.stringify: numbers keep their digits, NaN and Infinity become null. Undefined for a value that is
 * nested deeper than MOST_DEPTH.
 */
export function sentValue(value: JsonValue, depth = MOST_DEPTH): unknown {
  if (value instanceof ExactNumber) return value.toJSON();
  if (value === NOT_A_NUMBER) return null;
  const isList = isJsonList(value);
  if (!isList && !isJsonObject(value)) return value;
  if (depth === 0) return undefined;
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries<JsonValue>(value);
  const sent = entries.map(([key, item]) => [key, sentValue(item, depth - 1)] as const);
  if (sent.some(([, item]) => item === undefined)) return undefined;
  // Nearly all values need no copy.
  if (sent.every(([, item], at) => item === entries[at]?.[1])) return value;
  return isList ? sent.map(([, item]) => item) : Object.fromEntries(sent);
}

/** The value of a field that must be an object: other values are wrapped in one. */
export function objectOf(value: JsonValue, name: "input" | "output"): JsonValue {
  return isJsonObject(value) ? value : { [name]: value };
}
