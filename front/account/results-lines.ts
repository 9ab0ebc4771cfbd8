import type { ReadFile, ResultsRead } from "../../src/experiments/events.ts";
import { countOf } from "../../src/text/number.ts";
import { longGroup, type Block } from "./part.ts";
import { longReading } from "./progress.ts";
import { fileText, rowNotes, rowsAndSize } from "./results-words.ts";

const MOST_FILES = 100;

/** How a result file was read; `number` counts the files from 1. */
export function fileLine(file: ReadFile, number: number): Block | undefined {
  return number > MOST_FILES ? undefined : { label: "Results", text: fileText(file) };
}

/** What all files together have. */
export function readLines(results: ResultsRead, milliseconds: number): readonly Block[] {
  const { files, rows } = results;
  const rest = files.length - MOST_FILES;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const more: readonly Block[] = [
    { label: "Results", text: `and ${countOf(rest, "more file")}` },
    longGroup("Files", files.map(fileText)),
  ];
  const sum = files.length > 1 ? [`${rowsAndSize(rows, bytes)} in ${countOf(files.length, "file")}`] : [];
  const lines = [...sum, ...rowNotes(results), ...longReading(rows, "row", milliseconds)];
  return [...(rest > 0 ? more : []), { label: "Rows", lines }];
}
