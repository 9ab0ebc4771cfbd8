import { ExactNumber, NOT_A_NUMBER, type JsonObject, type JsonValue } from "./json/value.ts";

/** True for an object of a result file: no list, no null, and no number that is kept as an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return value !== NOT_A_NUMBER && !(value instanceof ExactNumber);
}

/** True for a list of a result file; Array.isArray makes any[] of one that is read-only. */
export function isJsonList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** True for what JSON.parse has made of a text: all but undefined. */
export function isParsedJson(value: unknown): value is JsonValue {
  return value !== undefined;
}

/** True for nothing at all: null, NaN, and an empty text, list or object; 0 and false are values. */
export function saysNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === NOT_A_NUMBER) return true;
  if (isJsonList(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** An object, or one without members for anything else. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A text, or an empty one for anything else. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** True for a value with more levels of lists and objects than this. */
export function isDeeperThan(levels: number, value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const members = isJsonList(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return members.some((member) => isDeeperThan(levels - 1, member));
}

/** A list; empty for any other value. */
export function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonList(value) ? value : [];
}
