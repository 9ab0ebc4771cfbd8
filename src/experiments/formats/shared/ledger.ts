import type { FilePlace } from "../../../files/json/errors.ts";
import { type JsonValue, saysNothing } from "../../../files/json/value.ts";
import { scoresIn } from "./score-like.ts";

/** The keys that a format leaves out on purpose. */
export interface LeftOut {
  readonly has: (key: string) => boolean;
  /** Those in which a user writes what they like: what looks like scores there is not left out. */
  readonly isFree?: (key: string) => boolean;
}

/** All but what is read, in what a user wrote to configure a tool. */
export const ALL_OTHERS: LeftOut = { has: () => true };

const NOTHING: LeftOut = new Set<string>();

/** Where a value stands in a file. */
export interface ValuePlace extends FilePlace {
  /** The dotted path to it, where the line alone is not exact enough: `testCases.0.trace`. */
  readonly path?: string;
  /** The path without the numbers of lists, where it is known without making the path. */
  readonly level?: string;
}

/** Where a record stands, as far as the keys above it count. */
type Place = Partial<ValuePlace>;

/**
 * What became of the keys of one file: each is read, left out on purpose, or not read. Keys are named with the keys
 * above them, without the numbers of lists: `testCases.metricsData.x`. A key without a value is not counted. Memory
 * does not grow with the file.
 */
export class Ledger {
  readonly #levels = new Map<string, Level>();
  readonly #counts: Counts = { keys: 0, scores: 0 };

  /** The names that nothing read; the first 200 of them. */
  get unread(): readonly string[] {
    return this.#all((level) => [...level.unread.keys()].map((key) => level.nameOf(key)));
  }

  /** The names that were there and are left out on purpose. */
  get leftOut(): readonly string[] {
    return this.#all((level) => [...level.leftOut].map((key) => level.nameOf(key)));
  }

  /** Those among what was not read, or below it, that look like scores. */
  get scores(): readonly string[] {
    const found = this.#all((level) => [...level.unread.values()].flatMap((name) => name ?? []));
    return [...new Set(found)];
  }

  note(key: string, value: JsonValue | undefined, leftOut: LeftOut = NOTHING, place: Place = {}): void {
    this.level(place).note(key, value, leftOut);
  }

  /** Keys that are read, perhaps only in later records. */
  read(keys: Iterable<string>, place: Place = {}): void {
    this.level(place).read(keys);
  }

  level({ path = "", level = levelOf(path) }: Place = {}): Level {
    const name = this.#levels.has(level) || this.#levels.size < MOST_LEVELS ? level : OTHER_LEVELS;
    const known = this.#levels.get(name);
    if (known) return known;
    const begun = new Level(name, this.#counts);
    this.#levels.set(name, begun);
    return begun;
  }

  #all(of: (level: Level) => readonly string[]): readonly string[] {
    return [...new Set([...this.#levels.values()].flatMap((level) => level.all).flatMap(of))];
  }
}

const MOST_LEVELS = 100;
/** Stands for the levels of a file that has very many. */
const OTHER_LEVELS = "…";
const MOST_KEYS = 200;
const MOST_SCORES = 20;

interface Counts {
  keys: number;
  scores: number;
}

/** The keys of the records at one level of a file. */
export class Level {
  readonly leftOut = new Set<string>();
  /** With the name of what looks like scores in it. */
  readonly unread = new Map<string, string | undefined>();
  readonly #name: string;
  readonly #counts: Counts;
  readonly #read = new Set<string>();
  readonly #below = new Map<string, Level>();

  constructor(name: string, counts: Counts) {
    this.#name = name;
    this.#counts = counts;
  }

  get all(): readonly Level[] {
    return [this, ...[...this.#below.values()].flatMap((level) => level.all)];
  }

  nameOf(key: string): string {
    return this.#name === "" ? key : `${this.#name}.${key}`;
  }

  /** The level below a key that a reader asks for: there are as many as it knows. */
  below(key: string): Level {
    const known = this.#below.get(key);
    if (known) return known;
    const begun = new Level(this.nameOf(key), this.#counts);
    this.#below.set(key, begun);
    return begun;
  }

  note(key: string, value: JsonValue | undefined, leftOut: LeftOut): void {
    const isFree = leftOut.isFree?.(key) === true;
    if (this.#read.has(key) || (this.leftOut.has(key) && !isFree) || value === undefined || saysNothing(value)) return;
    if (leftOut.has(key) && !(isFree && scoresIn(this.nameOf(key), value) !== undefined)) {
      if (this.leftOut.size < MOST_KEYS) this.leftOut.add(key);
      return;
    }
    const isNew = !this.unread.has(key);
    // A key that looks like scores is told even among very many others.
    if (isNew ? this.#counts.scores >= MOST_SCORES && this.#isFull : this.unread.get(key) !== undefined) return;
    const scores = this.#counts.scores < MOST_SCORES ? scoresIn(this.nameOf(key), value) : undefined;
    if (isNew && scores === undefined && this.#isFull) return;
    if (isNew) this.#counts.keys += 1;
    if (scores !== undefined) this.#counts.scores += 1;
    this.unread.set(key, scores);
  }

  get #isFull(): boolean {
    return this.#counts.keys >= MOST_KEYS;
  }

  read(keys: Iterable<string>): void {
    for (const key of keys) {
      if (this.#read.size < MOST_KEYS) this.#read.add(key);
      const scores = this.unread.get(key);
      if (scores !== undefined) this.#counts.scores -= 1;
      if (this.unread.delete(key)) this.#counts.keys -= 1;
    }
  }
}

/** The keys above a value, without the numbers of lists. */
function levelOf(path: string): string {
  if (!/\d/.test(path)) return path;
  return path
    .split(".")
    .filter((part) => !/^\d+$/.test(part))
    .join(".");
}
