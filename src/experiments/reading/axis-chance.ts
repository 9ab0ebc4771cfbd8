/** The text that stands there most often, and how often. */
export function mostFrequent(texts: readonly string[]): readonly [text: string, count: number] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let [most, count] = ["", 0];
  // Of two that are as frequent, the longer one: rows are missing more often than there are too many.
  for (const [text, times] of counts) {
    if (times > count || (times === count && text.length > most.length)) [most, count] = [text, times];
  }
  return [most, count];
}

/** True for a case in which a few rows are missing, or too many. */
export function isNear(text: string, usual: string): boolean {
  const counts = new Map<string, number>();
  for (const code of usual) counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const code of text) counts.set(code, (counts.get(code) ?? 0) - 1);
  let differing = 0;
  for (const count of counts.values()) differing += Math.abs(count);
  return differing <= Math.max(1, Math.floor(usual.length / 4));
}

/** True where a case has no more of any value than another. */
export function isPartOf(text: string, usual: string): boolean {
  return [...new Set(text)].every((code) => text.split(code).length <= usual.split(code).length);
}

/** True where each value is there as often as the others. */
export function isBalanced(text: string): boolean {
  return new Set([...new Set(text)].map((code) => text.split(code).length)).size === 1;
}

/** How likely the values of a case are, as a logarithm. */
export function logChance(text: string, odds: (code: string) => number): number {
  let sum = 0;
  for (const code of text) sum += Math.log(odds(code));
  return sum;
}

/** In how many orders the values of a case can stand. */
export function logOrders(text: string): number {
  const counts = new Map<string, number>();
  for (const code of text) counts.set(code, (counts.get(code) ?? 0) + 1);
  let sum = logFactorial(text.length);
  for (const count of counts.values()) sum -= logFactorial(count);
  return sum;
}

/** At most how likely it is that as many of the cases are alike, each with this chance. */
export function logTail(cases: number, alike: number, chance: number): number {
  return logFactorial(cases) - logFactorial(alike) - logFactorial(cases - alike) + alike * Math.min(0, chance);
}

function logFactorial(number: number): number {
  let sum = 0;
  for (let factor = 2; factor <= number; factor++) sum += Math.log(factor);
  return sum;
}
