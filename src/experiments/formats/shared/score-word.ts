import type { JsonValue } from "../../../files/json/value.ts";

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
