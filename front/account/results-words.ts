import type { ReadFile, ResultsRead } from "../../src/experiments/events.ts";
import type { ScoreSummary } from "../../src/experiments/reading/score-tally.ts";
import type { ColumnReading, ColumnRole, NotedColumn } from "../../src/experiments/rows/columns.ts";
import { bytesText } from "../../src/text/bytes.ts";
import { countOf, countText, numberText } from "../../src/text/number.ts";
import { nameList, quotedName } from "../../src/text/quoted.ts";
import { longGroup, type Block } from "./part.ts";
import { longReading } from "./progress.ts";

/** The parts of a row in the order in which a reader wants to check them; parts that are not here stand behind them. */
const ORDER: readonly ColumnRole["part"][] = ["inputs", "expected", "outputs", "score", "scores", "id", "error"];
const LAST: readonly ColumnRole["part"][] = ["metadata", "skipped"];

// More lines would hide the rest of a log.
const MOST_FILES = 100;

/** `accuracy 0.867 (240)` */
export function scoreText(key: string, { mean, n }: ScoreSummary): string {
  return `${key} ${numberText(mean)} (${countText(n)})`;
}

/** What there is to say about the rows as a whole: `3 rows with an error`, `1 score missing`. */
export function rowRemarks({ errors, missingScores }: ResultsRead): readonly string[] {
  return [
    ...(errors === 0 ? [] : [`${countOf(errors, "row")} with an error`]),
    ...(missingScores === 0 ? [] : [`${countOf(missingScores, "score")} missing`]),
  ];
}

/** What was done to the rows that a user may not expect, a sentence each. */
export function rowNotes({ sharedRows, madeTimes, otherRows = 0 }: ResultsRead): readonly string[] {
  return [
    ...(sharedRows === 0 ? [] : [`${countOf(sharedRows, "row")} in two files, used once`]),
    ...(otherRows === 0 ? [] : [`${countOf(otherRows, "row")} with other values, left out by \`where\``]),
    ...(madeTimes === 0 ? [] : [`${countOf(madeTimes, "row")} with synthesized times`]),
  ];
}

/** `240 rows, 1.8 MB` */
export function rowsAndSize(rows: number, bytes: number): string {
  return `${countOf(rows, "row")}, ${bytesText(bytes)}`;
}

/** More than that would hide the rest of a line. */
export const MOST_NAMES = 10;

/** `a.json: 240 rows (promptfoo, 1.8 MB)`, and how its columns were read. */
export function fileText({ name, format, rows, size, columns, unread }: ReadFile): string {
  const read = `${name}: ${countOf(rows, "row")} (${format}, ${bytesText(size)})`;
  const by = columns?.by === "mapping" ? " by mapping" : "";
  const said = columnsText({ ...(columns ?? NO_COLUMNS), unread: [...(columns?.unread ?? []), ...unread] });
  return said === "" ? read : `${read}${by}: ${said}`;
}

const NO_COLUMNS: ColumnReading = { by: "names", columns: [], unread: [] };

/** What each column is: ``inputs from `question`; scores from `feedback.exact` → `exact`; not read `x` ``. */
export function columnsText({ columns, unread }: ColumnReading): string {
  const sorted = columns.toSorted((one, other) => placeOf(one.role) - placeOf(other.role));
  const groups = Map.groupBy(sorted, ({ name, role }) => wordOf(role, name));
  const read = [...groups].map(([word, group]) => `${word} ${nameList(group.map(columnText), MOST_NAMES)}`);
  return [...read, ...(unread.length === 0 ? [] : [`not read ${nameList(unread.map(quotedName), MOST_NAMES)}`])].join(
    "; ",
  );
}

function placeOf({ part }: ColumnRole): number {
  const place = ORDER.indexOf(part);
  return place >= 0 ? place : ORDER.length + LAST.indexOf(part) + 1;
}

/** The column, with the name that its values got where it is another one, and what it was not taken for. */
function columnText({ name, role, passedOver }: NotedColumn): string {
  if (passedOver) return `${quotedName(name)} (${quotedName(passedOver.taken)} was preferred)`;
  const key = "key" in role ? role.key : undefined;
  const isSaid = key === undefined || key === name || (role.part !== "score" && name.endsWith(`.${key}`));
  return isSaid ? quotedName(name) : `${quotedName(name)} → ${quotedName(key)}`;
}

function wordOf(role: ColumnRole, name: string): string {
  switch (role.part) {
    case "latency":
      if (role.unitMilliseconds === 1) return "latency (milliseconds) from";
      return /latency$/i.test(name) ? "latency (taken as seconds) from" : "latency (seconds) from";
    case "score":
    case "scores":
      return "scores from";
    case "skipped":
      return "left out";
    case "usage":
      return "token counts from";
    default:
      return `${role.part} from`;
  }
}

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
