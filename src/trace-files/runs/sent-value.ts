import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonValue } from "../../files/json/value.ts";

/** Deeper than this no run is sent: whoever writes it cuts it there. */
export const MOST_DEPTH = 180;

/**
 * A value as JSON.stringify takes it without calling anything of it: numbers keep their digits, and what JSON has no
 * word for is null. Undefined for what is nested deeper than MOST_DEPTH.
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
  // Nearly all values are sent as they are.
  if (sent.every(([, item], at) => item === entries[at]?.[1])) return value;
  return isList ? sent.map(([, item]) => item) : Object.fromEntries(sent);
}

/** The value of a field that must be an object: what is none stands in one, under a name. */
export function objectOf(value: JsonValue, name: "input" | "output"): JsonValue {
  return isJsonObject(value) ? value : { [name]: value };
}
