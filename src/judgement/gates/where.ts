import type { ColumnValue } from "../../experiments/rows/columns.ts";
import { LineCursor, LineFault } from "./line-cursor.ts";
import { readFilters } from "./rule-parser.ts";

/** The values that rows must have, or a clause about what is wrong with the text. */
export type WhereReading =
  | { readonly ok: true; readonly where: readonly ColumnValue[] }
  | { readonly ok: false; readonly fault: string };

/** Reads which rows are judged: `[model = gpt-5]`, with commas between several, as the filter of a rule. */
export function parseWhere(text: string): WhereReading {
  const trimmed = text.trim();
  try {
    const cursor = new LineCursor(trimmed.startsWith("[") ? trimmed : `[${trimmed}]`);
    cursor.needs("[", "the opening bracket");
    const { filters } = readFilters(cursor, ["="], "a column", "the closing bracket");
    const where = filters.map(({ key, text: value }) => ({ column: key, value: value.trim() }));
    const rest = cursor.peek();
    if (rest) cursor.fail(rest, `continues behind its bracket: \`${rest.text}\``);
    const columns = new Set(where.map(({ column }) => column));
    if (columns.size < where.length) return { ok: false, fault: "names a column twice, and a row has one value in it" };
    return { ok: true, where };
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    const hint = error.fault.hint ?? "as in `[model = gpt-5]`";
    return { ok: false, fault: `${error.message}; ${hint}` };
  }
}
