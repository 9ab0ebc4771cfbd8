import type { ReadFile, ResultsRead } from "../../src/experiments/events.ts";
import { countOf } from "../../src/text/number.ts";
import { longGroup } from "./part.ts";
import type { Printer } from "./printer.ts";
import { longReading, ReadingLines } from "./progress.ts";
import { fileText, rowNotes, rowsAndSize } from "./results-words.ts";

const MOST_FILES = 100;

/** Prints which result files were read, and how: a line a file, and lines that show that a long reading lives. */
export class ResultsLines {
  readonly #print: Printer;
  readonly #reading: ReadingLines;
  #files = 0;

  constructor(print: Printer) {
    this.#print = print;
    this.#reading = new ReadingLines(print);
  }

  soFar(file: string, rows: number, milliseconds: number): void {
    this.#reading.soFar(file, rows, milliseconds);
  }

  fileRead(file: ReadFile): void {
    this.#files += 1;
    if (this.#files <= MOST_FILES) this.#print.line("Results", fileText(file));
  }

  /** All files were read. */
  read(results: ResultsRead, milliseconds: number): void {
    const { files, rows } = results;
    const rest = files.length - MOST_FILES;
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (rest > 0) {
      this.#print.line("Results", `and ${countOf(rest, "more file")}`);
      this.#print.put(longGroup("Files", files.map(fileText)));
    }
    this.#print.put({
      label: "Rows",
      lines: [
        ...(files.length > 1 ? [`${rowsAndSize(rows, bytes)} in ${countOf(files.length, "file")}`] : []),
        ...rowNotes(results),
        ...longReading(rows, "row", milliseconds),
      ],
    });
  }
}
