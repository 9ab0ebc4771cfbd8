import { hash } from "node:crypto";
import { NOT_A_NUMBER, writeJsonValue, type JsonValue } from "../../files/json/value.ts";

/** What the numbers of a column are together. */
export interface NumberFacts {
  readonly count: number;
  /** How many are whole. */
  readonly whole: number;
  /** How many are in [0, 1]. */
  readonly fractions: number;
  readonly least: number;
  readonly most: number;
  readonly sum: number;
  readonly mean: number;
  /** Of all, as of a population. */
  readonly deviation: number;
  /** As of a sample: divided by one less; NaN for one number. */
  readonly sampleDeviation: number;
  readonly median: number;
  /** False where there were too many numbers to keep: the median is then that of each so many. */
  readonly isMedianExact: boolean;
}

// Per column; more of them are no axis, no categories and no keys.
const MOST_DISTINCT = 1_024;
/** How many values all columns of a table keep together, at most. */
const MOST_KEPT = 100_000;
const LONGEST_KEY = 200;

/** A value as one text: a long one is cut, with its hash behind it. */
export function valueKey(value: JsonValue): string {
  const text = typeof value === "string" ? value : writeJsonValue(value);
  return text.length <= LONGEST_KEY ? text : `${text.slice(0, 60).toWellFormed()}…${hash("sha256", text)}`;
}

/** What is shared by the columns of a table, so that many columns together stay small as well. */
class Room {
  left: number;

  constructor(left: number) {
    this.left = left;
  }

  take(): boolean {
    if (this.left === 0) return false;
    this.left -= 1;
    return true;
  }
}

/** Facts about all values of one column, while rows stream: what it keeps does not grow with the rows. */
export class ColumnFacts {
  readonly #room: Room;
  #count = 0;
  #first: string | undefined;
  #isConstant = true;
  #isUnique = true;
  /** How often each value was seen; undefined once there are too many. */
  #distinct: Map<string, number> | undefined = new Map();
  readonly #numbers: Numbers;

  constructor(room = new Room(MOST_KEPT)) {
    this.#room = room;
    this.#numbers = new Numbers(room);
  }

  /** Takes the next value, and the number that it is read as; a missing value is none. */
  add(value: JsonValue | undefined, number = typeof value === "number" ? value : undefined): void {
    if (value === undefined || value === null || value === NOT_A_NUMBER || value === "") return;
    this.#count += 1;
    if (number !== undefined && Number.isFinite(number)) this.#numbers.add(number);
    // A value that is compared with nothing any more needs no key.
    if (this.#distinct === undefined && !this.#isConstant) return;
    const key = valueKey(value);
    this.#first ??= key;
    if (key !== this.#first) this.#isConstant = false;
    this.#addDistinct(key);
  }

  /** How many values there are. */
  get count(): number {
    return this.#count;
  }

  /** True where all values are one, also for a single one. */
  get isConstant(): boolean {
    return this.#count > 0 && this.#isConstant;
  }

  /** True where no value was seen twice, among as many as are kept. */
  get isUnique(): boolean {
    return this.#count > 0 && this.#isUnique;
  }

  /** Each value as `valueKey` writes it, and how often it stands there; undefined where there are too many. */
  get distinct(): ReadonlyMap<string, number> | undefined {
    return this.#distinct;
  }

  /** Undefined where nothing was read as a number. */
  get numbers(): NumberFacts | undefined {
    return this.#numbers.facts;
  }

  #addDistinct(key: string): void {
    const distinct = this.#distinct;
    if (distinct === undefined) return;
    const seen = distinct.get(key);
    if (seen !== undefined) {
      this.#isUnique = false;
      distinct.set(key, seen + 1);
    } else if (distinct.size < MOST_DISTINCT && this.#room.take()) distinct.set(key, 1);
    else {
      this.#room.left += distinct.size;
      this.#distinct = undefined;
    }
  }
}

/** Sums of Neumaier, deviations of Welford, and a median of counted values or of each so many. */
class Numbers {
  readonly #room: Room;
  #count = 0;
  #whole = 0;
  #fractions = 0;
  #least = Infinity;
  #most = -Infinity;
  #sum = 0;
  #lost = 0;
  #mean = 0;
  #squares = 0;
  #counts: Map<number, number> | undefined = new Map();
  /** Each `#step`th number. */
  #kept: number[] = [];
  #step = 1;

  constructor(room: Room) {
    this.#room = room;
  }

  add(number: number): void {
    if (this.#count % this.#step === 0) this.#keep(number);
    this.#count += 1;
    if (Number.isInteger(number)) this.#whole += 1;
    if (number >= 0 && number <= 1) this.#fractions += 1;
    this.#least = Math.min(this.#least, number);
    this.#most = Math.max(this.#most, number);
    const sum = this.#sum + number;
    this.#lost += Math.abs(this.#sum) >= Math.abs(number) ? this.#sum - sum + number : number - sum + this.#sum;
    this.#sum = sum;
    const distance = number - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (number - this.#mean);
    this.#addCount(number);
  }

  get facts(): NumberFacts | undefined {
    if (this.#count === 0) return undefined;
    const sum = this.#sum + this.#lost;
    return {
      count: this.#count,
      whole: this.#whole,
      fractions: this.#fractions,
      least: this.#least,
      most: this.#most,
      sum,
      mean: sum / this.#count,
      deviation: Math.sqrt(this.#squares / this.#count),
      sampleDeviation: this.#count === 1 ? Number.NaN : Math.sqrt(this.#squares / (this.#count - 1)),
      median: this.#counts === undefined ? medianOf(this.#kept) : medianOfCounts(this.#counts, this.#count),
      isMedianExact: this.#counts !== undefined || this.#step === 1,
    };
  }

  #addCount(number: number): void {
    const counts = this.#counts;
    if (counts === undefined) return;
    const seen = counts.get(number);
    if (seen !== undefined) counts.set(number, seen + 1);
    else if (counts.size < MOST_DISTINCT && this.#room.take()) counts.set(number, 1);
    else {
      this.#room.left += counts.size;
      this.#counts = undefined;
    }
  }

  #keep(number: number): void {
    this.#kept.push(number);
    if (this.#kept.length < 2 * MOST_DISTINCT) return;
    this.#kept = this.#kept.filter((_, at) => at % 2 === 0);
    this.#step *= 2;
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

// A document may have other keys in each record.
const MOST_COLUMNS = 1_000;

/** Facts about the columns of one table by their names; columns behind the first thousand are not counted. */
export class TableFacts {
  readonly #room = new Room(MOST_KEPT);
  readonly #columns = new Map<string, ColumnFacts>();

  /** The column, which is begun where it is new; undefined for one too many. */
  of(name: string): ColumnFacts | undefined {
    const known = this.#columns.get(name);
    if (known !== undefined || this.#columns.size === MOST_COLUMNS) return known;
    const facts = new ColumnFacts(this.#room);
    this.#columns.set(name, facts);
    return facts;
  }

  get columns(): ReadonlyMap<string, ColumnFacts> {
    return this.#columns;
  }
}
