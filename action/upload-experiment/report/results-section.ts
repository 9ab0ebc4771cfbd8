import type { ReadFile, ResultsRead } from "../../../src/experiments/events.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { durationText } from "../../../src/text/duration.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import { dotted } from "../../report/dotted.ts";
import type { Printer } from "../../report/printer.ts";
import { readingText } from "../../report/reading-text.ts";
import { columnsText } from "./column-words.ts";
import { rowNotes, rowRemarks, rowsAndSize, scoreText } from "./experiment-words.ts";

/** How many files have a line of their own. */
export const MOST_FILES = 100;
const MOST_SCORES = 30;
const LONG_MILLISECONDS = 5_000;

/** One file, and how it was read. */
export function printFile(print: Printer, file: ReadFile): void {
  print.line("Results", fileText(file));
}

/** What the files hold together. */
export function printResults(print: Printer, results: ResultsRead, milliseconds: number): void {
  const { files, rows } = results;
  const rest = files.length - MOST_FILES;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (rest > 0) {
    print.line("Results", `and ${countOf(rest, "more file")}`);
    print.longGroup(`Files (${countText(files.length)})`, files.map(fileText));
  }
  print.lines("Rows", [
    ...(files.length > 1 ? [`${rowsAndSize(rows, bytes)} in ${countOf(files.length, "file")}`] : []),
    ...rowNotes(results),
    ...(milliseconds < LONG_MILLISECONDS ? [] : [`read: ${readingText(rows, "row", milliseconds)}`]),
  ]);
}

/** How the rows came out. */
export function printScores(print: Printer, results: ResultsRead): void {
  const { scores, words, latency } = results;
  const inWords = [...words].map(([key, n]) => `${key} in words (${countText(n)})`);
  const texts = [...[...scores].map(([key, summary]) => scoreText(key, summary)), ...inWords];
  const rest = texts.length - MOST_SCORES;
  const items = [
    ...texts.slice(0, MOST_SCORES),
    ...(rest > 0 ? [`and ${countOf(rest, "more score")}`] : []),
    ...(texts.length === 0 ? ["none"] : []),
    ...(latency === undefined ? [] : [`latency p95 ${durationText(latency.p95)}`]),
    ...rowRemarks(results),
  ];
  print.lines("Scores", dotted(items));
  if (rest > 0) print.longGroup(`Scores (${countText(texts.length)})`, texts);
}

function fileText({ name, format, rows, size, columns }: ReadFile): string {
  const read = `${name}: ${countOf(rows, "row")} (${format}, ${bytesText(size)})`;
  if (columns === undefined) return read;
  return `${read}${columns.by === "mapping" ? " by mapping" : ""}: ${columnsText(columns)}`;
}
