import { BYTE } from "../../../files/json/bytes.ts";
import type { ByteWindow } from "../../../files/json/byte-window.ts";
import { DataFileError } from "../../../files/json/errors.ts";

/** A record of a CSV file; the header is one, too. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** In which line it begins, counted from 1: cells may hold line breaks. */
  readonly line: number;
}

/** How records are written, and where they begin. */
export interface CsvLayout {
  /** One character. */
  readonly delimiter: string;
  /** How many lines end before the place at which the window stands. */
  readonly linesBefore: number;
  /** With more than so many bytes in its cells a record is an error; 64 MiB if not given. */
  readonly largest?: number;
}

/**
 * Reads records off a window, as RFC 4180 has them, with the line ends of all systems, even mixed. Keeps no more of the
 * source than a block and a cell.
 */
export class CsvScanner {
  readonly #window: ByteWindow;
  readonly #delimiter: Buffer;
  readonly #largest: number;
  /** 1 for each byte with which the end of an unquoted cell may begin. */
  readonly #stops = new Uint8Array(256);
  #line: number;
  /** The line in which the record begins, and how large its cells are so far. */
  #begin = 0;
  #size = 0;

  constructor(window: ByteWindow, { delimiter, linesBefore, largest = MAX_RECORD_BYTES }: CsvLayout) {
    this.#window = window;
    this.#delimiter = Buffer.from(delimiter);
    this.#line = linesBefore + 1;
    this.#largest = largest;
    const [first = BYTE.comma] = this.#delimiter;
    for (const byte of [first, BYTE.quote, BYTE.lineFeed, BYTE.carriageReturn]) this.#stops[byte] = 1;
  }

  /**
   * The next record that is no blank line; undefined at the end. Throws `DataFileError` for a quote that is out of place
   * or never closed, and for a record that is too large.
   */
  next(): CsvRecord | undefined {
    while (this.#passLineEnd());
    if (this.#byte() === undefined) return undefined;
    this.#begin = this.#line;
    this.#size = 0;
    const cells: string[] = [];
    do {
      const cell = this.#byte() === BYTE.quote ? this.#quotedCell() : this.#plainCell();
      cells.push(cell);
      this.#size += cell.length;
    } while (this.#passDelimiter());
    this.#passLineEnd();
    return { cells, line: this.#begin };
  }

  #plainCell(): string {
    const window = this.#window;
    const stops = this.#stops;
    window.hold();
    do {
      const { bytes, end } = window;
      let { at } = window;
      while (at < end && (stops[bytes[at] ?? 0] === 0 || !this.#isStop(at))) at++;
      window.at = at;
    } while (window.at === window.end && this.#more(0));
    this.#checkSize(0);
    if (this.#byte() === BYTE.quote) throw this.#fault(FAULTS.openingQuote);
    return window.kept().toString();
  }

  #quotedCell(): string {
    const window = this.#window;
    window.at++;
    window.hold();
    let doubled = 0;
    for (;;) {
      const quote = window.indexOf(BYTE.quote, window.at);
      window.at = quote < 0 ? window.end : quote + 1;
      // The byte behind the quote, or else of what comes in next.
      const isMore = window.at < window.end || this.#more(quote < 0 ? doubled : doubled + 1);
      if (quote < 0 && !isMore) throw this.#fault(FAULTS.notClosed);
      if (quote < 0) continue;
      if (!isMore || window.bytes[window.at] !== BYTE.quote) break;
      doubled++;
      window.at++;
    }
    this.#checkSize(doubled + 1);
    if (window.at < window.end && !this.#isStop(window.at)) throw this.#fault(FAULTS.closingQuote);
    const written = window.bytes.toString("utf8", window.keep, window.at - 1);
    const cell = doubled === 0 ? written : written.replaceAll('""', '"');
    if (cell.includes("\n") || cell.includes("\r")) this.#line += cell.match(LINE_END)?.length ?? 0;
    return cell;
  }

  /** True where a delimiter or a line end stands, or a quote, which no cell without quotes may have. */
  #isStop(at: number): boolean {
    const { bytes } = this.#window;
    if (this.#stops[bytes[at] ?? 0] === 0) return false;
    const delimiter = this.#delimiter;
    return bytes[at] !== delimiter[0] || delimiter.every((byte, index) => bytes[at + index] === byte);
  }

  #passDelimiter(): boolean {
    const byte = this.#byte();
    if (byte !== this.#delimiter[0]) return false;
    this.#window.at += this.#delimiter.length;
    return true;
  }

  #passLineEnd(): boolean {
    const byte = this.#byte();
    if (byte !== BYTE.lineFeed && byte !== BYTE.carriageReturn) return false;
    const window = this.#window;
    window.at++;
    if (byte === BYTE.carriageReturn && this.#byte() === BYTE.lineFeed) window.at++;
    window.hold();
    this.#line++;
    return true;
  }

  /** The byte at which the window stands; undefined at the end of the source. */
  #byte(): number | undefined {
    const window = this.#window;
    return window.at < window.end || window.more() ? window.bytes[window.at] : undefined;
  }

  /** Reads on in a cell; false at the end of the source. Of what is kept, `marks` bytes are quotes around the cell's own. */
  #more(marks: number): boolean {
    this.#checkSize(marks);
    return this.#window.more();
  }

  #checkSize(marks: number): void {
    const { at, keep } = this.#window;
    if (this.#size + at - keep - marks > this.#largest) throw this.#fault(FAULTS.tooLarge);
  }

  #fault(fault: string): DataFileError {
    return new DataFileError({ file: this.#window.source.name, line: this.#begin }, fault);
  }
}

const MAX_RECORD_BYTES = 64 * 1024 * 1024;
const LINE_END = /\r\n|\r|\n/g;

const FAULTS = {
  notClosed: "a quote in this row is never closed, as if the file were cut off",
  closingQuote: "text follows a closing quote; write a quote inside a cell twice",
  openingQuote: "an unquoted cell contains a quote; quote the whole cell",
  tooLarge: "a row is larger than 64 MiB, as if a quote were never closed",
} as const;
