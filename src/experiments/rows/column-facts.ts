import { hash } from "node:crypto";
import { MOST_DISTINCT, Numbers, Room, type NumberFacts } from "./number-facts.ts";
import { ExactNumber, NOT_A_NUMBER, writeJsonValue, type JsonValue } from "../../files/json/value.ts";

/** How many values all columns of a table keep together, at most. */
const MOST_KEPT = 100_000;
const LONGEST_KEY = 200;

/** A value as one text: a long one is cut, with its hash behind it. */
export function valueKey(value: JsonValue): string {
  const text = typeof value === "string" ? value : writeJsonValue(value);
  return text.length <= LONGEST_KEY ? text : `${text.slice(0, 60).toWellFormed()}…${hash("sha256", text)}`;
}

/** Facts about all values of one column, while rows stream: what it keeps does not grow with the rows. */
export class ColumnFacts {
  readonly #room: Room;
  #count = 0;
  #booleans = 0;
  #first?: string;
  #isConstant = true;
  #isUnique = true;
  /** How often each value was seen; undefined once there are too many. */
  #distinct: Map<string, number> | undefined = new Map();
  readonly #numbers: Numbers;

  /** Without `keepsNumbers` there is no median, and a number may be any of those that were seen. */
  constructor({ room = new Room(MOST_KEPT, 0), keepsNumbers = true } = {}) {
    this.#room = room;
    this.#numbers = new Numbers(keepsNumbers ? room : undefined);
  }

  /** Takes the next value, and the number that it is read as; a missing value is none. */
  add(value: JsonValue | undefined, number = numberOf(value)): void {
    if (value === undefined || value === null || value === NOT_A_NUMBER || value === "") return;
    this.#count += 1;
    if (typeof value === "boolean") this.#booleans += 1;
    if (number !== undefined && Number.isFinite(number)) this.#numbers.add(number);
    // A value that is compared with nothing any more needs no key.
    if (!this.#distinct && !this.#isConstant) return;
    const key = valueKey(value);
    this.#first ??= key;
    if (key !== this.#first) this.#isConstant = false;
    this.#addDistinct(key);
  }

  get count(): number {
    return this.#count;
  }

  get areBooleans(): boolean {
    return this.#count > 0 && this.#booleans === this.#count;
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

  /** Keeps no values any more: what is asked of single ones is unknown from here on. */
  forget(): void {
    this.#distinct = undefined;
    this.#numbers.forget();
  }

  /** Undefined where nothing was read as a number. */
  get numbers(): NumberFacts | undefined {
    return this.#numbers.facts;
  }

  /** False only where surely no value is this number. */
  mayHold(number: number): boolean {
    return this.#numbers.mayHold(number);
  }

  #addDistinct(key: string): void {
    const distinct = this.#distinct;
    if (!distinct) return;
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

/** The number that a value is: 1 and 0 for true and false; a text is none. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "boolean") return Number(value);
  if (value instanceof ExactNumber) return value.value;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

// A document may have other keys in each record.
const MOST_COLUMNS = 1_000;

/** Facts about the columns of one table by their names; columns behind the first thousand are not counted. */
export class TableFacts {
  readonly #room: Room;
  readonly #columns = new Map<string, ColumnFacts>();

  /** `filters` is how many columns of too many numbers still tell which they do not hold, each in one MiB. */
  constructor({ filters = 0 } = {}) {
    this.#room = new Room(MOST_KEPT, filters);
  }

  /** The column, which is begun where it is new; undefined for one too many. */
  of(name: string): ColumnFacts | undefined {
    const known = this.#columns.get(name);
    if (known || this.#columns.size === MOST_COLUMNS) return known;
    const facts = new ColumnFacts({ room: this.#room });
    this.#columns.set(name, facts);
    return facts;
  }

  get columns(): ReadonlyMap<string, ColumnFacts> {
    return this.#columns;
  }
}
