import type { JsonObject, JsonValue } from "../../files/json/value.ts";

const SNAKE = new Map<string, string>();
// 8 and 16 bytes in base64, with their padding or without it.
const BASE64 = /^(?:[\w+/-]{11}=?|[\w+/-]{22}(?:==)?)$/;

/**
 * A field of OTLP/JSON by its name in camelCase; `preserving_proto_field_name` of Protocol Buffers writes snake_case,
 * which every reader of that mapping takes.
 */
export function fieldOf(value: JsonObject, name: string): JsonValue | undefined {
  const found = value[name];
  return found === undefined ? value[snakeCase(name)] : found;
}

/** The names of a field in both spellings. */
export function spellings(name: string): readonly string[] {
  return [name, snakeCase(name)];
}

/** An id in hexadecimal digits: the mapping of Protocol Buffers, unlike OTLP/JSON, writes bytes in base64. */
export function hexId(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" && BASE64.test(value) ? Buffer.from(value, "base64").toString("hex") : value;
}

function snakeCase(name: string): string {
  const known = SNAKE.get(name);
  if (known !== undefined) return known;
  const made = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  SNAKE.set(name, made);
  return made;
}
