import { ExactNumber, isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../../files/json/value.ts";

/** The most objects and lists that are looked at in one value that was not read. */
const MOST_VALUES = 2_000;

/** The name of what looks like scores in a value of this name, or in anything below it; undefined where nothing does. */
export function scoresIn(name: string, value: JsonValue): string | undefined {
  const key = name.slice(name.lastIndexOf(".") + 1);
  const open: Found[] = [{ value, key, above: undefined }];
  // What is found below is looked at in its turn.
  for (const found of open) {
    if (areScores(found.key, found.value)) {
      const keys: string[] = [];
      for (let at = found; at.above; at = at.above) keys.unshift(at.key);
      return [name, ...keys].join(".");
    }
    if (isJsonList(found.value)) {
      for (const item of found.value) if (open.length < MOST_VALUES) push(open, item, found.key, found.above);
    } else if (isJsonObject(found.value)) {
      for (const below in found.value) if (open.length < MOST_VALUES) push(open, found.value[below], below, found);
    }
  }
  return undefined;
}

/** A value below one that was not read: a list and its items have the key of the list. */
interface Found {
  readonly value: JsonValue;
  readonly key: string;
  readonly above: Found | undefined;
}

function push(open: Found[], value: JsonValue | undefined, key: string, above: Found | undefined): void {
  if (isJsonList(value) || isJsonObject(value)) open.push({ value, key, above });
}

/**
 * True for a list of objects with a name and a score, and for an object of scores under such a name. What is called a
 * value or a result is a score only in something that is called scores.
 */
function areScores(key: string, value: JsonValue): boolean {
  if (isJsonList(value)) {
    const isCalledSo = wordsOf(key).isScores;
    return value.slice(0, MOST_VALUES).some((item) => isJsonObject(item) && isNamedScore(item, isCalledSo));
  }
  if (!isJsonObject(value) || !wordsOf(key).isScores) return false;
  return Object.values(value).some((item) => isScore(item) || (isJsonObject(item) && hasScore(item, true)));
}

function isNamedScore(item: JsonObject, isCalledSo: boolean): boolean {
  return (
    hasScore(item, isCalledSo) && Object.keys(item).some((key) => typeof item[key] === "string" && wordsOf(key).isName)
  );
}

function hasScore(item: JsonObject, isCalledSo: boolean): boolean {
  for (const key in item) {
    if (!isScore(item[key])) continue;
    const { isScore: is, isValue } = wordsOf(key);
    if (is || (isCalledSo && isValue)) return true;
  }
  return false;
}

function isScore(value: JsonValue | undefined): boolean {
  return typeof value === "number" || typeof value === "boolean" || value instanceof ExactNumber;
}

interface KeyWords {
  readonly isScore: boolean;
  readonly isValue: boolean;
  readonly isName: boolean;
  readonly isScores: boolean;
}

const VALUE: ReadonlySet<string> = new Set(["value", "result", "pass", "passed", "success", "rating"]);
const NAME: ReadonlySet<string> = new Set(["name", "key", "metric", "scorer", "evaluator", "criterion"]);
const SCORES: ReadonlySet<string> = new Set(
  [
    ...["score", "metric", "eval", "evaluation", "grade", "rating", "feedback", "annotation", "assessment"],
    "verdict",
  ].flatMap((word) => [word, `${word}s`]),
);
const LONGEST_KEY = 100;
const MOST_KEPT = 1_000;
/** Of the keys that were seen: records repeat theirs. */
const KEPT = new Map<string, KeyWords>();

/** Looks at the words of a key, in whatever way they are put together. */
function wordsOf(key: string): KeyWords {
  const kept = KEPT.get(key);
  if (kept) return kept;
  const apart = key.slice(0, LONGEST_KEY).replace(/([a-z\d])([A-Z])/g, "$1 $2");
  const words = apart.toLowerCase().split(/[^a-z]+/);
  const has = (known: ReadonlySet<string>) => words.some((word) => known.has(word));
  const said = { isScore: words.includes("score"), isValue: has(VALUE), isName: has(NAME), isScores: has(SCORES) };
  if (KEPT.size < MOST_KEPT && key.length <= LONGEST_KEY) KEPT.set(key, said);
  return said;
}
