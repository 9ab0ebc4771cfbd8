import * as z from "zod";
import { parseInstant } from "../../contract/instant.ts";
import { latencyText } from "../../text/duration.ts";
import { membersIn, membersOf, without } from "../http/raw-json.ts";
import { stringOf } from "../pages/cells.ts";
import { scoreLabels } from "./row-verdict.ts";
import type { FeedbackStatistics } from "./statistics.ts";

const Score = z.looseObject({
  key: z.string(),
  score: z.union([z.number(), z.boolean()]).nullish(),
  value: z.string().nullish(),
  comment: z.string().nullish(),
});

/** What a page tells of the metadata in other places. */
const TOLD = new Set(["case_id", "repetition"]);

/** A score as a page shows it: its key, numbered where a row has the key more than once. */
export interface ShownScore {
  readonly label: string;
  readonly score: number | undefined;
  readonly value: string | undefined;
  readonly comment: string | undefined;
}

/** A row of an experiment, as far as a page shows it. The texts are JSON, as they were sent. */
export interface ShownRow {
  readonly rowId: string;
  /** What its source calls it; undefined where that is the row's id, or nothing. */
  readonly caseId: string | undefined;
  /** Which of several attempts at its case it is. */
  readonly repetition: string | undefined;
  readonly name: string | undefined;
  readonly inputs: string | undefined;
  readonly expected: string | undefined;
  readonly outputs: string | undefined;
  readonly scores: readonly ShownScore[];
  readonly error: string | undefined;
  readonly seconds: number | undefined;
  /** What else its metadata holds; undefined for nothing. */
  readonly metadata: string | undefined;
}

/** Takes a stored row apart. */
export function shownRow(text: string): ShownRow {
  const members = membersOf(text);
  const metadata = membersIn(members.get("run_metadata"));
  const start = parseInstant(stringOf(members.get("start_time")) ?? "");
  const end = parseInstant(stringOf(members.get("end_time")) ?? "");
  const seconds = start && end ? Number(end.microseconds - start.microseconds) / 1e6 : undefined;
  return {
    rowId: (stringOf(members.get("row_id")) ?? "").toLowerCase(),
    caseId: plainText(metadata.get("case_id")),
    repetition: plainText(metadata.get("repetition")),
    name: stringOf(members.get("run_name")),
    inputs: members.get("inputs"),
    expected: members.get("expected_outputs"),
    outputs: members.get("actual_outputs"),
    scores: shownScores(members.get("evaluation_scores")),
    error: stringOf(members.get("error")),
    seconds,
    metadata: without(metadata, TOLD),
  };
}

// A text or a number; undefined for all else.
function plainText(json: string | undefined): string | undefined {
  const text = stringOf(json) ?? (/^-?\d/.test(json ?? "") ? json : undefined);
  return text === "" ? undefined : text;
}

/** The scores of a JSON list of feedback objects. */
export function shownScores(text: string | null | undefined): readonly ShownScore[] {
  const scores = z.array(Score).parse(JSON.parse(text ?? "[]") ?? []);
  const labels = scoreLabels(scores.map(({ key }) => key));
  return scores.map(({ score, value, comment }, index) => ({
    label: labels[index] ?? "",
    score: score == null ? undefined : Number(score),
    value: value ?? undefined,
    comment: comment ?? undefined,
  }));
}

/** A score in a few characters, as text. */
export function scoreText({ score, value }: Pick<ShownScore, "score" | "value">): string {
  const parts = [score === undefined ? undefined : shortNumber(score), value];
  return parts.filter((part) => part !== undefined).join(" ");
}

/** A number with as many digits as one can compare. */
export function shortNumber(value: number | null | undefined, digits = 6): string {
  if (value == null) return "";
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
}

/** How many rows of an experiment failed; undefined while they are counted. */
export function errorCount(experiment: { readonly error_rate: number | null; readonly run_count: number | null }) {
  const { error_rate, run_count } = experiment;
  return run_count === null ? undefined : Math.round((error_rate ?? 0) * run_count);
}

/** The keys that have a mean in one of the experiments. */
export function scoredKeys(experiments: readonly { readonly feedback_stats: FeedbackStatistics | null }[]) {
  const means = experiments.flatMap(({ feedback_stats }) => Object.entries(feedback_stats ?? {}));
  return [...new Set(means.flatMap(([key, { avg }]) => (avg === null ? [] : [key])))].toSorted();
}

/** A span in seconds, as text. */
export function secondsText(seconds: number | null | undefined): string {
  return seconds == null ? "" : latencyText(seconds * 1000);
}

/** A mean and, in brackets, of how many scores it is, as HTML. */
export function meanCell(statistics: FeedbackStatistics[string] | undefined): string {
  const { n, scored = n, avg = null } = statistics ?? {};
  return avg === null ? "" : `${shortNumber(avg, 4)} <span class="soft">(${String(scored)})</span>`;
}
