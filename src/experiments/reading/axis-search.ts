import { hash } from "node:crypto";
import type { FilePlace } from "../../files/json/errors.ts";
import { quotedName, listed } from "../../text/quoted.ts";
import { hexDigit } from "../../text/code-unit.ts";
import { countText } from "../../text/number.ts";
import { textHash } from "../../text/text-hash.ts";
import { isBalanced, isNear, isPartOf, logChance, logOrders, logTail, mostFrequent } from "./axis-chance.ts";
import { areNames, isNamedAxis, isScoreAxis, isTrialName } from "./axis-names.ts";
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
  /** Other columns that are an axis also in the rows of one value. */
  readonly beside: readonly string[];
  /** True where its name says that its values are what was measured or who judged, and each row is one score. */
  readonly isOfScores: boolean;
}

// As many cases as show what is the rule; of more, a share that does not depend on the order of the rows.
const MOST_CASES = 1_024;
const MOST_COLUMNS = 64;
/** A column with more values tells cases or rows apart. */
const MOST_VALUES = 32;
const MOST_ROWS_OF_CASE = 256;
const LONGEST_VALUE = 200;
const MOST_SHOWN = 4;
/** Of the key of a case, those that tell whether it is kept. */
const TAIL_DIGITS = 8;

/** How often what looks like an axis may be an accident of the answers. */
const LEAST_SURE = 0.02;

/** In the place of a value that a row has not. */
const MISSING = "\0";

interface SeenColumn {
  readonly name: string;
  readonly at: number;
  /** Each value with its place in the list, from 1. */
  readonly codes: Map<string, number>;
  readonly rows: number[];
  /** Which repetition goes with each value, where it is always the same: the column then is a name of that. */
  readonly repetitions: Map<number, number | undefined>;
}

interface Likeness {
  /** True where accidents would hardly make it so. */
  readonly isSure: boolean;
  /** True where each of several cases has each value as often. */
  readonly isWhole: boolean;
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
  #first?: FilePlace;
  #areNumbered = true;

