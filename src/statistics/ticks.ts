/** Numbers of one kind, such as a score for each case. All are finite. */
export type Numbers = readonly number[] | Float64Array;

/**
 * Numbers as whole ticks, of which `perUnit` make 1. Sums of ticks are exact, so the order of the cases never shows, and
 * differences that only rounding keeps apart are equal: 0.8 − 0.7 and 0.9 − 0.8.
 */
export interface Ticks {
  readonly counts: Float64Array;
  readonly perUnit: number;
}

// More would be infinite for the smallest numbers that there are.
const FINEST = 300;

/** How many ticks make 1: 1e9 for numbers up to 1, 1e6 for numbers up to 1000. */
export function ticksPerUnit(...all: readonly Numbers[]): number {
  let largest = 0;
  for (const numbers of all) {
    for (const number of numbers) largest = Math.max(largest, Math.abs(number));
  }
  return largest === 0 ? 1e9 : 10 ** Math.min(FINEST, 9 - Math.ceil(Math.log10(largest)));
}

/** Rounds each number to whole ticks. */
export function toTicks(numbers: Numbers, perUnit = ticksPerUnit(numbers)): Ticks {
  return ticksOf(numbers.length, (i) => numbers[i] ?? 0, perUnit);
}

/** The same for numbers that are not kept. */
export function ticksOf(count: number, numberAt: (place: number) => number, perUnit: number): Ticks {
  const counts = new Float64Array(count);
  // Adding 0 turns −0 into 0.
  for (let i = 0; i < count; i += 1) counts[i] = Math.round(numberAt(i) * perUnit) + 0;
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
}

/** Adds up the cases of each cluster; `clusters` holds the name of each case's cluster. */
export function unitsOf({ counts, perUnit }: Ticks, clusters?: readonly string[]): Units {
  const cases = counts.length;
  if (clusters === undefined) return { sums: ascending(counts), sizes: undefined, cases, perUnit };
  const found = new Map<string, { sum: number; size: number }>();
  for (const [i, count] of counts.entries()) {
    const name = clusters[i] ?? "";
    const cluster = found.get(name) ?? { sum: 0, size: 0 };
    found.set(name, cluster);
    cluster.sum += count;
    cluster.size += 1;
  }
  const ordered = [...found.values()].sort((a, b) => a.sum - b.sum || a.size - b.size);
  const sums = Float64Array.from(ordered, ({ sum }) => sum);
  return { sums, sizes: Float64Array.from(ordered, ({ size }) => size), cases, perUnit };
}

/** The numbers themselves where they are in order: a copy of a million takes 8 MB. */
function ascending(numbers: Float64Array): Float64Array {
  const isAscending = numbers.every((number, i) => i === 0 || (numbers[i - 1] ?? number) <= number);
  return isAscending ? numbers : numbers.toSorted();
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
