const SHOWN = 5;

/** Names for a sentence: the first five, and how many more there are. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map(printable);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${String(more)} more`;
}

/** A file name as it can stand in a line of text: quoted and escaped when it holds control characters. */
export function printable(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}
