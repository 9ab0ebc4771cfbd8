import type { ColumnValue } from "../../experiments/rows/columns.ts";
import { scoreName } from "./metric-key.ts";

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
