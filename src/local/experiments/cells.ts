import * as z from "zod";
import { latencyText } from "../../text/duration.ts";
import { markup, type Content } from "../../pages/markup.ts";
import type { FeedbackStatistics } from "./statistics.ts";

const Score = z.looseObject({
  key: z.string(),
  score: z.union([z.number(), z.boolean()]).nullish(),
  value: z.string().nullish(),
  comment: z.string().nullish(),
});

/** A score on a page. The label is its key, numbered if the row has several of that key. */
export interface ShownScore {
  readonly label: string;
  readonly score: number | undefined;
  readonly value: string | undefined;
  readonly comment: string | undefined;
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
