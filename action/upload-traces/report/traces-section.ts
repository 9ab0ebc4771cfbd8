import type { ReadTraceFile, TracesRead, TraceSums } from "../../../src/trace-files/events.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import type { Printer } from "../../report/printer.ts";
import { longReading } from "../../report/progress.ts";
import { readingNotes, runItems, sessionName, tracesAndRuns } from "./trace-words.ts";

const MOST_FILES = 10;
const MOST_SESSIONS = 10;

/** Which files were read, and what they hold. */
export function printTraces(print: Printer, read: TracesRead, milliseconds: number): void {
  const { files, sums } = read;
  const lines = files.slice(0, MOST_FILES).map(fileText);
  const rest = files.length - lines.length;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  print.lines("Traces", [
    ...lines,
    ...(rest > 0 ? [`and ${countText(rest)} more`] : []),
    ...(files.length > 1 ? [`together ${tracesAndRuns(sums)}, ${bytesText(bytes)}`] : []),
    ...readingNotes(read),
    ...longReading(sums.runs, "run", milliseconds),
  ]);
  if (rest > 0) print.longGroup(`Files (${countText(files.length)})`, files.map(fileText));
  if (sums.runs > 0) print.items("Runs", runItems(sums));
}

/** Where the runs go. */
export function printSessions(print: Printer, label: string, { sessions }: TraceSums): void {
  const texts = sessions.map((session) => `${sessionName(session)}: ${tracesAndRuns(session)}`);
  const rest = texts.length - MOST_SESSIONS;
  const more = rest > 0 ? [`and ${countOf(rest, "more session")}`] : [];
  print.lines(label, [...texts.slice(0, MOST_SESSIONS), ...more]);
  if (rest > 0) print.longGroup(`Sessions (${countText(texts.length)})`, texts);
}

function fileText({ name, format, runs, size }: ReadTraceFile): string {
  return `${name}: ${format}, ${countOf(runs, "run")}, ${bytesText(size)}`;
}
