// Per column; more of them are no axis, no categories and no keys.
export const MOST_DISTINCT = 1_024;
const MOST_SINGLE = 2 * MOST_DISTINCT;

/** What the numbers of a column are together. */
export type NumberFacts = NonNullable<Numbers["facts"]>;

/** What is shared by the columns of a table, so that many columns together stay small as well. */
export class Room {
  left: number;
  /** How many filters of numbers may be begun. */
  #filters: number;

  constructor(left: number, filters: number) {
    this.left = left;
    this.#filters = filters;
  }

  filter(): NumberFilter | undefined {
    if (this.#filters === 0) return undefined;
    this.#filters -= 1;
    return new NumberFilter();
  }

  take(): boolean {
    if (this.left === 0) return false;
    this.left -= 1;
    return true;
  }
}

/** Sums of Neumaier, deviations of Welford, and a median as long as the numbers can be kept. */
export class Numbers {
  readonly #room: Room | undefined;
  #count = 0;
  #whole = 0;
  #fractions = 0;
  #least = Infinity;
  #most = -Infinity;
  #sum = 0;
  #lost = 0;
  #mean = 0;
  #squares = 0;
  #counts: Map<number, number> | undefined;
  /** What was counted, once there is too much of it. */
  #filter: NumberFilter | undefined;
  /** All numbers, as long as they are few. Once emptied it is behind the count, and stays empty. */
  #kept: number[] = [];

  /** Without `room` no number is kept. */
  constructor(room: Room | undefined) {
    this.#room = room;
    if (room) this.#counts = new Map();
  }

  add(number: number): void {
    if (this.#room && this.#count === this.#kept.length) this.#kept.push(number);
    if (this.#kept.length === MOST_SINGLE) this.#kept = [];
    this.#count += 1;
    if (Number.isInteger(number)) this.#whole += 1;
    if (number >= 0 && number <= 1) this.#fractions += 1;
    if (number < this.#least) this.#least = number;
    if (number > this.#most) this.#most = number;
    const sum = this.#sum + number;
    this.#lost += Math.abs(this.#sum) >= Math.abs(number) ? this.#sum - sum + number : number - sum + this.#sum;
    this.#sum = sum;
    const distance = number - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (number - this.#mean);
    this.#addCount(number);
  }

  get facts() {
    if (this.#count === 0) return undefined;
    const sum = this.#sum + this.#lost;
    return {
      count: this.#count,
      whole: this.#whole,
      /** How many are in [0, 1]. */
      fractions: this.#fractions,
      least: this.#least,
      most: this.#most,
      sum,
      mean: sum / this.#count,
      /** Of all, as of a population. */
      deviation: Math.sqrt(this.#squares / this.#count),
      /** As of a sample: divided by one less; NaN for one number. */
      sampleDeviation: this.#count === 1 ? Number.NaN : Math.sqrt(this.#squares / (this.#count - 1)),
      /** Undefined where there were too many numbers to keep. */
      median: this.#median,
    };
  }

  get #median(): number | undefined {
    if (this.#counts) return medianOfCounts(this.#counts, this.#count);
    return this.#kept.length === this.#count ? medianOf(this.#kept) : undefined;
  }

  forget(): void {
    this.#counts = undefined;
    this.#filter = undefined;
    this.#kept = [];
  }

  mayHold(number: number): boolean {
    if (this.#count === 0) return false;
    return this.#counts?.has(number) ?? this.#filter?.mayHold(number) ?? true;
  }

  #addCount(number: number): void {
    const counts = this.#counts;
    const room = this.#room;
    if (!counts || !room) {
      this.#filter?.add(number);
      return;
    }
    const seen = counts.get(number);
    if (seen !== undefined) counts.set(number, seen + 1);
    else if (counts.size < MOST_DISTINCT && room.take()) counts.set(number, 1);
    else {
      room.left += counts.size;
      this.#counts = undefined;
      this.#filter = room.filter();
      for (const each of [...counts.keys(), number]) this.#filter?.add(each);
    }
  }
}

// Of a million different numbers, one in nine that is not there seems to be.
const FILTER_BITS = 1 << 23;

/** A set of numbers in one MiB, which may also hold others. */
class NumberFilter {
  readonly #bits = new Uint32Array(FILTER_BITS / 32);
  readonly #double = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#double.buffer);

  add(number: number): void {
    const at = this.#place(number);
    this.#bits[at >>> 5] = (this.#bits[at >>> 5] ?? 0) | (1 << (at & 31));
  }

  mayHold(number: number): boolean {
    const at = this.#place(number);
    return ((this.#bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
  }

  #place(number: number): number {
    // Of 0 and -0 one stands for both.
    this.#double[0] = number + 0;
    const low = this.#halves[0] ?? 0;
    const high = this.#halves[1] ?? 0;
    let mixed = Math.imul(low ^ (high >>> 15), 0x85ebca6b) ^ Math.imul(high, 0xc2b2ae35);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
    return (mixed ^ (mixed >>> 15)) >>> 9;
  }
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

function medianOfCounts(counts: ReadonlyMap<number, number>, all: number): number {
  const sorted = [...counts].toSorted(([one], [other]) => one - other);
  const at = (place: number) => {
    let before = 0;
    return sorted.find(([, count]) => (before += count) > place)?.[0] ?? Number.NaN;
  };
  return (at(Math.ceil(all / 2) - 1) + at(Math.floor(all / 2))) / 2;
}
