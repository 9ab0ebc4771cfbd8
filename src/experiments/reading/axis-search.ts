import { hash } from "node:crypto";
import type { FilePlace } from "../../files/json/errors.ts";
import { quotedName, listed } from "../../text/quoted.ts";
import { countText } from "../../text/number.ts";
import { wordsOfName } from "../formats/table/column-names.ts";
import { settingTexts, statedRepetition } from "../rows/row-columns.ts";
import type { SourceRow } from "../rows/source-row.ts";

/** A column by which the rows of each case are of several systems, such as two models. */
export interface Axis {
  readonly column: string;
  /** The first ones that were seen. */
  readonly values: readonly string[];
  readonly place: FilePlace;
  /** What is wrong: a clause. */
  readonly message: string;
}

// As many cases as show what is the rule; of more, a share that does not depend on the order of the rows.
const MOST_CASES = 1_024;
const MOST_COLUMNS = 64;
/** A column with more values tells cases or rows apart. */
const MOST_VALUES = 32;
const MOST_ROWS_OF_CASE = 256;
const LONGEST_VALUE = 200;
const MOST_SHOWN = 4;

/** How often what looks like an axis may be an accident of the answers. */
const LEAST_SURE = 0.02;

// A name ends with what it is of: `model_output` is no model.
const AXIS_WORDS =
  /(?:^|_)(?:model|llm|prompt|retriever|reranker|embedder|embedding|provider|engine|agent|system|variant|template|strategy|arm|config|configuration|setup|pipeline)s?(?:_(?:name|id|version|type|kind|label|key|tag|slug))*$/;
/** What a repetition is called, where and when it ran, and who scored it. */
const TRIAL_WORDS =
  /(?:^|_)(?:trial|run|epoch|attempt|seed|sample|repetition|repeat|replicate|iteration|round|try|pass|session|job|host|worker|machine|date|day|time|timestamp|annotator|rater|reviewer|labeler|labeller)s?(?:_|$)/;
const VERDICT =
  /^(?:true|false|yes|no|y|n|pass|fail|passed|failed|correct|incorrect|ok|error|success|failure|hit|miss|none|null)$/i;

interface SeenColumn {
  readonly name: string;
  /** Its place among the columns. */
  readonly at: number;
  /** Each value with its place in the list, from 1. */
  readonly codes: Map<string, number>;
  readonly rows: number[];
  /** Which repetition goes with each value, where it is always the same: the column then is a name of that. */
  readonly repetitions: Map<number, number | undefined>;
}

interface SeenCase {
  rows: number;
  /** What stands in each column in each of its rows: a character for a value. */
  readonly values: string[];
}

/**
 * Looks for a column with the same values in nearly every case, such as the model: rows of one case are then of several
 * systems, and a mean over them says nothing of any. Takes rows while they stream, and keeps some of the cases.
 */
export class AxisSearch {
  readonly #columns = new Map<string, SeenColumn | undefined>();
  readonly #order: SeenColumn[] = [];
  #cases = new Map<string, SeenCase>();
  /** Of the cases, those are kept whose key is 0 in these bits. */
  #mask = 0;
  #first: FilePlace | undefined;
  #areNumbered = true;

