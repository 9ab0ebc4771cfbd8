/** Sorts texts by their UTF-16 code units: the same on every machine, whatever its language. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
