import type { ReadFile, ResultsRead } from "../../../src/experiments/events.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { durationText } from "../../../src/text/duration.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import type { Printer } from "../../report/printer.ts";
import { readingText, rowNotes, rowRemarks, rowsAndSize, scoreText } from "./experiment-words.ts";

const MOST_FILES = 10;
const MOST_SCORES = 30;
const MOST_IN_GROUP = 1_000;
const LINE_WIDTH = 100;
const LONG_MILLISECONDS = 5_000;

/** Which files were read, and how. */
export function printResults(print: Printer, results: ResultsRead, milliseconds: number): void {
  const { files, rows } = results;
  const lines = files.slice(0, MOST_FILES).map(fileText);
  const rest = files.length - lines.length;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  printLines(print, "Results", [
    ...lines,
    ...(rest > 0 ? [`and ${countText(rest)} more`] : []),
    ...(files.length > 1 ? [`together ${rowsAndSize(rows, bytes)}`] : []),
    ...rowNotes(results),
    ...(milliseconds < LONG_MILLISECONDS ? [] : [`read: ${readingText(rows, milliseconds)}`]),
  ]);
  if (rest > 0) printGroup(print, `Files (${countText(files.length)})`, files.map(fileText));
}

/** How columns were read, closed; each sentence once, since the shards of one run are read alike. */
export function printNotes(print: Printer, notes: ReadonlySet<string>): void {
  if (notes.size > 0) printGroup(print, "How the columns were read", [...notes]);
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
  printLines(print, "Scores", wrapped(items));
  if (rest > 0) printGroup(print, `Scores (${countText(texts.length)})`, texts);
}

/** Lines of which the first has the label. */
export function printLines(print: Printer, label: string, lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) {
    if (index === 0) print.line(label, line);
    else print.more(line);
  }
}

function printGroup(print: Printer, title: string, texts: readonly string[]): void {
  const rest = texts.length - MOST_IN_GROUP;
  print.group(title, rest > 0 ? [...texts.slice(0, MOST_IN_GROUP), `and ${countText(rest)} more`] : texts);
}

function fileText({ name, format, rows, size }: ReadFile): string {
  return `${name}: ${format}, ${countOf(rows, "row")}, ${bytesText(size)}`;
}

/** The items with dots between them, in lines of a readable length. */
function wrapped(items: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = `${last ?? ""} · ${item}`;
    if (last === undefined || longer.length > LINE_WIDTH) lines.push(item);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
