import { kindOf } from "../../files/json/kind.ts";
import { ExactNumber, isJsonList, isJsonObject, isMissing } from "../../files/json/value.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { SourceScore } from "./source-row.ts";

/** A score as it is counted and sent. */
export interface Score {
  readonly key: string;
  /** Undefined for a missing score. */
  readonly number: number | undefined;
  /** The feedback object as it is sent; undefined where a missing score has nothing to say either. */
  readonly feedback: JsonObject | undefined;
  /** True where the row does not say that it has such a score: an empty cell, and no null, NaN or N/A. */
  readonly isBlank?: true;
}

/** A score that was read, or its error: the rest of a sentence that begins with the score's name. */
export type ScoreReading = { readonly score: Score } | { readonly score: undefined; readonly fault: string };

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
// What Python, JavaScript and spreadsheets write where there is no number.
const NO_NUMBER = /^(?:|nan|[+-]?inf(?:inity)?|none|null|n\/a)$/i;

/** Reads a score: true and false are 1 and 0, the text of a number is that number, and nothing is ever made 0. */
export function readScore({ key, value, isBlank, comment, by, more }: SourceScore): ScoreReading {
  if (key === "") return { score: undefined, fault: "has no name" };
  const read = readNumber(value);
  if (!read) return { score: undefined, fault: `is ${kindOf(value)}, not a number` };
  const { number, sent } = read;
  if (by === undefined && comment === undefined && !more && isBlank !== true) {
    // Most scores are a number alone: a file has millions of them.
    const feedback = number === undefined ? undefined : sent === undefined ? { key } : { key, score: sent };
    return { score: { key, number, feedback } };
  }
  const source = by === undefined ? {} : { feedback_source: { type: by === "model" ? "model" : "api" } };
  const said = { ...(comment === undefined ? {} : { comment }), ...more };
  const isSent = number !== undefined || Object.keys(said).length > 0;
  const feedback = { key, ...(sent === undefined ? {} : { score: sent }), ...source, ...said };
  return { score: { key, number, feedback: isSent ? feedback : undefined, ...(isBlank === true ? { isBlank } : {}) } };
}

/** True for a score that has a category with an empty label, which some services reject though the contract does not. */
export function hasEmptyLabel({ more }: SourceScore): boolean {
  const config = more?.["feedback_config"];
  const categories = isJsonObject(config) ? config["categories"] : undefined;
  return isJsonList(categories) && categories.some((category) => isJsonObject(category) && category["label"] === "");
}

interface ReadNumber {
  readonly number: number | undefined;
  /** With all digits of the file. */
  readonly sent: number | ExactNumber | undefined;
}

const MISSING: ReadNumber = { number: undefined, sent: undefined };

function readNumber(value: JsonValue | undefined): ReadNumber | undefined {
  if (isMissing(value)) return MISSING;
  if (typeof value === "boolean") return { number: Number(value), sent: Number(value) };
  if (typeof value === "number") return finite(value, value);
  if (value instanceof ExactNumber) return finite(value.value, value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (NO_NUMBER.test(text)) return MISSING;
  return NUMBER.test(text) ? finite(Number(text), Number(text)) : undefined;
}

function finite(number: number, sent: number | ExactNumber): ReadNumber {
  return Number.isFinite(number) ? { number, sent } : MISSING;
}
