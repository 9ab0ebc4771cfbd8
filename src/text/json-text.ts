/** A value from outside as JSON, to be shown. For a value that is nested too deep to be written, a phrase says so. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.parse is not recursive, and JSON.stringify is.
    return "too deep to be shown";
  }
}

/** All scalars of a value from outside, as text; without recursion, because it may be nested deeper than the stack. */
export function* scalarTexts(value: unknown): Generator<string, void, undefined> {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === "object" && part !== null) for (const inner of Object.values(part)) open.push(inner);
    else yield typeof part === "string" ? part : JSON.stringify(part ?? null);
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

/** True for the beginning of a JSON text: it ends within a string, an object or a list. */
export function isCutJson(text: string): boolean {
  let open = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isString && character === "\\") at += 1;
    else if (character === '"') isString = !isString;
    else if (!isString && (character === "{" || character === "[")) open += 1;
    else if (!isString && (character === "}" || character === "]")) open -= 1;
  }
  return (isString || open > 0) && /^\s*[[{]/.test(text);
}
