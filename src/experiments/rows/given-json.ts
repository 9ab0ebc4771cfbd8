import { types } from "node:util";
import { DataFileError, type FilePlace } from "../../files/json/errors.ts";
import { parseJsonValue } from "../../files/json/parsed-value.ts";
import type { JsonValue } from "../../files/json/value.ts";

/** The JSON of a program's value, or what is wrong with it: a clause that follows the name of the value. */
export type GivenJson =
  | { readonly value: JsonValue; readonly fault?: undefined }
  | {
      readonly fault: string;
      /** The field of the value that it is about; undefined where it is about the value itself. */
      readonly field: string | undefined;
    };

/** A value that JSON cannot represent: it would be sent as something else, or not at all. */
class NoJson extends Error {}

/** Writes a value as JSON, and reads it again by the rules that files are read by. */
export function givenJson(given: unknown, place: FilePlace): GivenJson {
  let field: string | undefined;
  function replacer(this: unknown, key: string, value: unknown): unknown {
    if (this === given) field = key;
    // JSON.stringify hands over what `toJSON` has made of a value.
    const original: unknown = typeof this === "object" && this !== null ? Reflect.get(this, key) : undefined;
    if (types.isDate(original) && Number.isNaN(original.getTime())) throw new NoJson("an invalid Date");
    if (typeof value === "bigint") throw new NoJson("a BigInt");
    if (typeof value !== "object" || value === null) return value;
    if (isError(value)) return value.message === "" ? value.name : value.message;
    if (ArrayBuffer.isView(value) || isOpaque(value)) throw new NoJson(`a ${value.constructor.name}`);
    return value;
  }
  try {
    const text: unknown = JSON.stringify(given, replacer);
    return typeof text === "string"
      ? { value: parseJsonValue(Buffer.from(text), place) }
      : { fault: "is not a JSON value", field: undefined };
  } catch (error) {
    if (error instanceof DataFileError) return { fault: `cannot be read: ${error.fault}`, field: undefined };
    if (error instanceof NoJson) return { fault: `contains ${error.message}, which JSON cannot represent`, field };
    // A circle, a depth that no stack has, or a getter that throws: its own words may be foreign.
    return { fault: "cannot be written as JSON: it contains itself, is nested too deeply, or cannot be read", field };
  }
}

// Also one that another realm made, as a test runner does. Error.isError is newer than the oldest Node.
function isError(value: object): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

/** True for an object that JSON writes as `{}`, whatever it holds: a Map, a Set, a Promise that was not awaited. */
function isOpaque(value: object): boolean {
  if (Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of a plain object has none itself, also where another realm made it.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return !isPlain && Object.keys(value).length === 0;
}
