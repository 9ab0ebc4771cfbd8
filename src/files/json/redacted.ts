import { isJsonList, isJsonObject, type JsonValue } from "./value.ts";

/** The value with each text in it redacted, names of members, too; the value itself where that changes nothing. */
export function redactedJson(value: JsonValue, redact: (text: string) => string): JsonValue {
  const text = JSON.stringify(value);
  return redact(text) === text ? value : redacted(value, redact);
}

function redacted(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === "string") return redact(value);
  if (isJsonList(value)) return value.map((element) => redacted(element, redact));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [redact(name), redacted(member, redact)]));
}
