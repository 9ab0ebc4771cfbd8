import type { Fields } from "./fields.ts";
import {
  ExactNumber,
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NOT_A_NUMBER,
  saysNothing,
  writeJsonValue,
} from "../../../files/json/value.ts";
import type { SourceScore } from "../../rows/source-row.ts";

/** Names the scores of one row, so that no two of them have one key. */
export class ScoreKeys {
  readonly #counts = new Map<string, number>();

  /** `taken` are keys that the row has already. */
  constructor(taken: readonly string[] = []) {
    for (const key of taken) this.#counts.set(key, 1);
  }

  /** The name itself, `score` for a score without one; from its second use on with a number: `exact`, `exact 2`. */
  next(name: string): string {
    const base = name.trim() === "" ? "score" : name;
    const count = (this.#counts.get(base) ?? 0) + 1;
    this.#counts.set(base, count);
    if (count === 1) return base;
    return this.next(`${base} ${count}`);
  }
}

/** The scores in the same order, so that no two of them have one key. */
export function distinctScores<Score extends SourceScore>(
  scores: readonly Score[],
  keys = new ScoreKeys(),
): readonly Score[] {
  return scores.map((score) => ({ ...score, key: keys.next(score.key) }));
}

/** Why a scorer gave its score, which the scorers of autoevals and those made after it put into `metadata`. */
export function rationaleOf(score: Fields, key: string): string | undefined {
  const rationale = isJsonObject(score.value(key)) ? score.someObject(key).value("rationale") : undefined;
  return typeof rationale === "string" ? rationale : undefined;
}

// C, I, P and N are those of inspect_ai, in its own worth: no answer is a wrong one.
const WORDS: ReadonlyMap<string, number> = new Map([
  ["c", 1],
  ["i", 0],
  ["p", 0.5],
  ["n", 0],
  ["true", 1],
  ["false", 0],
  ["yes", 1],
  ["no", 0],
  ["pass", 1],
  ["fail", 0],
  ["passed", 1],
  ["failed", 0],
]);

/** The number that a word of an evaluation stands for; any other value as it is. */
export function wordScore(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "string" ? (WORDS.get(value.trim().toLowerCase()) ?? value) : value;
}

/** A number or a boolean as a score; a text as the category that a scorer chose, which has no number. */
export function labelledScore(value: JsonValue | undefined): Pick<SourceScore, "more" | "value"> {
  if (typeof value === "string") return value === "" ? { value: undefined } : { value: undefined, more: { value } };
  const isNested = value !== undefined && (isJsonList(value) || isJsonObject(value));
  return isNested ? { value: undefined, more: { value: writeJsonValue(value) } } : { value };
}

/** True for what can be a score, or a missing one; a text is a word, such as the choice of a judge. */
export function isScoreValue(value: JsonValue | undefined): boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  return value === null || value === NOT_A_NUMBER || value instanceof ExactNumber;
}

/** The properties of a test, as a user recorded them: one name may stand there twice. */
export type TestProperties = readonly (readonly [name: string, value: JsonValue])[];

/** The scores among the properties of a test: those that are named `score.…`. `taken` are keys that the row has. */
export function propertyScores(properties: TestProperties, taken: readonly string[]): readonly SourceScore[] {
  const keys = new ScoreKeys(taken);
  return properties
    .filter(([name]) => isScore(name))
    .map(([name, value]) => ({ key: keys.next(name.slice(PREFIX.length)), value: wordScore(value) }));
}

export function withoutScores(properties: TestProperties): JsonObject {
  return Object.fromEntries(properties.filter(([name]) => !isScore(name)));
}

const PREFIX = "score.";

function isScore(name: string): boolean {
  return name.startsWith(PREFIX) && name.length > PREFIX.length;
}

/** The error of a row whose tool says that it failed, and nothing of why: an empty text would look like no error. */
export const UNKNOWN_ERROR = "The tool reported a failure without a reason.";

/**
 * The text of an error, written as a text or as an object with a message; undefined where there is none: absent, null
 * or an empty text.
 */
export function errorText(error: JsonValue | undefined): string | undefined {
  if (error === undefined || error === null || error === "" || error === false) return undefined;
  if (typeof error === "string") return error;
  if (!isJsonObject(error)) return UNKNOWN_ERROR;
  const { message } = error;
  // The names in JavaScript, in Python, and of the events of evals.
  const name = error["name"] ?? error["type"];
  if (typeof message !== "string" || message === "") return UNKNOWN_ERROR;
  return typeof name === "string" && name !== "" ? `${name}: ${message}` : message;
}

/**
 * The text of what stands where any tool writes an error: its message, or else all of it. An empty list has none; an empty
 * object is what JSON makes of an error of JavaScript.
 */
export function errorTextOfAnyTool(value: JsonValue): string | undefined {
  if (value === "" || value === false) return undefined;
  if (isJsonList(value) && value.length === 0) return undefined;
  if (typeof value === "string") return value;
  const message = isJsonObject(value) ? value["message"] : undefined;
  return typeof message === "string" && message !== "" ? message : writeJsonValue(value);
}

/** Facts about a row or a run, without those that are absent, null or empty; undefined when nothing is left. */
export function factsOf(facts: Readonly<Record<string, JsonValue | undefined>>): JsonObject | undefined {
  const said: Record<string, JsonValue> = {};
  let isAny = false;
  for (const name of Object.keys(facts)) {
    const fact = facts[name];
    if (fact === undefined || saysNothing(fact)) continue;
    said[name] = fact;
    isAny = true;
  }
  return isAny ? said : undefined;
}

/**
 * The metadata of a row or a run: what the user gave, over what the tool adds; what is not an object stands under
 * `metadata`. Undefined when nothing is left.
 */
export function metadataOf(own: JsonValue | undefined, facts: Parameters<typeof factsOf>[0]): JsonObject | undefined {
  const said = factsOf(facts);
  if (own === undefined || own === null) return said;
  const metadata = { ...said, ...(isJsonObject(own) ? own : { metadata: own }) };
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}
