import { ExactNumber, isJsonList, isJsonObject, NOT_A_NUMBER } from "../../files/json/value.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import { decodeStorableJson } from "../../files/json/parsed-value.ts";
import { JsonFault } from "../../files/json/faults.ts";
import { isExact } from "../../files/json/exact-number.ts";
import { fieldOf } from "./field.ts";
import { MOST_DEPTH, sentValue } from "../runs/sent-value.ts";

// The run around it has a few levels.
const MOST_TEXT_DEPTH = MOST_DEPTH - 10;
// No convention nests deeper; a name with a thousand dots is not a path.
const MOST_PARTS = 24;

/** The attributes of a span. Each is taken once; the rest is metadata. */
export class SpanAttributes {
  readonly #values: Map<string, JsonValue>;

  constructor(values: ReadonlyMap<string, JsonValue>) {
    this.#values = new Map(values);
  }

  get(name: string): JsonValue | undefined {
    return this.#values.get(name);
  }

  /** The text of an attribute; undefined when it is empty. */
  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return typeof value === "string" && value !== "" ? value : undefined;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /**
   * Takes an attribute and parses JSON in a text: conventions write messages so, since an attribute cannot have objects.
   * Too deep JSON stays a text.
   */
  take(name: string): JsonValue | undefined {
    const value = this.#values.get(name);
    this.#values.delete(name);
    if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
    try {
      const json = decodeStorableJson(Buffer.from(value));
      return sentValue(json, MOST_TEXT_DEPTH) === undefined ? value : json;
    } catch (error) {
      if (error instanceof JsonFault) return value;
      throw error;
    }
  }

  /** Takes all attributes below a name, such as `name.0.role`, as the leaves of one value. */
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

  /** The attributes that were not taken. */
  rest(): JsonObject {
    return Object.fromEntries(this.#values);
  }
}

/** An object or a list that is being built from its leaves. */
class Branch {
  readonly #children = new Map<string, Branch | JsonValue>();

  get size(): number {
    return this.#children.size;
  }

  /** False where the path leads through a leaf or ends at an object. */
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

  /** A list where all keys are numbers, even with gaps. */
  value(): JsonValue {
    const entries = [...this.#children].map(
      ([key, child]) => [key, child instanceof Branch ? child.value() : child] as const,
    );
    if (!entries.every(([key]) => /^\d{1,9}$/.test(key))) return Object.fromEntries(entries);
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item);
  }
}

/** The attributes of OTLP/JSON by name; undefined for anything but a list of keys and wrapped values. */
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

/** A value of OTLP/JSON without the key of its type; undefined for an empty one. */
function unwrapped(any: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(any)) return undefined;
  const plain = fieldOf(any, "stringValue") ?? fieldOf(any, "boolValue") ?? fieldOf(any, "bytesValue");
  if (plain !== undefined) return plain;
  const number = fieldOf(any, "intValue") ?? fieldOf(any, "doubleValue");
  if (number !== undefined) {
    // The JSON mapping of Protocol Buffers writes 64-bit integers, NaN and Infinity as texts.
    if (typeof number !== "string") return number;
    if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number)) return NOT_A_NUMBER;
    return isExact(number) ? Number(number) : new ExactNumber(number);
  }
  const arrayValue = fieldOf(any, "arrayValue");
  if (isJsonObject(arrayValue)) {
    const { values } = arrayValue;
    return isJsonList(values) ? values.map((value) => unwrapped(value) ?? null) : [];
  }
  const kvlistValue = fieldOf(any, "kvlistValue");
  if (isJsonObject(kvlistValue)) return Object.fromEntries(readAttributes(kvlistValue["values"]) ?? []);
  return undefined;
}
