/** Tells whether a value stands for one that is known only later, in an update. */
export type IsUnknown = (value: unknown) => boolean;

/** The first unknown value in a value, at any depth; undefined when all of it is known. */
export function findUnknown(value: unknown, isUnknown: IsUnknown): unknown {
  if (isUnknown(value)) return value;
  if (!isObject(value)) return undefined;
  for (const part of Object.values(value)) {
    const found = findUnknown(part, isUnknown);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const step of path) {
    if (!isObject(at) || !Object.hasOwn(at, step)) return undefined;
    at = at[String(step)];
  }
  return at;
}

/** True for what has keys: an object or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object";
}
