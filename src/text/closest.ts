import { distance } from "fastest-levenshtein";

// Comparing costs the product of both lengths.
const LONGEST = 100;

interface Nearness {
  /** A name as it is compared: in lower case when not given. */
  readonly spelled?: (name: string) => string;
  /** How many letters may differ: a third of the name, and at least one, when not given. */
  readonly edits?: number;
}

/** The known name that was most likely meant; undefined if none is near. */
export function closest(
  name: string,
  known: Iterable<string>,
  { spelled = (text) => text.toLowerCase(), edits: most = Math.max(1, Math.floor(name.length / 3)) }: Nearness = {},
): string | undefined {
  let best: { readonly name: string; readonly edits: number } | undefined;
  if (name.length > LONGEST) return undefined;
  for (const each of known) {
    if (each.length > LONGEST) continue;
    const edits = distance(spelled(name), spelled(each));
    if (edits < (best?.edits ?? Infinity)) best = { name: each, edits };
  }
  return best && best.edits <= most ? best.name : undefined;
}

/** True where a letter is missing, wrong or too many, or two letters are exchanged. */
export function isSlip(written: string, meant: string): boolean {
  if (written.length > LONGEST || meant.length > LONGEST) return false;
  const edits = distance(written, meant);
  const [one, other] = [written, meant].map((word) => word.split("").toSorted().join(""));
  return edits === 1 || (edits === 2 && one === other);
}

// A hint is not worth more comparisons.
const MOST_COMPARED = 1_000;

/** The same among the names of a directory, of which only the first in their order are compared. */
export function closestInDirectory(name: string, names: readonly string[]): string | undefined {
  return closest(name, names.toSorted().slice(0, MOST_COMPARED));
}
