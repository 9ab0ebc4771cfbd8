import { isExact } from "../../../files/json/exact-number.ts";
import { ExactNumber, type JsonValue } from "../../../files/json/value.ts";

/** True for a cell that stands for no value: empty, or what Python, JavaScript and spreadsheets write there. */
export function isMissingCell(cell: string): boolean {
  return MISSING.test(cell.trim());
}

/**
 * The cell as a score: the number with all of its digits, true and false, or null for a missing one. What is none of
 * these stays a text.
 */
export function scoreOfCell(cell: string): JsonValue {
  // A double holds each number of 15 digits.
  if (cell.length <= 15 && PLAIN.test(cell)) return Number(cell);
  const text = cell.trim();
  if (isMissingCell(text) || NOT_FINITE.test(text)) return null;
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (!NUMBER.test(text)) return cell;
  // As JSON writes it, which has no plus sign and a digit on both sides of the point.
  const json = text
    .replace(/^\+/, "")
    .replace(/^(-?)\./, "$10.")
    .replace(/\.(?!\d)/, "");
  return isExact(json) || !JSON_NUMBER.test(json) ? Number(text) : new ExactNumber(json);
}

const PLAIN = /^-?\d+(?:\.\d+)?$/;
const MISSING = /^(?:|nan|none|null|nat|<na>|n\/a|#n\/a)$/i;
const NOT_FINITE = /^[+-]?inf(?:inity)?$/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
