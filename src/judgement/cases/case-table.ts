import { hash } from "node:crypto";
import { Column } from "../../files/column.ts";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import { IdTable } from "../../files/id-table.ts";
import type { Case, CaseSet, MetricFacts, RunOfCases, Trial } from "./case-set.ts";
import type { SeenValues } from "./metric-facts.ts";
import { StoredCases, type StoredColumns } from "./stored-case.ts";
import { Digests, MetricValues, TextColumn, Texts } from "./case-columns.ts";

/** A trial with what it says of its case. */
export interface NewTrial extends Omit<Trial, "values">, Pick<Case, "digest" | "expected" | "inputs"> {
  /** A UUID in lower case. */
  readonly key: string;
  /** Undefined where nothing but the key names the case. */
  readonly name: string | undefined;
  /** Scalars only. */
  readonly metadata: JsonObject | undefined;
  /** By metric, each once. */
  readonly values: Iterable<readonly [metric: string, value: number]>;
  /** True where the metadata of earlier trials say all of the case: those of this one do not count. */
  readonly isDescribed?: boolean | undefined;
}

/** Hex digits of a digest: 128 bits, since no user profits from a collision. */
const DIGEST_DIGITS = 32;
const CASE_TEXTS = ["inputs", "expected"] as const;
const TRIAL_TEXTS = ["outputs", "error"] as const;
const MOST_PARSED = 4096;

export function digestOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, DIGEST_DIGITS);
}

/** What a case is called that nothing but its key names. */
export function nameOfKey(key: string): string {
  return key.slice(0, 8);
}

const numbers = () => new Column(Int32Array);

/**
 * Groups trials by their cases, whatever the order in which they come. A value takes 8 bytes and a case about 80: as
 * objects 100,000 of them would take ten times as much.
 */
export class CaseTable {
  readonly #ids = new IdTable();
  readonly #store = new TextColumn();
  readonly #names = new Texts(this.#store);
  readonly #metadata = new Texts(this.#store);
  readonly #digests = new Digests();
  readonly #moreDigests = new Map<number, Set<string>>();
  readonly #caseTexts = { inputs: new Texts(this.#store), expected: new Texts(this.#store) };
  readonly #trialTexts = { outputs: new Texts(this.#store), error: new Texts(this.#store) };
  readonly #metrics = new Map<string, MetricValues>();
  readonly #caseOf = numbers();
  readonly #errors = new Column(Uint8Array);
  readonly #starts = new Column(Float64Array, Number.NaN);
  readonly #unscored = new Texts(this.#store);
  readonly #unmeasured = new Texts(this.#store);
  /** True in most runs, of which no trial is looked up for that. */
  #areMeasured = true;
  readonly #files = new Map<string, number>();
  readonly #fileOf = numbers();
  /** The line, or less than 0 the row of the file; 0 where neither is known. */
  readonly #lines = numbers();
  #trials = 0;

  add(given: NewTrial): void {
    const { key, name, digest, metadata = {}, values, hasError, start, unscored, unmeasured, place } = given;
    const trial = this.#trials++;
    const at = this.#ids.get(key) ?? this.#ids.count;
    const isNew = at === this.#ids.count;
    if (isNew) this.#ids.add(key);
    this.#caseOf.set(trial, at);
    if (name !== undefined) this.#names.setLeast(at, name);
    if (isNew) this.#digests.set(at, digest);
    else this.#addDigest(at, digest);
    if (given.isDescribed !== true) this.#describe(at, metadata);
    for (const [metric, value] of values) {
      let column = this.#metrics.get(metric);
      if (!column) this.#metrics.set(metric, (column = new MetricValues()));
      column.set(trial, value);
    }
    this.#errors.set(trial, Number(hasError));
    if (start !== undefined) this.#starts.set(trial, start + 0);
    if (unscored?.length === 0) this.#unscored.setShared(trial, NO_NAMES);
    else if (unscored) this.#unscored.setShared(trial, JSON.stringify([...new Set(unscored)].sort()));
    if (unmeasured !== undefined) {
      this.#unmeasured.setShared(trial, unmeasured);
      this.#areMeasured = false;
    }
    if (place) {
      const file = this.#files.get(place.file) ?? this.#files.size + 1;
      this.#files.set(place.file, file);
      this.#fileOf.set(trial, file);
      this.#lines.set(trial, place.line ?? -(place.row ?? 0));
    }
    for (const part of CASE_TEXTS) if (given[part] !== undefined) this.#caseTexts[part].setLeast(at, given[part]);
    for (const part of TRIAL_TEXTS) if (given[part] !== undefined) this.#trialTexts[part].set(trial, given[part]);
  }

