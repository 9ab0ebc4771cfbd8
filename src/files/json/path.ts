/** A place in JSON, as `$.messages[-1]["a key"]`. */
export interface JsonPath {
  /** As it was written; empty for the value as a whole. */
  readonly text: string;
  readonly steps: readonly (number | string)[];
}

const STEP = /\.([^.[\]:\s]+)|\[(-?\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * The path that a text begins with, and what follows it: `$` is the value as a whole. An index below zero counts from the
 * end; a key with other characters is `["a key"]`. Undefined for a text that begins with none.
 */
export function pathAtStart(text: string): { readonly path: JsonPath; readonly rest: string } | undefined {
  if (!text.startsWith("$")) return undefined;
  const steps: (number | string)[] = [];
  STEP.lastIndex = 1;
  let end = 1;
  for (let step = STEP.exec(text); step !== null; step = STEP.exec(text)) {
    const [, name, index, key] = step;
    steps.push(name ?? (index === undefined ? unquoted(key ?? "") : Number(index)));
    end = STEP.lastIndex;
  }
  return { path: { text: text.slice(0, end), steps }, rest: text.slice(end) };
}

/** The path that a text is; undefined for any other text. */
export function parsePath(text: string): JsonPath | undefined {
  const read = pathAtStart(text);
  return read?.rest === "" ? read.path : undefined;
}

/** What stands there, in a box, since it may be null; undefined where nothing does. */
export function valueAtPath(value: unknown, { steps }: JsonPath): { readonly value: unknown } | undefined {
  let found = value;
  for (const step of steps) {
    const key = Array.isArray(found) && typeof step === "number" && step < 0 ? found.length + step : step;
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return { value: found };
}

function unquoted(key: string): string {
  try {
    return String(JSON.parse(`"${key}"`));
  } catch {
    return key;
  }
}
