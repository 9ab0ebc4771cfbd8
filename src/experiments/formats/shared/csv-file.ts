import { Readable, pipeline } from "node:stream";
import { CsvError, parse, type Info, type Options } from "csv-parse";
import { parse as parseText } from "csv-parse/sync";
import { ByteWindow } from "../../../files/json/byte-window.ts";
import type { ByteSource } from "../../../files/json/byte-source.ts";
import { MARK_BYTES } from "../../../files/json/encoding.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { countOf } from "../../../text/number.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { preambleOf, type Preamble } from "./csv-preamble.ts";

/** A record of a CSV file; the header is one, too. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** In which line it begins, counted from 1: cells may hold line breaks. */
  readonly line: number;
}

/** What the beginning of a CSV file shows. */
export interface CsvHead {
  /** What stands between two cells: a comma, a semicolon, a tab or a bar. */
  readonly delimiter: string;
  readonly header: readonly string[];
  /** In which line the header begins. */
  readonly line: number;
  /** The first records behind the header that are seen whole; at most 20. */
  readonly records: readonly CsvRecord[];
}

/** What is wrong with a row that has not a cell for each column. */
export function raggedFault(cells: readonly string[], header: readonly string[]): string {
  const names = header.slice(0, MOST_NAMES).map(quotedName);
  const more = header.length - names.length;
  const columns = `${names.join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
  return `the row has ${countOf(cells.length, "column")} instead of ${String(header.length)}: ${columns}`;
}

/** Looks at a file as CSV; undefined for what has no header of two cells at least. */
export function csvHead({ text }: ResultFile): CsvHead | undefined {
  // What begins so is JSON or XML, and binary files have a NUL.
  if (/^\s*[{[<]/.test(text) || text.includes("\0")) return undefined;
  const preamble = preambleOf(text, delimiterOf);
  const table = text.slice(preamble.length);
  const delimiter = preamble.delimiter ?? delimiterOf(table);
  for (const count of [MOST_SEEN, 2, 1]) {
    try {
      const lines = new RecordLines(preamble);
      const options: Options = {
        ...DIALECT,
        delimiter,
        to: count,
        on_record: (cells, info) => {
          lines.add(cells, info);
          return cells;
        },
      };
      const seen: readonly (readonly string[])[] = parseText(table, options);
      const [header, ...records] = seen.map((cells): CsvRecord => ({ cells, line: lines.take() }));
      if (header === undefined || header.cells.length < 2) return undefined;
      return { delimiter, header: header.cells, line: header.line, records };
    } catch (error) {
      // The head may end inside of a cell: fewer records are whole.
      if (!(error instanceof CsvError)) throw error;
    }
  }
  return undefined;
}

/**
 * The records of a CSV file (RFC 4180), one after the other, whatever their number of cells, and without blank lines and
 * what stands before the header.
 * Throws `DataFileError` for invalid UTF-8, for a quote that is out of place or never closed, and for a
 * record over 64 MiB.
 */
export async function* csvRecords(file: ResultFile, delimiter: string): AsyncGenerator<CsvRecord, void, undefined> {
  const preamble = preambleOf(file.text, delimiterOf);
  const lines = new RecordLines(preamble);
  const skipped = Buffer.byteLength(file.text.slice(0, preamble.length));
  const parser = parse({
    ...DIALECT,
    delimiter,
    max_record_size: MAX_RECORD_BYTES,
    on_record: (cells, info) => {
      lines.add(cells, info);
      return cells;
    },
  });
  pipeline(Readable.from(textBlocks(file.bytes, skipped), { objectMode: false }), parser, () => {
    // The loop below gets the error.
  });
  const records: AsyncIterable<readonly string[]> = parser;
  try {
    for await (const cells of records) yield { cells, line: lines.take() };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const fault = FAULTS.get(error.code) ?? "the file is not valid CSV";
    throw new DataFileError({ file: file.name, line: lines.following(parser.info) }, fault);
  }
}

const MOST_SEEN = 21;
const MOST_NAMES = 10;
const PIECE_BYTES = 64 * 1024;
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const DELIMITERS = [",", ";", "\t", "|"];

// Line ends of all systems, even mixed; the number of cells is checked where the place is known.
const DIALECT = {
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  skip_empty_lines: true,
};

const FAULTS: ReadonlyMap<string, string> = new Map([
  ["CSV_QUOTE_NOT_CLOSED", "a quote in this row is never closed, as if the file were cut off"],
  ["CSV_INVALID_CLOSING_QUOTE", "text follows a closing quote; write a quote inside a cell twice"],
  ["INVALID_OPENING_QUOTE", "an unquoted cell contains a quote; quote the whole cell"],
  ["CSV_MAX_RECORD_SIZE", "a row is larger than 64 MiB, as if a quote were never closed"],
]);

/** Where records begin. The stream reads ahead: what was added first is taken first. */
class RecordLines {
  readonly #begins: number[] = [];
  #taken = 0;
  /** The last line of the last record. */
  #last = 0;
  #emptyLines = 0;
  /** csv-parse counts a CR LF inside of quotes as two lines. */
  #tooMany = 0;
  /** The lines that the parser does not see. */
  readonly #before: number;

  constructor({ lines }: Pick<Preamble, "lines">) {
    this.#before = lines;
    this.#last = lines;
  }

  /** Adds a record at the end of which the parser stands. */
  add(cells: readonly string[], { lines, empty_lines }: Info): void {
    let breaks = 0;
    for (const cell of cells) {
      if (!cell.includes("\n") && !cell.includes("\r")) continue;
      for (const [lineBreak] of cell.matchAll(/\r\n|\r|\n/g)) {
        breaks++;
        this.#tooMany += lineBreak.length - 1;
      }
    }
    this.#emptyLines = empty_lines;
    this.#last = this.#before + lines - this.#tooMany;
    this.#begins.push(this.#last - breaks);
  }

  /** The line in which the next record begins. */
  take(): number {
    const line = this.#begins[this.#taken++] ?? 0;
    if (this.#taken === this.#begins.length) this.#begins.length = this.#taken = 0;
    return line;
  }

  /** The line in which the record begins that could not be read. */
  following({ empty_lines }: Info): number {
    return this.#last + 1 + empty_lines - this.#emptyLines;
  }
}

/** The file as text in UTF-8 without a byte order mark and its first bytes; other bytes are refused. */
function* textBlocks(source: ByteSource, skipped: number): Generator<Buffer, void, undefined> {
  // What is held back is the beginning of a character.
  const window = new ByteWindow(source, MARK_BYTES);
  try {
    let left = skipped;
    do {
      const passed = Math.min(left, window.end - window.at);
      left -= passed;
      window.at += passed;
      // Copies, for the stream reads ahead; small ones, for the last of them holds its whole block.
      for (let at = window.at; at < window.end; at += PIECE_BYTES) {
        yield Buffer.from(window.bytes.subarray(at, Math.min(at + PIECE_BYTES, window.end)));
      }
      window.at = window.keep = window.end;
    } while (window.more());
  } finally {
    window.close();
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
