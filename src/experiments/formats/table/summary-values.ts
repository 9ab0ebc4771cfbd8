import { isJsonObject, isMissing, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import { ColumnFacts, numberOf, type TableFacts } from "../../rows/column-facts.ts";
import type { SourceScore } from "../../rows/source-row.ts";
import { numberOfCell, numberOfText } from "./score-cell.ts";

/** Adds the scores of a row to the facts about the scores of all rows, by their keys. */
export function addScores(facts: TableFacts, scores: readonly SourceScore[]): void {
  for (const score of scores) facts.of(score.key)?.add(score.value);
}

/**
 * True for scores that sum up those of other rows: each is the mean, the median, the sum, the deviation or the count of its
 * column, as far as it is written, and at least one is so by a number that no row has. Beside such a number, one may also be
 * the least or the largest. In a column that has one value everywhere, each row is its mean, which shows nothing. `isCertain` is true
 * for a record that is no row, whatever its numbers are: also the number of a row may be a sum then.
 */
export function sumsUp(
  { scores, record }: { readonly scores: readonly SourceScore[]; readonly record: JsonObject },
  facts: TableFacts,
  isCertain: boolean,
): boolean {
  let isShown = false;
  for (const score of scores) {
    const number = numberOf(score.value);
    if (number === undefined) continue;
    const column = facts.columns.get(score.key);
    const sum = column && sumOf(number, roundingOf(number, record, isCertain ? undefined : column), column);
    if (!column || sum === undefined) return false;
    isShown ||= sum === "sum" && (isCertain || (!column.isConstant && !column.mayHold(number)));
  }
  return isShown;
}

/** True where a cell of a record sums up its column in the other records by a number that none of them has. */
export function sumsUpColumn(record: JsonObject, others: readonly JsonObject[]): boolean {
  return Object.entries(record).some(([name, value]) => {
    const number = numberOfCell(value);
    if (number === undefined) return false;
    const column = new ColumnFacts();
    for (const other of others) column.add(other[name], numberOfCell(other[name]));
    const isSum = sumOf(number, roundingOf(number, record, column), column) === "sum";
    return isSum && !column.isConstant && !column.mayHold(number);
  });
}

/** What a number is to a column: the mean or another sum of it, or an end; undefined for any other number. */
function sumOf(number: number, rounding: number, column: ColumnFacts): "end" | "sum" | undefined {
  const { numbers, distinct } = column;
  if (!numbers) return undefined;
  const { count, mean, median, sum, deviation, sampleDeviation, least, most } = numbers;
  // Half of the last digit of the rows, which the number before the rounding of the rows may be off by.
  const decimals = distinct ? Math.max(...[...distinct.keys()].map(decimalsOf)) : 0;
  const ofRows = decimals < LEAST_ROUNDED ? 0 : 0.5 * 10 ** -decimals;
  const fits = (value: number, more = 0) =>
    Math.abs(number - value) <= rounding + more + 1e-9 * Math.max(1, Math.abs(value));
  const means = [mean, deviation, sampleDeviation, ...(median === undefined ? [] : [median])];
  if (number === count || fits(sum) || means.some((each) => fits(each, ofRows))) return "sum";
  return fits(least) || fits(most) ? "end" : undefined;
}

const TWO_DECIMALS = 0.005;

/**
 * Half of the last digit that is written; the text of a cell shows more of them than its number. Where the record may be a
 * case, too few digits tell a number from no other: among shares, 0 is what a case has that failed, and no rounded deviation.
 */
function roundingOf(number: number, record: JsonObject, ofCase: ColumnFacts | undefined): number {
  const texts = Object.values(record).filter(
    (value): value is string => typeof value === "string" && numberOfText(value) === number,
  );
  const written = texts.length === 0 ? [String(number)] : texts;
  const rounding = 0.5 * 10 ** -Math.max(...written.map(decimalsOf));
  if (!ofCase?.numbers) return rounding;
  const { least, most } = ofCase.numbers;
  return Math.min(rounding, Math.max(TWO_DECIMALS, Math.abs(least) / 20, Math.abs(most) / 20));
}

// A file with two decimals was made of numbers that had more; one with a single one may be a scale of tenths or halves.
const LEAST_ROUNDED = 2;

// As many as a double has.
const ALL_DECIMALS = 15;

function decimalsOf(text: string): number {
  if (/e/i.test(text)) return ALL_DECIMALS;
  const [, decimals = "", percent] = /(?:[.,](\d+))?\s*(%)?\s*$/.exec(text) ?? [];
  return decimals.length + (percent === undefined ? 0 : 2);
}

/** True for a part that is not there, or whose values are all empty. */
export function isEmptyPart(part: JsonValue | undefined): boolean {
  return leavesOf(part).every(isEmpty);
}

/** The same, also where a sign stands for what is missing. */
export function isBlankPart(part: JsonValue | undefined): boolean {
  return leavesOf(part).every((value) => isEmpty(value) || (typeof value === "string" && NOTHING.test(value.trim())));
}

const NOTHING = /^(?:[-–—/.…]+|#?n\.?\/?a\.?|nan)$/i;

/** A part may be one value, or several by their keys. */
export function leavesOf(part: JsonValue | undefined): readonly JsonValue[] {
  if (part === undefined) return [];
  return isJsonObject(part) ? Object.values(part) : [part];
}

export function isEmpty(value: JsonValue): boolean {
  return isMissing(value) || (typeof value === "string" && value.trim() === "");
}
