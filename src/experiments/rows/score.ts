import { Feedback } from "../../contract/experiment.ts";
import { kindOf } from "../../files/json/kind.ts";
import { ExactNumber, NOT_A_NUMBER, type JsonObject, type JsonValue, receivedValue } from "../../files/json/value.ts";
import type { SourceScore } from "./source-row.ts";
import { checkFeedback } from "../../contract/experiment-rules.ts";
import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import { quotedName } from "../../text/quoted.ts";
import { readYaml } from "../../files/yaml.ts";

/** A score as it is counted and sent. */
export interface Score {
  readonly key: string;
  /** Undefined for a missing score. */
  readonly number: number | undefined;
  /** The feedback object as it is sent; undefined where a missing score has nothing to say either. */
  readonly feedback: JsonObject | undefined;
  /** True where the row does not say that it has such a score: an empty cell, and no null, NaN or N/A. */
  readonly isBlank?: true | undefined;
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
  if (read === undefined) return { score: undefined, fault: `is ${kindOf(value)}, not a number` };
  const { number, sent } = read;
  if (by === undefined && comment === undefined && more === undefined && isBlank !== true) {
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
  if (value === undefined || value === null || value === NOT_A_NUMBER) return MISSING;
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

/** Scores that were read, or the errors of their text: clauses that can follow the name of an input. */
type SummaryScoresReading =
  | { readonly ok: true; readonly value: readonly SourceScore[] }
  | { readonly ok: false; readonly faults: readonly string[] };

const SHAPE = "must be a YAML mapping, for example `accuracy: 0.91`, or a list of feedback objects";
const FIELDS = Object.keys(Feedback.shape).filter((field) => field !== "key");

/**
 * Reads the scores of an experiment as a whole from YAML: names and their numbers, true or false, or objects with the
 * fields of a feedback object (`score`, `value`, `comment`, …); or a list of such objects with their keys. An empty
 * text has none. A score that is empty, e.g. from an empty expression, is an error.
 */
export async function parseSummaryScores(text: string): Promise<SummaryScoresReading> {
  const read = await readYaml(text);
  if (!read.ok) return read;
  const named = namedScores(read.value);
  if (named === undefined) return { ok: false, faults: [SHAPE] };
  const faults: string[] = [];
  const scores = named.map(({ place, key, value }) => {
    return scoreOf(key, value, (message) => faults.push(`${place} ${message}`));
  });
  faults.push(...repeated(named.map(({ key }) => key)).map((key) => `${quotedName(key)} is set twice`));
  return faults.length === 0 ? { ok: true, value: scores } : { ok: false, faults: [...new Set(faults)] };
}

interface NamedScore {
  /** How a fault calls it. */
  readonly place: string;
  readonly key: string;
  readonly value: JsonValue;
}

function namedScores(value: JsonValue): readonly NamedScore[] | undefined {
  if (value === null) return [];
  if (isJsonObject(value))
    return Object.entries(value).map(([key, score]) => ({ place: nameOf(key), key, value: score }));
  if (!isJsonList(value) || !value.every(isJsonObject)) return undefined;
  return value.map(({ key = "", ...score }, index) => {
    const isName = typeof key === "string" && key !== "";
    return { place: isName ? quotedName(key) : `score ${String(index + 1)}`, key: isName ? key : "", value: score };
  });
}

function nameOf(key: string): string {
  return key === "" ? "a score" : quotedName(key);
}

function scoreOf(key: string, value: JsonValue, fault: (message: string) => void): SourceScore {
  const given: JsonObject = isJsonObject(value) ? value : { score: value };
  const { score = null, ...rest } = Object.fromEntries(Object.entries(given).filter(([, field]) => field !== null));
  for (const field of Object.keys(rest).filter((name) => !FIELDS.includes(name))) {
    fault(`has an unknown field ${quotedName(field)}; a score has ${FIELDS.join(", ")}`);
  }
  for (const { loc, msg } of checkFeedback(receivedValue({ key, ...rest })).faults) {
    // The name is checked with the number, in words that do not call it a field.
    if (loc[0] !== "key") fault(`has an invalid ${quotedName(loc.join("."))}: ${msg}`);
  }
  const { comment, ...more } = rest;
  const read: SourceScore = {
    key,
    value: score,
    ...(typeof comment === "string" ? { comment } : {}),
    ...(Object.keys(more).length === 0 ? {} : { more }),
  };
  const reading = readScore(read);
  if (reading.score === undefined) fault(reading.fault);
  else if (reading.score.feedback === undefined) fault("has no number; leave the score out if it is missing");
  return read;
}

function repeated(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.filter((key, index) => key !== "" && keys.indexOf(key) !== index))];
}
