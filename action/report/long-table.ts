import { countText } from "../../src/text/number.ts";
import { markdownTable } from "./markdown.ts";
import type { MarkdownPen } from "./markdown-pen.ts";

const MOST_ROWS = 20;
const MOST_ROWS_IN_DETAILS = 1_000;

/** A table; all but the first rows of a long one stand in a part that is closed at first. Empty without rows. */
export function longTable(
  what: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  pen: MarkdownPen,
): string {
  if (rows.length === 0) return "";
  const table = markdownTable(head, rows.slice(0, MOST_ROWS));
  const rest = rows.slice(MOST_ROWS);
  if (rest.length === 0) return table;
  const shown = markdownTable(head, rest.slice(0, MOST_ROWS_IN_DETAILS));
  const left = rest.length - MOST_ROWS_IN_DETAILS;
  const body = left > 0 ? `${shown}\n\nand ${countText(left)} more` : shown;
  return `${table}\n\n${pen.details(`${countText(rest.length)} more ${what}`, body)}`;
}
