import { type ByteSource, memoryBytes } from "../../../files/json/byte-source.ts";
import { ByteWindow } from "../../../files/json/byte-window.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { countOf } from "../../../text/number.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { type CsvRecord, CsvScanner } from "./csv-scanner.ts";

/** What is wrong with a row that has not a cell for each column. */
export function raggedFault(cells: readonly string[], header: readonly string[]): string {
  const names = header.slice(0, MOST_NAMES).map(quotedName);
  const more = header.length - names.length;
  const columns = `${names.join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
  return `the row has ${countOf(cells.length, "column")} instead of ${String(header.length)}: ${columns}`;
}

/** The header of a CSV file, and the first records that are seen whole; nothing of a file without a header of two cells. */
export function csvHead({ name, text }: ResultFile): CsvHead {
  // What begins so is JSON or XML, and binary files have a NUL.
  if (/^\s*[{[<]/.test(text) || text.includes("\0")) return NO_HEAD;
  const preamble = preambleOf(text);
  const table = text.slice(preamble.length);
  const delimiter = preamble.delimiter ?? delimiterOf(table);
  const [header, ...records] = firstRecords(memoryBytes(name, Buffer.from(text), SMALL_BLOCK_BYTES), {
    delimiter,
    before: preamble,
    text,
  });
  if (!header || header.cells.length < 2) return NO_HEAD;
  return { delimiter, header: header.cells, line: header.line, records };
}

interface CsvHead {
  readonly delimiter: string;
  readonly header: readonly string[];
  readonly line: number;
  readonly records: readonly CsvRecord[];
}

const NO_HEAD: CsvHead = { delimiter: ",", header: [], line: 1, records: [] };

/** The names of the records of a file, whether it is JSON or CSV. */
export function namesIn(file: ResultFile): readonly string[] {
  return file.json.kind === "none" ? csvHead(file).header : file.json.topKeys;
}

/** True for records that have all of these names. */
export function hasNames(file: ResultFile, names: readonly string[]): boolean {
  const known = new Set(namesIn(file));
  return names.every((name) => known.has(name));
}

/**
 * The records of a CSV file (RFC 4180), one after the other, whatever their number of cells, and without blank lines and
 * what stands before the header.
 * Throws `DataFileError` for invalid UTF-8, for a quote that is out of place or never closed, and for a
 * record over 64 MiB.
 */
export function csvRecords(file: ResultFile, delimiter: string): Generator<CsvRecord, void> {
  const { bytes, text } = file;
  return records(bytes, { delimiter, before: preambleOf(text), text });
}

const MOST_SEEN = 21;
const MOST_NAMES = 10;
const SMALL_BLOCK_BYTES = 16 * 1024;
const DELIMITERS = [",", ";", "\t", "|"];

interface Table {
  readonly delimiter: string;
  readonly before: Preamble;
  /** The beginning of the file. */
  readonly text: string;
}

function* records(source: ByteSource, { delimiter, before, text }: Table): Generator<CsvRecord, void> {
  // The scanner has a bound of its own.
  using window = new ByteWindow(source, Number.POSITIVE_INFINITY);
  for (let left = Buffer.byteLength(text.slice(0, before.length)); left > 0;) {
    const passed = Math.min(left, window.end - window.at);
    left -= passed;
    window.at += passed;
    window.hold();
    if (left > 0 && !window.more()) return;
  }
  const scanner = new CsvScanner(window, { delimiter, linesBefore: before.lines });
  for (let record = scanner.next(); record; record = scanner.next()) yield record;
}

/** The first records of the beginning of a file, which may end inside of one: where it does not fit, two at most. */
function firstRecords(source: ByteSource, table: Table): readonly CsvRecord[] {
  const seen: CsvRecord[] = [];
  try {
    for (const record of records(source, table)) {
      seen.push(record);
      if (seen.length === MOST_SEEN) break;
    }
    return seen;
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    return seen.slice(0, 2);
  }
}

/** The delimiter that occurs most often in the header, outside of quotes. */
function delimiterOf(text: string): string {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "\n" || character === "\r") break;
    else if (counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [[delimiter] = [","]] = [...counts].sort(([, a], [, b]) => b - a);
  return delimiter;
}

/** What stands before the header of a CSV file. */
interface Preamble {
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
function preambleOf(text: string): Preamble {
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
