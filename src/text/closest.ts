import { distance } from "fastest-levenshtein";

// Comparing costs the product of both lengths.
const LONGEST = 100;

/** The known name that was most likely meant; undefined if none is near. */
export function closest(name: string, known: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly edits: number } | undefined;
  if (name.length > LONGEST) return undefined;
  for (const each of known) {
    if (each.length > LONGEST) continue;
    const edits = distance(name.toLowerCase(), each.toLowerCase());
    if (edits < (best?.edits ?? Infinity)) best = { name: each, edits };
  }
  return best !== undefined && best.edits <= Math.max(1, Math.floor(name.length / 3)) ? best.name : undefined;
}

// A hint is not worth more comparisons.
const MOST_COMPARED = 1_000;

/** The same among the names of a directory, of which only the first in their order are compared. */
export function closestInDirectory(name: string, names: readonly string[]): string | undefined {
  return closest(name, names.toSorted().slice(0, MOST_COMPARED));
}
