import { isJsonObject } from "../../../files/json-object.ts";
import { placeText, type FilePlace } from "../../../files/json/errors.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { countOf } from "../../../text/number.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { kindOfText } from "./column-sample.ts";

/** What people write in front of the numbers of a whole table. */
const SUMMARY_WORDS: ReadonlySet<string> = new Set([
  ...["total", "totals", "subtotal", "grand total", "sum", "summary", "overall", "aggregate", "all"],
  ...["mean", "average", "avg", "median", "std", "stdev", "stddev", "std dev", "variance"],
  ...["min", "minimum", "max", "maximum", "count", "25%", "50%", "75%"],
]);

/**
 * True for a record with the scores of the whole, such as the means below a table: it has no expected outputs, no outputs
 * and no error, and what names a case or is its inputs is empty, or a word such as TOTAL. Where nothing says so, all else
 * in it must be numbers.
 */
export function isSummaryRecord(
  { id, inputs, expected, outputs, error, scores }: SourceRow,
  record: JsonObject,
): boolean {
  if (error !== undefined || !scores.some(({ value }) => value !== undefined && value !== null)) return false;
  if (!isEmptyPart(expected) || !isEmptyPart(outputs)) return false;
  const named = [...(id === undefined ? [] : [id]), ...leavesOf(inputs)].filter((leaf) => !isEmpty(leaf));
  if (named.length > 0) return named.every(isSummaryWord);
  return inputs !== undefined && Object.values(record).every((value) => isSummaryWord(value) || isNoText(value));
}

// pandas' `describe()` writes eight, beside which a total and an average may stand. More of them in a row are cases.
const MOST_TOGETHER = 10;

/**
 * Recognizes records with scores of the whole by where they stand: before the first row or after the last one. Between two
 * rows, such a record is a case about the word TOTAL that got no output. So a record waits until it is known what follows.
 */
export class SummaryRecords {
  readonly #held: SourceRow[] = [];
  /** True after a row that is not such a record. */
  #isBegun = false;
  /** True among more of them than belong to one table. */
  #areTooMany = false;
  readonly #left = new CountedPlaces();
  readonly #between = new CountedPlaces();

  /** Takes the next record as a row, and gives the rows that are ready, in their order. */
  take(row: SourceRow, isSummary: boolean): readonly SourceRow[] {
    if (isSummary) return this.#areTooMany ? [row] : this.#hold(row);
    this.#areTooMany = false;
    if (this.#held.length > 0) return [...this.#release(), row];
    this.#isBegun = true;
    return [row];
  }

  /** Leaves out what waits after the last row, and gives a sentence for each kind of such records. */
  end(): readonly string[] {
    this.#left.add(this.#held.splice(0));
    const advice = "Scores of the whole belong in the summary scores.";
    const left = this.#left.sentence("the record holds scores of the whole and is not taken as a row", "are left out");
    const stays = "the record looks like scores of the whole, but is between rows and is taken as a row";
    const between = this.#between.sentence(stays, "are taken so");
    return [left, between].flatMap((sentence) => (sentence === undefined ? [] : `${sentence}. ${advice}`));
  }

  #hold(row: SourceRow): readonly SourceRow[] {
    this.#held.push(row);
    if (this.#held.length <= MOST_TOGETHER) return [];
    this.#areTooMany = true;
    this.#isBegun = true;
    return this.#held.splice(0);
  }

  /** What waited before a row: rows where another row stood before it. */
  #release(): readonly SourceRow[] {
    const held = this.#held.splice(0);
    (this.#isBegun ? this.#between : this.#left).add(held);
    const rows = this.#isBegun ? held : [];
    this.#isBegun = true;
    return rows;
  }
}

/** Where the first of some records stands, and how many there are. */
class CountedPlaces {
  #first: FilePlace | undefined;
  #count = 0;

  add(rows: readonly SourceRow[]): void {
    this.#first ??= rows[0]?.place;
    this.#count += rows.length;
  }

  /** What the first record is, and what becomes of all; undefined where there is none. */
  sentence(what: string, become: string): string | undefined {
    if (this.#first === undefined) return undefined;
    const all = this.#count === 1 ? "" : `; ${countOf(this.#count, "record")} ${become}`;
    return `${placeText(this.#first)}: ${what}${all}`;
  }
}

function isEmptyPart(part: JsonValue | undefined): boolean {
  return leavesOf(part).every(isEmpty);
}

/** A part may be one value, or several by their keys. */
function leavesOf(part: JsonValue | undefined): readonly JsonValue[] {
  if (part === undefined) return [];
  return isJsonObject(part) ? Object.values(part) : [part];
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}

function isSummaryWord(value: JsonValue): boolean {
  return typeof value === "string" && SUMMARY_WORDS.has(value.trim().toLowerCase().replace(/\s*:$/, ""));
}

function isNoText(value: JsonValue): boolean {
  if (typeof value !== "string") return !isJsonObject(value);
  const kind = kindOfText(value);
  return kind !== "text" && kind !== "word";
}
