import type { ColumnValue } from "../../experiments/rows/columns.ts";
import { MEASURES } from "./case-set.ts";

/**
 * A metric is keyed as a rule writes it: what was measured by its bare name, and a score of the same name in quotes. Both may
 * be in one run, and neither hides the other.
 */
export function scoreKey(name: string): string {
  return bareName(name) === undefined ? name : `"${name}"`;
}

export function scoreName(key: string): string {
  return isQuotedScore(key) ? key.slice(1, -1) : key;
}

/** True for the key of a score that has the name of a measure. */
export function isQuotedScore(key: string): boolean {
  return key.startsWith('"') && bareName(key) !== undefined;
}

/** A name as a rule has to write it. That of a score with the name of a measure is always in quotes. */
export function written(key: string): string {
  const name = scoreName(key);
  const isWord = /^(?!')[^\s"<>=!≤≥[\](),#]+$/u.test(name);
  return isWord && name === key ? name : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The values that rows must have as they are written, the same for the same in any order. */
export function writtenWhere(where: readonly ColumnValue[]): string {
  const parts = where.map(({ column, value }) => `${written(column)} = ${written(value)}`);
  return `[${parts.toSorted().join(", ")}]`;
}

/** The measure that a text names, alone or within as many quotes before as after it. */
function bareName(text: string): string | undefined {
  if (!text.startsWith('"')) return MEASURES.has(text) ? text : undefined;
  const [, , name] = WITHIN_QUOTES.exec(text) ?? [];
  return name !== undefined && MEASURES.has(name) ? name : undefined;
}

// The longest measure has seven letters: a long name is not walked through.
const WITHIN_QUOTES = /^("*)([a-z]{1,16})\1$/;
