/** A number that a double cannot hold: it keeps its digits, and is written as it was read. */
export class ExactNumber {
  /** As written in the file. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The nearest double; infinite for a number that is too large. */
  get value(): number {
    return Number(this.text);
  }

  /** What JSON.stringify writes in its place. */
  toJSON(): object {
    return JSON.rawJSON(this.text);
  }
}

/** The double of a number; undefined for anything else. */
export function numberIn(value: JsonValue | undefined): number | undefined {
  const number = value instanceof ExactNumber ? value.value : value;
  return typeof number === "number" ? number : undefined;
}

/** True where a value is missing: it is not there, null, or NaN. */
export function isMissing(value: JsonValue | undefined): value is NotANumber | null | undefined {
  return value === undefined || value === null || value === NOT_A_NUMBER;
}

/** The type of `NOT_A_NUMBER`. */
export interface NotANumber {
  /** What JSON.stringify writes in its place. */
  readonly toJSON: () => null;
}

/**
 * Stands where a file says NaN, Infinity or -Infinity, as Python writes them and JSON has no word for: as a score it
 * is missing, and everywhere else it is written as null.
 */
export const NOT_A_NUMBER: NotANumber = Object.freeze({ toJSON: () => null });

/** A value of a result file. An object may have a key `__proto__` as any other: to be copied by spreading only. */
export type JsonValue = string | number | boolean | null | ExactNumber | NotANumber | readonly JsonValue[] | JsonObject;

/** An object of a result file. */
export interface JsonObject {
  /** The members, by name. */
  readonly [key: string]: JsonValue;
}

/** A value as it is sent, without spaces; numbers as they were read. */
export function writeJsonValue(value: JsonValue): string {
  return JSON.stringify(value);
}

/** A value as its receiver reads it: every number is a plain one, and what JSON has no word for is null. */
export function receivedValue(value: JsonValue): unknown {
  return JSON.parse(writeJsonValue(value));
}

declare global {
  interface JSON {
    /** ECMA-262, JSON.parse source text access: what JSON.stringify writes as it is. TypeScript 6 does not know it. */
    rawJSON(text: string): object;
  }
}

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
