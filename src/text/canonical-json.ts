/**
 * JSON that is the same for equal values: without spaces, and with the keys of each object in the order of their UTF-16
 * code units. A value with a `toJSON` of its own is written as JSON.stringify writes it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isPlain(value)) return JSON.stringify(value);
  const keys = Object.keys(value);
  // Sorting makes a copy, and most objects are in order.
  if (keys.some((key, at) => at > 0 && key < (keys[at - 1] ?? ""))) keys.sort();
  let text = "";
  for (const key of keys) {
    const part = value[key];
    if (part !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(part)}`;
  }
  return `{${text}}`;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !("toJSON" in value && typeof value.toJSON === "function");
}
