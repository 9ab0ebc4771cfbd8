import type { ReadFile, ResultsRead } from "../../../src/experiments/events.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { durationText } from "../../../src/text/duration.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import { dotted } from "../../report/dotted.ts";
import type { Printer } from "../../report/printer.ts";
import { readingText } from "../../report/reading-text.ts";
import { rowNotes, rowRemarks, rowsAndSize, scoreText } from "./experiment-words.ts";

const MOST_FILES = 10;
const MOST_SCORES = 30;
const LONG_MILLISECONDS = 5_000;

/** Which files were read, and how. */
export function printResults(print: Printer, results: ResultsRead, milliseconds: number): void {
  const { files, rows } = results;
  const lines = files.slice(0, MOST_FILES).map(fileText);
  const rest = files.length - lines.length;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  print.lines("Results", [
    ...lines,
    ...(rest > 0 ? [`and ${countText(rest)} more`] : []),
    ...(files.length > 1 ? [`together ${rowsAndSize(rows, bytes)}`] : []),
    ...rowNotes(results),
    ...(milliseconds < LONG_MILLISECONDS ? [] : [`read: ${readingText(rows, "row", milliseconds)}`]),
  ]);
  if (rest > 0) print.longGroup(`Files (${countText(files.length)})`, files.map(fileText));
}

/** How columns were read, closed; each sentence once, since the shards of one run are read alike. */
export function printNotes(print: Printer, notes: ReadonlySet<string>): void {
  if (notes.size > 0) print.longGroup("How the columns were read", [...notes]);
}

/** How the rows came out. */
export function printScores(print: Printer, results: ResultsRead): void {
  const { scores, latency } = results;
  const texts = [...scores].map(([key, summary]) => scoreText(key, summary));
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

function fileText({ name, format, rows, size }: ReadFile): string {
  return `${name}: ${format}, ${countOf(rows, "row")}, ${bytesText(size)}`;
}
