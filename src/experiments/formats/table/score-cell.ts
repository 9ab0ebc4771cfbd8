import type { ScoreForm } from "../../rows/columns.ts";
import { numberOf } from "../../rows/column-facts.ts";
import { readScore } from "../../rows/score.ts";
import type { SourceScore } from "../../rows/source-row.ts";
import { isMissing, numberIn, writeJsonValue, ExactNumber } from "../../../files/json/value.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import { isExact } from "../../../files/json/exact-number.ts";

/** Which pair of words says that something is right or wrong: a column has words of one pair. */
export type VerdictPair = "truth" | "agreement" | "pass" | "correct" | "right" | "success" | "ok";

const PAIRS: readonly (readonly [pair: VerdictPair, good: readonly string[], bad: readonly string[]])[] = [
  ["truth", ["true"], ["false"]],
  ["agreement", ["yes", "y"], ["no", "n"]],
  ["pass", ["pass", "passed"], ["fail", "failed"]],
  ["correct", ["correct"], ["incorrect"]],
  ["right", ["right"], ["wrong"]],
  ["success", ["success"], ["failure"]],
  ["ok", ["ok"], ["error", "err"]],
];

interface Verdict {
  readonly pair: VerdictPair;
  readonly isGood: boolean;
}

const VERDICTS: ReadonlyMap<string, Verdict> = new Map(
  PAIRS.flatMap(([pair, good, bad]) => [
    ...good.map((word): [string, Verdict] => [word, { pair, isGood: true }]),
    ...bad.map((word): [string, Verdict] => [word, { pair, isGood: false }]),
  ]),
);

/** Of which pair a text is a word; undefined for any other text. */
export function verdictPair(text: string): VerdictPair | undefined {
  return VERDICTS.get(text.trim().toLowerCase())?.pair;
}

/** The verdict of a word, of one pair or of any; undefined for any other text. */
export function verdictOf(text: string, pair?: VerdictPair): boolean | undefined {
  const verdict = VERDICTS.get(text.trim().toLowerCase());
  return pair === undefined || verdict?.pair === pair ? verdict?.isGood : undefined;
}

/** True for `90 %` and `12.5%`, which are 0.9 and 0.125. */
export function isPercent(text: string): boolean {
  return PERCENT.test(text.trim());
}

/**
 * Whether a text is a number with a decimal comma. `1,234` may be either thousand or one and a bit: `unsure`.
 */
export function commaOf(text: string): "comma" | "unsure" | undefined {
  const number = text.trim();
  if (!COMMA.test(number)) return undefined;
  return THOUSANDS.test(number) ? "unsure" : "comma";
}

/** True for `1.234` and `1.234,5`, where a comma is the decimal mark; alone, `1.234` may also be one and a bit. */
export function isGrouped(text: string): boolean {
  return GROUPED.test(text.trim());
}

const PERCENT = /^([+-]?\d+(?:[.,]\d+)?)\s*%$/;
const COMMA = /^[+-]?\d+,\d+$/;
const THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/;

/**
 * How the scores of a column are read: null is a missing one, and a text what is written in another form. `areGrouped`
 * is true where a comma is the decimal mark, and a point stands between thousands.
 */
export function scoreReader(
  form: ScoreForm,
  pair: VerdictPair | undefined,
  areGrouped = false,
): (value: JsonValue) => JsonValue {
  if (areGrouped && (form === "number" || form === "comma")) {
    // Of whole numbers alone, a point that is not between thousands still has one meaning.
    const other = form === "number" ? scoreOfCell : comma;
    return (value) => {
      if (typeof value !== "string") return value;
      if (isGrouped(value)) return comma(value.replaceAll(".", ""));
      return commaOf(value) === undefined ? other(value) : comma(value);
    };
  }
  switch (form) {
    case "number":
      return (value) => (typeof value === "string" ? scoreOfCell(value) : value);
    case "word":
      return (value) => {
        if (typeof value === "string") return verdictOf(value, pair) ?? missingOr(value);
        return typeof value === "boolean" ? value : missingOr(value);
      };
    case "percent":
      return (value) => (typeof value === "string" ? percent(value) : missingOr(value));
    case "comma":
      return (value) => (typeof value === "string" ? comma(value) : value);
    case "category":
      // A number has no place among categories.
      return (value) => {
        const score = typeof value === "string" ? scoreOfCell(value) : value;
        return typeof score === "boolean" ? value : score;
      };
  }
}

