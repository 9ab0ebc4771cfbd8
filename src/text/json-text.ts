/** A value from outside as JSON, to be shown. For a value that is nested too deep to be written, a phrase says so. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.parse is not recursive, and JSON.stringify is.
    return "too deep to be shown";
  }
}

/** The JSON value in a body of UTF-8, also behind a byte order mark, which RFC 8259 §8.1 allows a reader to ignore. Throws SyntaxError. */
export function parseJson(body: Uint8Array): unknown {
  // It drops a byte order mark at the start.
  return JSON.parse(new TextDecoder().decode(body));
}

/** The value of a JSON text; undefined for another text. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
