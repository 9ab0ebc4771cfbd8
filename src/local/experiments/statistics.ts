import * as z from "zod";
import type { Feedback } from "../../contract/experiment.ts";

// Keys and values are foreign; z.record would drop the name `__proto__`.
const named = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .custom<object>((value) => typeof value === "object" && value !== null)
    .transform((value) => Object.fromEntries(Object.entries(value).map(([name, item]) => [name, schema.parse(item)])));

const FeedbackStatistics = named(
  z.object({
    /** The number of feedback objects with the key. */
    n: z.number(),
    /** How many of those have a score; missing in data of an older version. */
    scored: z.number().optional(),
    /** The mean of the scores; null without scores. */
    avg: z.number().nullable(),
    /** How often each value occurs. */
    values: named(z.number()),
  }),
);
/** Statistics of feedback, by key. */
export type FeedbackStatistics = z.infer<typeof FeedbackStatistics>;

/** The statistics that a service computes a few seconds after an upload. */
export const ExperimentStatistics = z.object({
  run_count: z.number(),
  /** Seconds; null without rows. */
  latency_p50: z.number().nullable(),
  latency_p99: z.number().nullable(),
  error_rate: z.number().nullable(),
  streaming_rate: z.number().nullable(),
  last_run_start_time: z.string().nullable(),
  feedback_stats: FeedbackStatistics,
  session_feedback_stats: FeedbackStatistics,
});
export type ExperimentStatistics = z.infer<typeof ExperimentStatistics>;

// `lost` is the rounding error of the sum.
const newTally = () => ({ n: 0, scores: 0, sum: 0, lost: 0, values: new Map<string, number>() });

/** Counts feedback as it comes; its memory grows with the keys and values, not with the rows. */
export class FeedbackTally {
  readonly #tallies = new Map<string, ReturnType<typeof newTally>>();

  add(feedback: readonly Feedback[] = []): void {
    for (const { key, score, value } of feedback) {
      const tally = this.#tallies.get(key) ?? newTally();
      this.#tallies.set(key, tally);
      tally.n += 1;
      if (score !== undefined) {
        // Neumaier's summation: the mean of many equal scores is exactly that score.
        const sum = tally.sum + score;
        tally.lost += Math.abs(tally.sum) >= Math.abs(score) ? tally.sum - sum + score : score - sum + tally.sum;
        tally.sum = sum;
        tally.scores += 1;
      }
      if (value !== undefined) tally.values.set(value, (tally.values.get(value) ?? 0) + 1);
    }
  }

  result(): FeedbackStatistics {
    return Object.fromEntries(
      [...this.#tallies].map(([key, { n, scores, sum, lost, values }]) => [
        key,
        { n, scored: scores, avg: scores === 0 ? null : (sum + lost) / scores, values: Object.fromEntries(values) },
      ]),
    );
  }
}