function percent(text: string): JsonValue {
  const [, number] = PERCENT.exec(text.trim()) ?? [];
  // By its digits: 12.3 / 100 is not 0.123 in doubles.
  return number === undefined ? missingOr(text) : Number(`${number.replace(",", ".")}e-2`);
}

function comma(text: string): JsonValue {
  const number = text.trim();
  if (COMMA.test(number) || /^[+-]?\d+$/.test(number)) return scoreOfCell(number.replace(",", "."));
  return missingOr(text);
}

/** The number that a text is in whatever notation; undefined for any other text, and for one that may be two numbers. */
export function numberOfText(text: string): number | undefined {
  const number = isPercent(text) ? percent(text) : commaOf(text) === "comma" ? comma(text) : scoreOfCell(text);
  return numberIn(number);
}

/** The number of a cell in whatever notation: 1 and 0 for verdicts. */
export function numberOfCell(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "string") return numberOf(value);
  const verdict = verdictOf(value);
  return verdict === undefined ? numberOfText(value) : Number(verdict);
}

/** A value that is missing, or else a text: in a column of another form even a number has no one meaning. */
function missingOr(value: JsonValue): JsonValue {
  if (isMissing(value)) return null;
  if (typeof value !== "string") return writeJsonValue(value);
  return isMissingCell(value) ? null : value;
}

/** True for a cell that stands for no value: empty, or what Python, JavaScript and spreadsheets write there. */
export function isMissingCell(cell: string): boolean {
  return MISSING.test(cell.trim());
}

/**
 * The cell as a score: the number with all of its digits, true and false, or null for a missing one. Any other text
 * stays as it is.
 */
export function scoreOfCell(cell: string): JsonValue {
  // A double holds each number of 15 digits.
  if (PLAIN.test(cell)) return cell.length <= 15 ? Number(cell) : exactNumberOf(cell);
  const text = cell.trim();
  if (isMissingCell(text) || NOT_FINITE.test(text)) return null;
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (!NUMBER.test(text)) return cell;
  // As JSON writes it, which has no plus sign and a digit on both sides of the point.
  const json = text
    .replace(/^\+/, "")
    .replace(/^(-?)\./, "$10.")
    .replace(/\.(?!\d)/, "");
  return exactNumberOf(json);
}

/** A number with all of its digits; one that JSON writes in another way is what a double holds of it. */
function exactNumberOf(text: string): number | ExactNumber {
  return isExact(text) || !JSON_NUMBER.test(text) ? Number(text) : new ExactNumber(text);
}

const PLAIN = /^-?\d+(?:\.\d+)?$/;
const MISSING = /^(?:|nan|none|null|nat|<na>|n\/a|#n\/a)$/i;
const NOT_FINITE = /^[+-]?inf(?:inity)?$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** The score of a column, with what the mapping says of its kind. */
export function scoreOf(
  { key, kind }: { key: string; kind?: string | undefined },
  value: JsonValue | undefined,
): SourceScore {
  if (value === undefined) return { key, value: null, isBlank: true };
  if (kind === undefined) return { key, value };
  const config: JsonObject = { feedback_config: { type: kind } };
  const isMissing = value === null || value === "";
  if (isMissing || kind === "continuous") return { key, value, more: isMissing ? undefined : config };
  const isWord = typeof value === "string" && (kind === "freeform" || !readScore({ key, value }).score);
  return isWord ? { key, value: undefined, more: { value, ...config } } : { key, value, more: config };
}
