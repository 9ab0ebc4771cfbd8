/** The name that a misspelt one may have meant; undefined when none is near. */
export function suggestionFor(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((candidate) => ({ candidate, distance: distanceBetween(folded(name), folded(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  if (best === undefined) return undefined;
  return best.distance <= Math.max(name.length < 4 ? 1 : 2, Math.floor(name.length / 3)) ? best.candidate : undefined;
}

// The service's spelling of a name is the likeliest mistake: repo_ref for repoRef.
function folded(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}

/** How many letters must be put in, taken out or changed to make one word the other (Levenshtein). */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of a.split("").entries()) {
    const next = [index + 1];
    for (const [at, other] of b.split("").entries()) {
      const changed = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
