import type { ScoreGrade } from "../../rows/columns.ts";
import type { ColumnFacts } from "../../rows/column-facts.ts";
import type { ColumnSample } from "./column-sample.ts";
import { isCountName, isOutcomeName, isScoreName } from "./score-names.ts";

/** What shows that a column is a score; undefined where its name does. */
export function gradeOf({ name, kind, pair, isBoolean, facts }: ColumnSample): ScoreGrade | undefined {
  const isVerdict = isBoolean || kind === "word";
  if (isScoreName(name) || (isVerdict && isOutcomeName(name, pair))) return undefined;
  // Of few retries, each number is 0 or 1.
  if (isCountName(name) && facts.numbers?.whole === facts.count && !isVerdict) return "key";
  return showScores(facts) ? "values" : "number";
}

/**
 * True for values that only scores have: verdicts, or fractions in [0, 1]. One value in all rows shows nothing, and
 * whole numbers that differ in each row are ids.
 */
export function showScores(facts: ColumnFacts): boolean {
  const { count, numbers } = facts;
  if (count === 0 || (facts.isConstant && count > 1)) return false;
  if (!numbers || numbers.count < count) return false;
  if (numbers.whole === count && facts.isUnique && !facts.areBooleans) return false;
  return numbers.fractions === count;
}

/** True where a text may follow: the numbers before it may not have been scores. */
export function isOnlyNumber({ grade }: { readonly grade?: ScoreGrade | undefined }): boolean {
  return grade === "number" || grade === "key";
}
