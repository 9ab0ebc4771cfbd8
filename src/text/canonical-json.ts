/**
 * JSON that is the same for equal values: without spaces, and with the keys of each object in the order of their UTF-16
 * code units. A value with a `toJSON` of its own is written as JSON.stringify writes it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isPlain(value)) return JSON.stringify(value);
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`);
  return `{${parts.join(",")}}`;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("toJSON" in value && typeof value.toJSON === "function");
}
