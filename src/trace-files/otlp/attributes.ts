import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import { decodeStorableJson } from "../../files/json/parsed-value.ts";
import { JsonFault } from "../../files/json/json-fault.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { isExact } from "../../files/json/exact-number.ts";
import { MOST_DEPTH, sentValue } from "../runs/sent-value.ts";

// What it stands in takes a few levels of its own.
const MOST_TEXT_DEPTH = MOST_DEPTH - 10;
// No convention nests deeper; a name with a thousand dots is no path.
const MOST_PARTS = 24;

/** The attributes of a span, of which each is used once: what nobody takes is metadata. */
export class SpanAttributes {
  readonly #values: Map<string, JsonValue>;

  constructor(values: ReadonlyMap<string, JsonValue>) {
    this.#values = new Map(values);
  }

  get(name: string): JsonValue | undefined {
    return this.#values.get(name);
  }

  /** A text that is not empty. */
  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return typeof value === "string" && value !== "" ? value : undefined;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Takes an attribute; JSON in a text is read. */
  take(name: string): JsonValue | undefined {
    const value = this.#values.get(name);
    this.#values.delete(name);
    return value === undefined ? undefined : jsonInText(value);
  }

  /** Takes all attributes below a name, `name.0.role` and the like, as the value that they are the leaves of. */
  takeBelow(name: string): JsonValue | undefined {
    const prefix = `${name}.`;
    const root = new Branch();
    for (const [key, value] of this.#values) {
      const path = key.startsWith(prefix) ? key.slice(prefix.length).split(".") : [];
      if (path.length === 0 || path.length > MOST_PARTS || !root.set(path, value)) continue;
      this.#values.delete(key);
    }
    return root.size === 0 ? undefined : root.value();
  }

  /** What nobody took. */
  rest(): JsonObject {
    return Object.fromEntries(this.#values);
  }
}

/** Objects and lists in the making. */
class Branch {
  readonly #children = new Map<string, Branch | JsonValue>();

  get size(): number {
    return this.#children.size;
  }

  /** False where the way leads through a leaf, or ends at what is none. */
  set([key = "", ...more]: readonly string[], leaf: JsonValue): boolean {
    const child = this.#children.get(key);
    if (more.length === 0) {
      if (child === undefined) this.#children.set(key, leaf);
      return child === undefined;
    }
    const branch = child ?? new Branch();
    if (!(branch instanceof Branch)) return false;
    if (child === undefined) this.#children.set(key, branch);
    return branch.set(more, leaf);
  }

  /** A list where all keys are numbers, whatever their gaps. */
  value(): JsonValue {
    const entries = [...this.#children].map(
      ([key, child]) => [key, child instanceof Branch ? child.value() : child] as const,
    );
    if (!entries.every(([key]) => /^\d{1,9}$/.test(key))) return Object.fromEntries(entries);
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
  }
}

/** The attributes of OTLP/JSON, a list of keys and wrapped values, by their names; undefined for what is no such list. */
export function readAttributes(list: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  const values = new Map<string, JsonValue>();
  if (list === undefined || list === null) return values;
  if (!isJsonList(list)) return undefined;
  for (const item of list) {
    const key = isJsonObject(item) ? item["key"] : undefined;
    if (!isJsonObject(item) || typeof key !== "string") return undefined;
    const value = unwrapped(item["value"]);
    if (value !== undefined) values.set(key, value);
  }
  return values;
}

/** A value of OTLP/JSON without what tells its type; undefined for none. */
function unwrapped(any: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(any)) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = any;
  const plain = stringValue ?? boolValue ?? bytesValue;
  if (plain !== undefined) return plain;
  if (intValue !== undefined) return numberOf(intValue);
  if (doubleValue !== undefined) return numberOf(doubleValue);
  if (isJsonObject(arrayValue)) {
    const { values } = arrayValue;
    return isJsonList(values) ? values.map((value) => unwrapped(value) ?? null) : [];
  }
  if (isJsonObject(kvlistValue)) return Object.fromEntries(readAttributes(kvlistValue["values"]) ?? []);
  return undefined;
}

// The mapping of Protocol Buffers to JSON writes 64 bits as a text, and NaN and Infinity as words.
function numberOf(value: JsonValue): JsonValue {
  if (typeof value !== "string") return value;
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) return NOT_A_NUMBER;
  return isExact(value) ? Number(value) : new ExactNumber(value);
}

/** Conventions put messages as JSON into a text, since an attribute cannot hold them; what is too deep stays a text. */
function jsonInText(value: JsonValue): JsonValue {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    const json = decodeStorableJson(Buffer.from(value));
    return sentValue(json, MOST_TEXT_DEPTH) === undefined ? value : json;
  } catch (error) {
    if (error instanceof JsonFault) return value;
    throw error;
  }
}
