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

/** Counts the records that are no rows, and reports them together. */
export class SummaryRecords {
  #first: FilePlace | undefined;
  #count = 0;

  add(place: FilePlace): void {
    this.#first ??= place;
    this.#count += 1;
  }

  /** A sentence about them; undefined where there is none. */
  get warning(): string | undefined {
    if (this.#first === undefined) return undefined;
    const all = this.#count === 1 ? "" : `; ${countOf(this.#count, "record")} are left out`;
    const what = "the record holds scores of the whole and is not taken as a row";
    return `${placeText(this.#first)}: ${what}${all}. Scores of the whole belong in the summary scores.`;
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