  /** `caseKey` is a UUID. */
  take(caseKey: string, source: SourceRow): void {
    const tail = Number.parseInt(caseKey.slice(-8), 16);
    if ((tail & this.#mask) !== 0) return;
    this.#first ??= source.place;
    const one = this.#caseOf(caseKey);
    if (one === undefined || one.rows >= MOST_ROWS_OF_CASE) return;
    const repetition = statedRepetition(source);
    if (repetition === undefined) this.#areNumbered = false;
    for (const [name, text] of settingTexts(source)) {
      const column = this.#columnOf(name);
      if (column === undefined) continue;
      const code = codeIn(column, text);
      if (code === undefined) {
        this.#columns.set(name, undefined);
        continue;
      }
      column.rows[code] = (column.rows[code] ?? 0) + 1;
      if (!column.repetitions.has(code)) column.repetitions.set(code, repetition);
      else if (column.repetitions.get(code) !== repetition) column.repetitions.set(code, undefined);
      one.values[column.at] = (one.values[column.at] ?? "").padEnd(one.rows, MISSING) + String.fromCharCode(code);
    }
    one.rows += 1;
  }

  /** The axis of the rows; undefined where they have none. Of several, the one whose name says so. */
  find(): Axis | undefined {
    const found = this.#order.filter((column) => this.#columns.get(column.name) === column && this.#isAxis(column));
    const column = found.find(({ name }) => isNamedAxis(name)) ?? found[0];
    if (column === undefined || this.#first === undefined) return undefined;
    const values = [...column.codes.keys()];
    const shown = listed(
      values.map((value) => quotedName(value)),
      { conjunction: "and", most: MOST_SHOWN },
    );
    const message = `${quotedName(column.name)} has the same ${countText(values.length)} values in nearly every case: ${shown}; a mean over their rows says nothing of any of them`;
    return { column: column.name, values, place: { file: this.#first.file }, message };
  }

  #caseOf(key: string): SeenCase | undefined {
    const known = this.#cases.get(key);
    if (known !== undefined) return known;
    while (this.#cases.size >= MOST_CASES) {
      this.#mask = (this.#mask << 1) | 1;
      for (const each of this.#cases.keys()) if (!this.#isKept(each)) this.#cases.delete(each);
    }
    if (!this.#isKept(key)) return undefined;
    const made: SeenCase = { rows: 0, values: [] };
    this.#cases.set(key, made);
    return made;
  }

  #isKept(key: string): boolean {
    return (Number.parseInt(key.slice(-8), 16) & this.#mask) === 0;
  }

  #columnOf(name: string): SeenColumn | undefined {
    if (this.#columns.has(name) || this.#order.length >= MOST_COLUMNS) return this.#columns.get(name);
    const words = wordsOfName(name);
    const isTrial = TRIAL_WORDS.test(words) && !AXIS_WORDS.test(words);
    const at = this.#order.length;
    const column = isTrial ? undefined : { name, at, codes: new Map(), rows: [], repetitions: new Map() };
    this.#columns.set(name, column);
    if (column !== undefined) this.#order.push(column);
    return column;
  }

  #isAxis(column: SeenColumn): boolean {
    const values = [...column.codes.keys()];
    if (values.length < 2 || !areNames(values, column.name)) return false;
    const { repetitions } = column;
    const numbers = new Set(repetitions.values());
    if (this.#areNumbered && !numbers.has(undefined) && numbers.size === repetitions.size) return false;
    const cases = [...this.#cases.values()].map((one) => (one.values[column.at] ?? "").padEnd(one.rows, MISSING));
    const sorted = cases.map((text) => text.split("").toSorted().join(""));
    const [usual, exact] = mostFrequent(sorted);
    if (new Set(usual.replaceAll(MISSING, "")).size < 2) return false;
    const near = sorted.filter((text) => text === usual || isNear(text, usual)).length;
    if (2 * exact < cases.length || 4 * near < 3 * cases.length) return false;
    // What goes by the name of a system is one where each case has each of them as often, also in a few cases. A service
    // that falls back to another model now and then does not make such rows.
    const isWhole = sorted.every((text) => isPartOf(text, usual)) && isBalanced(usual);
    if (isNamedAxis(column.name) && isWhole) return true;
    // In the order of the file the rows of each case are alike where they are of an axis, and not where answers differ.
    const [ordered, alike] = mostFrequent(cases);
    const odds = this.#oddsOf(column, cases);
    const one = logChance(usual, odds) + logOrders(usual);
    // The first case is like itself.
    const others = cases.length - 1;
    return (
      Math.min(logTail(others, exact - 1, one), logTail(others, alike - 1, logChance(ordered, odds))) <
      Math.log(LEAST_SURE)
    );
  }

  /** The share of the rows that has each value. */
  #oddsOf({ rows }: SeenColumn, cases: readonly string[]): (code: string) => number {
    const all = cases.reduce((sum, { length }) => sum + length, 0);
    const named = rows.reduce((sum, count) => sum + count, 0);
    return (code) => {
      const count = code === MISSING ? Math.max(1, all - named) : (rows[code.charCodeAt(0)] ?? 1);
      return Math.min(1, count / Math.max(all, named));
    };
  }
}

const MISSING = "\0";

/** The number of a value in its column; undefined where there are too many. */
function codeIn({ codes }: SeenColumn, text: string): number | undefined {
  const value = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}${hash("sha1", text)}` : text;
  const known = codes.get(value);
  if (known !== undefined) return known;
  if (codes.size >= MOST_VALUES) return undefined;
  codes.set(value, codes.size + 1);
  return codes.size;
}

function isNamedAxis(name: string): boolean {
  return AXIS_WORDS.test(wordsOfName(name));
}

/**
 * False for numbers, verdicts, and for values that differ only in what numbers them: in a number, an ordinal, a day or an
 * id, unless the name says what they are.
 */
function areNames(values: readonly string[], name: string): boolean {
  if (values.every((value) => VERDICT.test(value) || !/\p{L}/u.test(value))) return false;
  const stems = new Set(values.map((value) => value.toLowerCase().replaceAll(ID, "#").replaceAll(NUMBERING, "#")));
  return stems.size > 1 || isNamedAxis(name);
}

/** An id of hexadecimal digits, or a long one of letters and digits. */
const ID = /(?<![a-z\d])(?:(?=[a-f]*\d)[\da-f]{6,}|(?=(?:[a-z]*\d){4})[a-z\d]{12,})(?![a-z\d])/g;
const NUMBERING =
  /\d+|(?<![a-z])(?:first|second|third|fourth|fifth|last|one|two|three|four|five|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?![a-z])/g;

function mostFrequent(texts: readonly string[]): readonly [text: string, count: number] {
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
function isNear(text: string, usual: string): boolean {
  const counts = new Map<string, number>();
  for (const code of usual) counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const code of text) counts.set(code, (counts.get(code) ?? 0) - 1);
  let differing = 0;
  for (const count of counts.values()) differing += Math.abs(count);
  return differing <= Math.max(1, Math.floor(usual.length / 4));
}

/** True where a case has no more of any value than another. */
function isPartOf(text: string, usual: string): boolean {
  return [...new Set(text)].every((code) => text.split(code).length <= usual.split(code).length);
}

/** True where each value is there as often as the others. */
function isBalanced(text: string): boolean {
  return new Set([...new Set(text)].map((code) => text.split(code).length)).size === 1;
}

function logChance(text: string, odds: (code: string) => number): number {
  let sum = 0;
  for (const code of text) sum += Math.log(odds(code));
  return sum;
}

/** In how many orders the values of a case can stand. */
function logOrders(text: string): number {
  const counts = new Map<string, number>();
  for (const code of text) counts.set(code, (counts.get(code) ?? 0) + 1);
  let sum = logFactorial(text.length);
  for (const count of counts.values()) sum -= logFactorial(count);
  return sum;
}

/** At most how likely it is that as many of the cases are alike, each with this chance. */
function logTail(cases: number, alike: number, chance: number): number {
  return logFactorial(cases) - logFactorial(alike) - logFactorial(cases - alike) + alike * Math.min(0, chance);
}

function logFactorial(number: number): number {
  let sum = 0;
  for (let factor = 2; factor <= number; factor++) sum += Math.log(factor);
  return sum;
}
