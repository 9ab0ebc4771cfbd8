import type { ForeignText } from "../../src/text/foreign-text.ts";
import { countText } from "../../src/text/number.ts";
import {
  codeSpan,
  markdownDetails,
  markdownSentence,
  markdownTable,
  markdownText,
  preformatted,
  webLink,
} from "./markdown.ts";

// A name is worth a few words in a table, advice or an error a few lines.
const MOST_IN_CELL = 300;
const MOST_IN_SENTENCE = 4_000;
const MOST_ROWS = 20;
const MOST_ROWS_IN_DETAILS = 1_000;
const UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Writes foreign text into markdown: without secrets, and as nothing but text. */
export class MarkdownPen {
  readonly foreign: ForeignText;

  constructor(foreign: ForeignText) {
    this.foreign = foreign;
  }

  text(text: string): string {
    return markdownText(this.foreign.line(text, MOST_IN_CELL));
  }

  /** A sentence of ours with parts in backticks and words from outside. */
  sentence(text: string): string {
    return markdownSentence(this.foreign.line(text, MOST_IN_SENTENCE));
  }

  code(text: string): string {
    return codeSpan(this.foreign.line(text, MOST_IN_CELL));
  }

  /** An id as code; of a UUID its first eight digits, which distinguish revisions. */
  id(id: string): string {
    return this.code(UUID.exec(id)?.[1] ?? id);
  }

  link(address: string): string {
    return webLink(this.foreign.line(address, MOST_IN_SENTENCE));
  }

  /** Names as code: `A`, `B`; a long list is cut with its count. */
  names(names: readonly string[], most = 50): string {
    const shown = names.slice(0, most).map((name) => this.code(name));
    const rest = names.length - shown.length;
    return [...shown, ...(rest > 0 ? [`and ${String(rest)} more`] : [])].join(", ");
  }

  /** A part that is closed at first; its body is markdown. */
  details(title: string, body: string): string {
    return markdownDetails(this.foreign.line(title), body);
  }

  /**
   * A table of cells that are markdown already; all but the first rows of a long one stand in a part that is closed at
   * first. Empty without rows.
   */
  longTable(what: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
    if (rows.length === 0) return "";
    const table = markdownTable(head, rows.slice(0, MOST_ROWS));
    const rest = rows.slice(MOST_ROWS);
    if (rest.length === 0) return table;
    const shown = markdownTable(head, rest.slice(0, MOST_ROWS_IN_DETAILS));
    const left = rest.length - MOST_ROWS_IN_DETAILS;
    const body = left > 0 ? `${shown}\n\nand ${countText(left)} more` : shown;
    return `${table}\n\n${this.details(`${countText(rest.length)} more ${what}`, body)}`;
  }

  /** Lines that keep their indentation, for a reader to copy. */
  copied(lines: readonly string[]): string {
    return preformatted(lines.map((line) => this.foreign.lines(line).join(" ")));
  }
}
