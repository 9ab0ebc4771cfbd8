import { distance } from "fastest-levenshtein";
import { listed } from "../../text/quoted.ts";

const MOST_NAMES = 8;
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

/** Which names there are, and which one was most likely meant. */
export function namesHint(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  const names = known.map((each) => written(each));
  const there =
    names.length === 0
      ? "there is none"
      : `there ${names.length === 1 ? "is" : "are"} ${listed(names, { conjunction: "and", most: MOST_NAMES })}`;
  return near === undefined ? there : `did you mean \`${written(near)}\`? (${there})`;
}

/** A name as a rule has to write it. */
export function written(name: string): string {
  return /^[^\s"<>=!≤≥[\](),#]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