  digestAt(key: string): string | undefined {
    const at = this.#ids.get(key);
    return at === undefined ? undefined : this.#digests.get(at);
  }

  /** Cases whose trials differ in inputs or expected outputs: how many, and what people call the first by name. */
  get mixed(): { readonly count: number; readonly name: string } | undefined {
    const [name] = [...this.#moreDigests.keys()].map((at) => this.#nameOf(at)).sort();
    return name === undefined ? undefined : { count: this.#moreDigests.size, name };
  }

  #nameOf(at: number): string {
    return this.#names.get(at) ?? nameOfKey(this.#ids.at(at));
  }

  /** All cases. `factsOf` is asked for each metric that has a value. The table takes no more trials then. */
  finish(run: RunOfCases, factsOf: (metric: string, seen: SeenValues) => MetricFacts): CaseSet {
    const metrics = [...this.#metrics].sort(([one], [other]) => (one < other ? -1 : 1));
    // Before trials of a case are ordered by what is stored of them.
    const facts = metrics.map(([name, values]) => [name, factsOf(name, values.settle(this.#trials))] as const);
    return { run, metrics: new Map(facts), cases: new StoredCases(this.#columns(metrics)) };
  }

  #addDigest(at: number, digest: string): void {
    const first = this.#digests.get(at);
    if (first !== digest) this.#moreDigests.set(at, (this.#moreDigests.get(at) ?? new Set([first])).add(digest));
  }

  /** Keeps the metadata that all trials of the case have in common. */
  #describe(at: number, metadata: JsonObject): void {
    const text = scalarsText(metadata);
    const kept = this.#metadata.get(at);
    if (kept === undefined) this.#metadata.setShared(at, text);
    if (kept === undefined || kept === text) return;
    const isCommon = ([key, value]: readonly [string, JsonValue]) =>
      Object.hasOwn(metadata, key) && metadata[key] === value;
    this.#metadata.setShared(at, scalarsText(Object.fromEntries(Object.entries(parsed(kept)).filter(isCommon))));
  }

  #columns(metrics: readonly (readonly [name: string, values: MetricValues])[]): StoredColumns {
    const files = [...this.#files.keys()];
    const cases = new Uint32Array(this.#ids.count).map((_, at) => at);
    cases.sort((one, other) => this.#ids.compare(one, other));
    const { order, starts } = this.#grouped(
      cases,
      metrics.map(([, values]) => values),
    );
    const numberOf = (place: number) => cases[place] ?? 0;
    // The number under which a trial was added.
    const takenAt = (trial: number) => order[trial] ?? 0;
    const metadata = new Map<number, JsonObject>();
    // Most rows name the same ones.
    let [lastText, lastNames]: [string, readonly string[]] = [NO_NAMES, []];
    return {
      ids: this.#ids,
      digests: this.#digests,
      moreDigests: this.#moreDigests,
      count: cases.length,
      numberOf,
      key: (place) => this.#ids.at(numberOf(place)),
      name: (place) => this.#nameOf(numberOf(place)),
      digest: (place) => {
        const several = this.#moreDigests.get(numberOf(place));
        return several ? digestOf([...several].sort().join()) : this.#digests.get(numberOf(place));
      },
      metadata: (place) => {
        const number = this.#metadata.numberOf(numberOf(place));
        const known = metadata.get(number) ?? parsed(this.#metadata.get(numberOf(place)) ?? NO_SCALARS);
        if (metadata.size >= MOST_PARSED) metadata.clear();
        metadata.set(number, known);
        return Object.keys(known).length === 0 ? undefined : known;
      },
      caseText: (place, part) => this.#caseTexts[part].get(numberOf(place)),
      first: (place) => starts?.[place] ?? place,
      values: new Map(metrics.map(([name, values]) => [name, values.inOrder(order)])),
      hasError: (trial) => this.#errors.get(takenAt(trial)) === 1,
      start: (trial) => this.#starts.get(takenAt(trial)),
      unscored: (trial) => {
        const text = this.#unscored.get(takenAt(trial));
        if (text === undefined) return undefined;
        if (text !== lastText) [lastText, lastNames] = [text, namesIn(text)];
        return lastNames;
      },
      unmeasured: this.#areMeasured ? () => undefined : (trial) => this.#unmeasured.get(takenAt(trial)),
      placeOf: (trial) => {
        const file = files[this.#fileOf.get(takenAt(trial)) - 1];
        const line = this.#lines.get(takenAt(trial));
        return file === undefined ? undefined : { file, ...(line > 0 ? { line } : line < 0 ? { row: -line } : {}) };
      },
      trialText: (trial, part) => this.#trialTexts[part].get(takenAt(trial)),
    };
  }

  /**
   * The trials in the order of their cases, those of a case by what they say, and where those of each case begin;
   * undefined where each has one.
   */
  #grouped(cases: Uint32Array, metrics: readonly MetricValues[]) {
    const places = new Uint32Array(cases.length);
    for (let place = 0; place < cases.length; place++) places[cases[place] ?? 0] = place;
    const placeOf = (trial: number) => places[this.#caseOf.get(trial)] ?? 0;
    // Where the trials of each case begin; while they are placed, it moves on to where they end.
    const ends = new Uint32Array(cases.length + 1);
    for (let trial = 0; trial < this.#trials; trial++) increment(ends, placeOf(trial) + 1);
    for (let place = 0; place < cases.length; place++) ends[place + 1] = (ends[place] ?? 0) + (ends[place + 1] ?? 0);
    const order = new Uint32Array(this.#trials);
    for (let trial = 0; trial < this.#trials; trial++) order[increment(ends, placeOf(trial))] = trial;
    if (this.#trials === cases.length) return { order, starts: undefined };
    const starts = ends.copyWithin(1, 0, cases.length).fill(0, 0, 1);
    const columns = [...metrics, this.#errors, this.#starts];
    const compare = (one: number, other: number) => this.#compare(one, other, columns);
    for (let place = 0; place < cases.length; place++) order.subarray(starts[place], starts[place + 1]).sort(compare);
    return { order, starts };
  }

  #compare(one: number, other: number, columns: readonly Pick<MetricValues, "get">[]): number {
    for (const numbers of columns) {
      const [a, b] = [numbers.get(one), numbers.get(other)];
      if (a !== b && !(Number.isNaN(a) && Number.isNaN(b))) return Number.isNaN(a) || a > b ? 1 : -1;
    }
    for (const texts of [this.#unscored, this.#unmeasured, this.#trialTexts.outputs, this.#trialTexts.error]) {
      const [a = "", b = ""] = [texts.get(one), texts.get(other)];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  }
}

/** Adds 1; returns what it was. */
function increment(counts: Uint32Array, at: number): number {
  const count = counts[at] ?? 0;
  counts[at] = count + 1;
  return count;
}

const NO_SCALARS = "{}";
const NO_NAMES = "[]";

/** The same for equal scalars, in whatever order they are. */
function scalarsText(scalars: JsonObject): string {
  const keys = Object.keys(scalars);
  if (keys.length === 0) return NO_SCALARS;
  const isSorted = keys.every((key, at) => at === 0 || (keys[at - 1] ?? "") < key);
  // With a list of keys JSON.stringify writes them in its order, and takes longer.
  return isSorted ? JSON.stringify(scalars) : JSON.stringify(scalars, keys.sort());
}

function parsed(text: string): JsonObject {
  // It was written by scalarsText.
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

function namesIn(text: string): readonly string[] {
  const names: unknown = JSON.parse(text);
  return isJsonList(names) ? names.flatMap((name) => (typeof name === "string" ? name : [])) : [];
}
