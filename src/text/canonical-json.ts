/**
 * JSON that is the same for equal values: without spaces, and with the keys of each object in the order of their UTF-16
 * code units. A value with a `toJSON` of its own is written as JSON.stringify writes it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isPlain(value)) return JSON.stringify(value);
  const keys = Object.keys(value);
  // Sorting makes a copy, and most objects are in order.
  for (let at = 1; at < keys.length; at++) {
    if ((keys[at] ?? "") >= (keys[at - 1] ?? "")) continue;
    keys.sort();
    break;
  }
  let text = "";
  for (const key of keys) {
    const part = value[key];
    if (part === undefined) continue;
    if (text !== "") text += ",";
    text += JSON.stringify(key);
    text += ":";
    text += typeof part === "string" ? JSON.stringify(part) : canonicalJson(part);
  }
  return `{${text}}`;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !("toJSON" in value && typeof value.toJSON === "function");
}
