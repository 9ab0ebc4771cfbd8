/** What stands before the header of a CSV file. */
export interface Preamble {
  /** Characters, with the ends of their lines. */
  readonly length: number;
  readonly lines: number;
  /** The delimiter that it names, as Excel writes it. */
  readonly delimiter: string | undefined;
}

const SEPARATOR = /^(?:"sep=([^"\r\n])"|sep=([^"\r\n])\2*)[ \t]*(?:\r\n|\n|\r)/i;

/**
 * Finds `sep=;` in the first line, and lines that begin with `#` before the header, also as a quoted cell. A column may be
 * called `#` as well: such a line is the header where it has as many cells as the first line behind it, and behind `# `
 * where that line has a number, as no header has.
 */
export function preambleOf(text: string, delimiterOf: (line: string) => string): Preamble {
  const [separator = "", quoted, plain] = SEPARATOR.exec(text) ?? [];
  const delimiter = quoted ?? plain;
  const rest = text.slice(separator.length);
  const before = { length: separator.length, lines: separator === "" ? 0 : 1, delimiter };
  const comments: { readonly line: string; readonly length: number }[] = [];
  for (const { line, length: whole } of linesOf(rest)) {
    if (line !== "" && !COMMENT.test(line)) {
      const cells = cellsOf(line, delimiter ?? delimiterOf(line));
      const header = comments.findIndex((comment) => isHeader(comment.line, cells, delimiter ?? delimiterOf(line)));
      const read = header === -1 ? comments : comments.slice(0, header);
      const length = read.reduce((sum, comment) => sum + comment.length, before.length);
      return { length, lines: before.lines + read.length, delimiter };
    }
    comments.push({ line, length: whole });
    if (comments.length === MOST_LINES) break;
  }
  return before;
}

const COMMENT = /^"?#/;
const NUMBER = /^\s*[+-]?\d+(?:[.,]\d+)?\s*%?\s*$/;
// Longer comments are a text, and no table.
const MOST_LINES = 1_000;

/** The lines that have an end, and their lengths with it. */
function* linesOf(text: string): Generator<{ readonly line: string; readonly length: number }, void, undefined> {
  const ends = /\r\n|\n|\r/g;
  for (let at = 0, end = ends.exec(text); end !== null; at = ends.lastIndex, end = ends.exec(text)) {
    yield { line: text.slice(at, end.index), length: ends.lastIndex - at };
  }
}

function isHeader(line: string, behind: readonly string[], delimiter: string): boolean {
  if (behind.length < 2 || cellsOf(line, delimiter).length !== behind.length) return false;
  return /^"?#\S/.test(line) || behind.some((cell) => NUMBER.test(cell));
}

/** The cells, without what stands in quotes. */
function cellsOf(line: string, delimiter: string): readonly string[] {
  return line.replace(/"[^"]*"/g, "").split(delimiter);
}
