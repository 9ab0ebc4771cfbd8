import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../../files/json/value.ts";
import { numberOf } from "../../rows/column-facts.ts";
import { readScore } from "../../rows/score.ts";
import type { SourceScore } from "../../rows/source-row.ts";
import { isNeverScore } from "./column-names.ts";
import { verdictOf } from "./score-cell.ts";

/** What an object or a list of scores holds. */
export interface NestedScores {
  readonly scores: readonly SourceScore[];
  /** The entries that are not scores, in the same shape; undefined if there are none. */
  readonly rest: JsonValue | undefined;
}

/**
 * The scores of `{exact: 1, judged: {score: 0.5, reason: "…"}}` or `[{name: "exact", score: 1}]`. `isMeasured` says
 * that other things may stand beside them: texts, and numbers such as counts of tokens; otherwise they are taken as
 * scores, and reported as invalid later.
 */
export function nestedScores(value: JsonValue, isMeasured = false): NestedScores {
  if (isJsonList(value)) return listedScores(value);
  if (!isJsonObject(value)) return { scores: [], rest: value };
  const scores: SourceScore[] = [];
  const rest: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    const score = isMeasured && isNeverScore(key) ? undefined : scoreOf(key, item);
    if (score && (!isMeasured || numberOf(score.value) !== undefined)) scores.push(score);
    else if (isMeasured) rest.push([key, item]);
    else scores.push({ key, value: item });
  }
  return { scores, rest: rest.length === 0 ? undefined : Object.fromEntries(rest) };
}

function listedScores(items: readonly JsonValue[]): NestedScores {
  const scores: SourceScore[] = [];
  const rest: JsonValue[] = [];
  for (const item of items) {
    const name = isJsonObject(item)
      ? NAMES.map((key) => item[key]).find((text) => typeof text === "string")
      : undefined;
    const score = name === undefined || name === "" ? undefined : scoreOf(name, item);
    if (!score) rest.push(item);
    else scores.push(score);
  }
  return { scores, rest: rest.length === 0 ? undefined : rest };
}

/** The score of a value or of an object with one; undefined for an object without. */
function scoreOf(key: string, item: JsonValue): SourceScore | undefined {
  if (!isJsonObject(item)) return { key, value: plainScore(item) };
  const values = VALUES.flatMap((name) => item[name] ?? []);
  const [first] = values;
  if (first === undefined && !VALUES.some((name) => Object.hasOwn(item, name))) return undefined;
  const comment = COMMENTS.map((name) => item[name]).find((text) => typeof text === "string" && text !== "");
  const score = plainOrCategory(key, first ?? null);
  const { label } = item;
  // A label beside a number is the category that the number stands for.
  const isBeside = !score.more && typeof label === "string" && label !== "" && first !== label;
  return {
    ...score,
    ...(isBeside ? { more: { value: label } } : {}),
    ...(typeof comment === "string" ? { comment } : {}),
  };
}

/** The score in an object of a score, or the value itself if it is not such an object. */
export function scoreValueOf(item: JsonValue): JsonValue {
  if (!isJsonObject(item)) return item;
  const name = VALUES.find((each) => Object.hasOwn(item, each) && item[each] !== null);
  return name === undefined ? (VALUES.some((each) => Object.hasOwn(item, each)) ? null : item) : (item[name] ?? null);
}

function plainScore(value: JsonValue): JsonValue {
  return typeof value === "string" ? (verdictOf(value) ?? value) : value;
}

/** A word is a verdict or a category; a text with digits in it may be a number that is written in another way. */
function plainOrCategory(key: string, item: JsonValue): SourceScore {
  const value = plainScore(item);
  if (typeof value !== "string") return { key, value };
  const isOther = /\d/.test(value) || readScore({ key, value }).score !== undefined;
  return isOther ? { key, value } : { key, value: null, more: { value } };
}

const NAMES = ["name", "key", "metric"] as const satisfies readonly (keyof JsonObject)[];
const VALUES = ["score", "value", "passed", "label"];
const COMMENTS = ["comment", "reason", "explanation", "rationale"];
