import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import { ExactNumber, type JsonValue } from "../../../files/json/value.ts";

/** The name of what looks like scores in a value of this name, or in anything below it; undefined where nothing does. */
export function scoresIn(name: string, value: JsonValue): string | undefined {
  const open: Named[] = [[name, value]];
  // What is found below is looked at in its turn.
  for (const [path, each] of open) {
    if (areScores(path, each)) return path;
    for (const below of valuesIn(path, each)) if (open.length < MOST_VALUES) open.push(below);
  }
  return undefined;
}

type Named = readonly [name: string, value: JsonValue];

/** The most values that are looked at in one value that was not read. */
const MOST_VALUES = 2_000;

function valuesIn(path: string, value: JsonValue): readonly Named[] {
  if (isJsonList(value)) return value.slice(0, MOST_VALUES).map((item) => [path, item]);
  return isJsonObject(value) ? Object.entries(value).map(([key, item]) => [`${path}.${key}`, item]) : [];
}

/**
 * True for a list of objects with a name and a score, and for an object of scores under such a name. What is called a
 * value or a result is a score only in something that is called scores.
 */
function areScores(path: string, value: JsonValue): boolean {
  const isCalledSo = isOf(SCORE_WORDS, path.slice(path.lastIndexOf(".") + 1));
  const words = isCalledSo ? VALUE_WORDS : ONLY_SCORE;
  const hasScore = (item: JsonValue) =>
    isJsonObject(item) && Object.entries(item).some(([key, field]) => isOf(words, key) && isScore(field));
  if (isJsonList(value)) return value.slice(0, MOST_VALUES).some((item) => hasName(item) && hasScore(item));
  if (!isCalledSo || !isJsonObject(value)) return false;
  return Object.values(value).some((item) => isScore(item) || hasScore(item));
}

function hasName(item: JsonValue): boolean {
  return (
    isJsonObject(item) &&
    Object.entries(item).some(([key, field]) => typeof field === "string" && isOf(NAME_WORDS, key))
  );
}

function isScore(value: JsonValue): boolean {
  return typeof value === "number" || typeof value === "boolean" || value instanceof ExactNumber;
}

/** True where a key has one of the words, in whatever way its words are put together. */
function isOf(words: ReadonlySet<string>, key: string): boolean {
  const parts = key.slice(0, LONGEST_KEY).replace(/([a-z\d])([A-Z])/g, "$1 $2");
  return parts
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => words.has(word));
}

const LONGEST_KEY = 100;
const ONLY_SCORE: ReadonlySet<string> = new Set(["score"]);
const VALUE_WORDS: ReadonlySet<string> = new Set(["score", "value", "result", "pass", "passed", "success", "rating"]);
const NAME_WORDS: ReadonlySet<string> = new Set(["name", "key", "metric", "scorer", "evaluator", "criterion"]);
const SCORE_WORDS: ReadonlySet<string> = new Set(
  [
    "score",
    "metric",
    "eval",
    "evaluation",
    "grade",
    "rating",
    "feedback",
    "annotation",
    "assessment",
    "verdict",
  ].flatMap((word) => [word, `${word}s`]),
);
