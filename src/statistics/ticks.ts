/** Numbers of one kind, such as a score for each case. All are finite. */
export type Numbers = readonly number[] | Float64Array;

/**
 * Numbers as whole ticks, of which `perUnit` make 1. Sums of ticks are exact, so the order of the cases never shows, and
 * differences that only rounding keeps apart are equal: 0.8 − 0.7 and 0.9 − 0.8.
 */
export interface Ticks {
  readonly counts: Float64Array;
  readonly perUnit: number;
  /** By how many whole ticks rounding may have moved each count; undefined for one. */
  readonly slacks?: Float64Array;
}

// Of the sum of all numbers: any sum of 14 digits is exact in a double.
const DIGITS = 14;
// More would be infinite for the smallest numbers that there are, and a square of them for a range beside them.
const FINEST = 140;
// Counts of this size add up exactly for eight million numbers.
const PARTS = 2 ** 30;

/** How many ticks make 1, so that the sizes of all numbers together have 14 digits. */
export function ticksPerUnit(numbers: Numbers): number {
  const largest = largestOf(numbers);
  if (largest === 0) return 1;
  let parts = 0;
  for (const number of numbers) parts += Math.round((Math.abs(number) / largest) * PARTS);
  return 10 ** Math.min(FINEST, DIGITS - Math.ceil(Math.log10(largest) + Math.log10(parts / PARTS)));
}

/** The largest of the numbers, whatever its sign. */
export function largestOf(numbers: Numbers): number {
  let largest = 0;
  for (const number of numbers) largest = Math.max(largest, Math.abs(number));
  return largest;
}

/** Rounds each number to whole ticks. */
export function toTicks(numbers: Numbers, perUnit = ticksPerUnit(numbers)): Ticks {
  const counts = new Float64Array(numbers.length);
  // Adding 0 turns −0 into 0.
  for (let i = 0; i < counts.length; i += 1) counts[i] = Math.round((numbers[i] ?? 0) * perUnit) + 0;
  return { counts, perUnit };
}

/** What varies independently: clusters of cases, or where no clusters are given each case. Ordered by what they hold. */
export interface Units {
  /** The ticks of the cases of each unit, added up; ascending. */
  readonly sums: Float64Array;
  /** The number of cases of each unit; undefined where each case is one. */
  readonly sizes: Float64Array | undefined;
  /** The number of all cases. */
  readonly cases: number;
  readonly perUnit: number;
  /** By how many ticks rounding may have moved the sum of all. */
  readonly slack: number;
}

/** Adds up the cases of each cluster; `clusters` holds the name of each case's cluster. */
export function unitsOf({ counts, perUnit, slacks }: Ticks, clusters?: readonly string[]): Units {
  const cases = counts.length;
  let slack = slacks ? 0 : cases;
  for (let i = 0; slacks && i < cases; i += 1) slack += slacks[i] ?? 0;
  if (!clusters) {
    const isAscending = counts.every((count, i) => i === 0 || (counts[i - 1] ?? count) <= count);
    // A copy of a million takes 8 MB.
    const sums = isAscending ? counts : counts.toSorted();
    return { sums, sizes: undefined, cases, perUnit, slack };
  }
  const found = new Map<string, { sum: number; size: number; changed: number; slack: number }>();
  for (const [i, count] of counts.entries()) {
    const name = clusters[i] ?? "";
    const cluster = found.get(name) ?? { sum: 0, size: 0, changed: 0, slack: 0 };
    found.set(name, cluster);
    cluster.sum += count;
    cluster.size += 1;
    cluster.changed += Number(count !== 0);
    cluster.slack += slacks?.[i] ?? 0;
  }
  // Cases that cancel out but for rounding.
  for (const cluster of found.values()) {
    if (cluster.changed > 1 && Math.abs(cluster.sum) < cluster.slack) cluster.sum = 0;
  }
  const ordered = [...found.values()].sort((a, b) => a.sum - b.sum || a.size - b.size);
  const sums = Float64Array.from(ordered, ({ sum }) => sum);
  return { sums, sizes: Float64Array.from(ordered, ({ size }) => size), cases, perUnit, slack };
}

/** The sum of numbers with the rounding errors of all steps added at the end. Neumaier (1974). */
export function sumOf(numbers: Float64Array): number {
  return sumEach(numbers.length, (place) => numbers[place] ?? 0);
}

/** The same for numbers that are not kept. */
export function sumEach(count: number, numberAt: (place: number) => number): number {
  let [sum, lost] = [0, 0];
  for (let place = 0; place < count; place += 1) {
    const number = numberAt(place);
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return sum + lost;
}

export function countWhere(numbers: Float64Array, isCounted: (number: number) => boolean): number {
  let count = 0;
  for (const number of numbers) if (isCounted(number)) count += 1;
  return count;
}
