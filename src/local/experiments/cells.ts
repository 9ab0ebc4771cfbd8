import * as z from "zod";
import { parseInstant } from "../../contract/instant.ts";
import { latencyText } from "../../text/duration.ts";
import { membersIn, membersOf, without } from "../http/raw-json.ts";
import { markup, type Content } from "../../pages/markup.ts";
import { stringOf } from "../pages/cells.ts";
import type { FeedbackStatistics } from "./statistics.ts";

const Score = z.looseObject({
  key: z.string(),
  score: z.union([z.number(), z.boolean()]).nullish(),
  value: z.string().nullish(),
  comment: z.string().nullish(),
});

// Metadata that a card shows elsewhere.
const SHOWN_ELSEWHERE = new Set(["case_id", "repetition"]);

/** A score on a page. The label is its key, numbered if the row has several of that key. */
export interface ShownScore {
  readonly label: string;
  readonly score: number | undefined;
  readonly value: string | undefined;
  readonly comment: string | undefined;
}

/** A row on a page. Inputs, outputs and metadata are JSON, as they were sent. */
export type ShownRow = Readonly<ReturnType<typeof shownRow>>;

export function shownRow(text: string) {
  const members = membersOf(text);
  const metadata = membersIn(members.get("run_metadata"));
  const start = parseInstant(stringOf(members.get("start_time")) ?? "");
  const end = parseInstant(stringOf(members.get("end_time")) ?? "");
  const seconds = start && end ? Number(end.microseconds - start.microseconds) / 1e6 : undefined;
  return {
    rowId: (stringOf(members.get("row_id")) ?? "").toLowerCase(),
    caseId: plainText(metadata.get("case_id")),
    // Its number among several attempts at one case.
    repetition: plainText(metadata.get("repetition")),
    name: stringOf(members.get("run_name")),
    inputs: members.get("inputs"),
    expected: members.get("expected_outputs"),
    outputs: members.get("actual_outputs"),
    scores: shownScores(members.get("evaluation_scores")),
    error: stringOf(members.get("error")),
    seconds,
    // The rest of its metadata.
    metadata: without(metadata, SHOWN_ELSEWHERE),
  };
}

// A string or a number; undefined for any other JSON.
function plainText(json: string | undefined): string | undefined {
  const text = stringOf(json) ?? (/^-?\d/.test(json ?? "") ? json : undefined);
  return text === "" ? undefined : text;
}

/** Numbers the occurrences of each key, from 1. */
export function occurrences(keys: readonly string[]): readonly number[] {
  const seen = new Map<string, number>();
  return keys.map((key) => {
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return number;
  });
}

/** The scores of a JSON list of feedback objects. */
export function shownScores(text: string | null | undefined): readonly ShownScore[] {
  const scores = z.array(Score).parse(JSON.parse(text ?? "[]") ?? []);
  const numbers = occurrences(scores.map(({ key }) => key));
  return scores.map(({ key, score, value, comment }, index) => ({
    label: numbers[index] === 1 ? key : `${key} (${String(numbers[index])})`,
    score: score == null ? undefined : Number(score),
    value: value ?? undefined,
    comment: comment ?? undefined,
  }));
}

export function scoreText({ score, value }: Pick<ShownScore, "score" | "value">): string {
  const parts = [score === undefined ? undefined : shortNumber(score), value];
  return parts.filter((part) => part !== undefined).join(" ");
}

export function shortNumber(value: number | null | undefined, digits = 6): string {
  if (value == null) return "";
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
}

/** How many rows failed; undefined while they are counted. */
export function errorCount(experiment: { readonly error_rate: number | null; readonly run_count: number | null }) {
  const { error_rate, run_count } = experiment;
  return run_count === null ? undefined : Math.round((error_rate ?? 0) * run_count);
}

/** The keys with a mean in any of the experiments. */
export function scoredKeys(experiments: readonly { readonly feedback_stats: FeedbackStatistics | null }[]) {
  const means = experiments.flatMap(({ feedback_stats }) => Object.entries(feedback_stats ?? {}));
  return [...new Set(means.flatMap(([key, { avg }]) => (avg === null ? [] : [key])))].toSorted();
}

export function secondsText(seconds: number | null | undefined): string {
  return seconds == null ? "" : latencyText(seconds * 1000);
}

/** A mean, with the number of its scores in brackets. */
export function meanCell(statistics: FeedbackStatistics[string] | undefined): Content {
  const { n, scored = n, avg = null } = statistics ?? {};
  return avg !== null && markup`${shortNumber(avg, 4)} <span class="soft">(${scored})</span>`;
}