  /** `caseKey` is a UUID. */
  take(caseKey: string, source: SourceRow): void {
    if (this.#isKept(caseKey)) this.#take(caseKey, source);
  }

  /** The same for a case of any name, of which no more than those that are kept need a key. */
  takeNamed(name: string, source: SourceRow): void {
    const tail = textHash(name) >>> 0;
    if ((tail & this.#mask) !== 0) return;
    this.#take(`${hash("sha1", name)}${tail.toString(16).padStart(TAIL_DIGITS, "0")}`, source);
  }

  #take(caseKey: string, source: SourceRow): void {
    this.#first ??= source.place;
    const one = this.#caseOf(caseKey);
    if (!one || one.rows >= MOST_ROWS_OF_CASE) return;
    const repetition = statedRepetition(source);
    if (repetition === undefined) this.#areNumbered = false;
    for (const [name, text] of settingTexts(source)) {
      const column = this.#columnOf(name);
      if (!column) continue;
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

  /**
   * The axis of the rows; undefined where they have none. Of several, the one that all others follow, or whose name says so.
   */
  find(): Axis | undefined {
    const found = this.#found(({ isSure }) => isSure);
    const named = found.filter(({ name }) => isNamedAxis(name));
    const column = [...named, ...found].find((each) => this.#besides(each, found).length === 0) ?? named[0] ?? found[0];
    if (!column || !this.#first) return undefined;
    const beside = this.#besides(column, found).map(({ name }) => name);
    const values = [...column.codes.keys()];
    const shown = namesText(values);
    const also = beside.length === 0 ? "" : `; so has ${namesText(beside)}`;
    const message = `${quotedName(column.name)} has the same ${countText(values.length)} values in nearly every case: ${shown}; a mean over their rows says nothing of any of them${also}`;
    const isOfScores = isScoreAxis(column.name);
    return { column: column.name, values, place: { file: this.#first.file }, message, beside, isOfScores };
  }

  /** A column that may be an axis, of too few cases to tell: a sentence about it. */
  get doubt(): string | undefined {
    const [column] = this.#found(({ isWhole }) => isWhole);
    if (!column || !this.#first) return undefined;
    const values = namesText([...column.codes.keys()]);
    return `${this.#first.file}: ${quotedName(column.name)} is ${values} in each of ${countText(this.#cases.size)} cases, which are read as repetitions. If they are several systems, split the rows by this column.`;
  }

  #found(isMeant: (likeness: Likeness) => boolean): readonly SeenColumn[] {
    return this.#order.filter((column) => {
      const likeness = this.#columns.get(column.name) === column ? this.#likeness(column) : undefined;
      return likeness !== undefined && isMeant(likeness);
    });
  }

  /** The columns of which rows with one value of this one have several. */
  #besides(column: SeenColumn, found: readonly SeenColumn[]): readonly SeenColumn[] {
    return found.filter((other) => other !== column && !this.#follows(other, column));
  }

  #follows(other: SeenColumn, column: SeenColumn): boolean {
    const values = new Map<string, string>();
    return [...this.#cases.values()].every((one) => {
      const [leading = "", following = ""] = [one.values[column.at], one.values[other.at]];
      return leading.split("").every((code, row) => {
        const value = following[row] ?? MISSING;
        const known = values.get(code) ?? value;
        values.set(code, known);
        return known === value;
      });
    });
  }

  #caseOf(key: string): SeenCase | undefined {
    const known = this.#cases.get(key);
    if (known) return known;
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
    let tail = 0;
    for (let at = key.length - TAIL_DIGITS; at < key.length; at++) tail = (tail << 4) | hexDigit(key.charCodeAt(at));
    return (tail & this.#mask) === 0;
  }

  #columnOf(name: string): SeenColumn | undefined {
    if (this.#columns.has(name) || this.#order.length >= MOST_COLUMNS) return this.#columns.get(name);
    const at = this.#order.length;
    const column = isTrialName(name) ? undefined : { name, at, codes: new Map(), rows: [], repetitions: new Map() };
    this.#columns.set(name, column);
    if (column) this.#order.push(column);
    return column;
  }

  /** Whether each case has the values of the column, as an axis has; undefined for a column that is surely none. */
  #likeness(column: SeenColumn): Likeness | undefined {
    const values = [...column.codes.keys()];
    if (values.length < 2 || !areNames(values, column.name)) return undefined;
    const { repetitions } = column;
    const numbers = new Set(repetitions.values());
    if (this.#areNumbered && !numbers.has(undefined) && numbers.size === repetitions.size) return undefined;
    const cases = [...this.#cases.values()].map((one) => (one.values[column.at] ?? "").padEnd(one.rows, MISSING));
    const sorted = cases.map((text) => text.split("").toSorted().join(""));
    const [usual, exact] = mostFrequent(sorted);
    if (new Set(usual.replaceAll(MISSING, "")).size < 2) return undefined;
    const near = sorted.filter((text) => text === usual || isNear(text, usual)).length;
    if (2 * exact < cases.length || 4 * near < 3 * cases.length) return undefined;
    // What goes by the name of a system is one where each case has each of them as often, also in a few cases. A service
    // that falls back to another model now and then does not make such rows.
    const isWhole = sorted.every((text) => isPartOf(text, usual)) && isBalanced(usual);
    if (isNamedAxis(column.name) && isWhole) return { isSure: true, isWhole };
    // In the order of the file the rows of each case are alike where they are of an axis, and not where answers differ.
    const [ordered, alike] = mostFrequent(cases);
    const odds = this.#oddsOf(column, cases);
    const one = logChance(usual, odds) + logOrders(usual);
    // The first case is like itself.
    const others = cases.length - 1;
    const chance = Math.min(logTail(others, exact - 1, one), logTail(others, alike - 1, logChance(ordered, odds)));
    return { isSure: chance < Math.log(LEAST_SURE), isWhole: isWhole && cases.length > 1 && exact === cases.length };
  }

  #oddsOf({ rows }: SeenColumn, cases: readonly string[]): (code: string) => number {
    const all = cases.reduce((sum, { length }) => sum + length, 0);
    const named = rows.reduce((sum, count) => sum + count, 0);
    return (code) => {
      const count = code === MISSING ? Math.max(1, all - named) : (rows[code.charCodeAt(0)] ?? 1);
      return Math.min(1, count / Math.max(all, named));
    };
  }
}

function namesText(names: readonly string[]): string {
  return listed(names.map(quotedName), { conjunction: "and", most: MOST_SHOWN });
}

/** The number of a value in its column; undefined where there are too many. */
function codeIn({ codes }: SeenColumn, text: string): number | undefined {
  const value = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}${hash("sha1", text)}` : text;
  const known = codes.get(value);
  if (known !== undefined) return known;
  if (codes.size >= MOST_VALUES) return undefined;
  codes.set(value, codes.size + 1);
  return codes.size;
}
