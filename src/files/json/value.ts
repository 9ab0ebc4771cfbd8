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
