const FIRST = 1;
/**
 * Readings that were changed since the first one, so that the same file gives other keys of cases, other cases, inputs or
 * expected outputs: raise the version then.
 */
const CHANGED: Readonly<Partial<Record<string, number>>> = {};

/** The version of the reading of a format, or of `rows` of a program. */
export function readingVersion(name: string): number {
  return CHANGED[name] ?? FIRST;
}

/** The version where none is stated: of a time before there were versions. */
export const UNSTATED_VERSION = FIRST;
