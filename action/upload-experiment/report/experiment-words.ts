import type { DatasetKey, ResultsRead, SentExperiment } from "../../../src/experiments/events.ts";
import type { ScoreSummary } from "../../../src/experiments/reading/score-tally.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { quoted } from "../../../src/text/quoted.ts";
import { countOf, countText, numberText } from "../../../src/text/number.ts";

/** ` in dataset support-regression`, or nothing where the service makes one up. */
export function inDataset({ id, name }: DatasetKey): string {
  const key = [name, id].find((text) => text !== undefined && text !== "");
  return key === undefined ? "" : ` in dataset ${key}`;
}

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
export function rowNotes({ sharedRows, madeTimes }: ResultsRead): readonly string[] {
  return [
    ...(sharedRows === 0 ? [] : [`${countOf(sharedRows, "row")} in two files, taken once`]),
    ...(madeTimes === 0 ? [] : [`${countOf(madeTimes, "row")} with made-up times`]),
  ];
}

/** `240 rows, 1.8 MB` */
export function rowsAndSize(rows: number, bytes: number): string {
  return `${countOf(rows, "row")}, ${bytesText(bytes)}`;
}

/** What a user has to know of an upload whose answer was lost. */
export function uncertainWarning({ name, rows }: SentExperiment): string {
  return (
    `The answer to the upload of ${quoted(name)} was lost, and then its name was taken: most likely by this upload. ` +
    `Look at the experiment of that name in the service: if it has ${countOf(rows, "row")} and the time of this run, ` +
    "all is well; if not, run again under another name."
  );
}

/** Names for a sentence; a long list is cut with its count. */
export function nameList(names: readonly string[], most = 10): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(", ")} and ${countText(rest)} more` : names.join(", ");
}
