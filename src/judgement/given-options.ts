// `npm run docs` writes this file from options.ts.

import type { Direction } from "./cases/case-set.ts";
import type { MetricRange } from "./options.ts";

/** What a program may say of a judgement, by the names of the options. */
export interface GivenJudgeOptions {
  /**
   * Judges only rows with this value in their metadata, as `[model = gpt-5]`; commas separate several. It holds for the
   * rows of all runs.
   */
  readonly where?: string | undefined;
  /** Name of the dataset of all runs. The keys of the cases follow from it, so it must stay the same. */
  readonly datasetName?: string | undefined;
  /**
   * Whether more of a metric is better. Default: by the name of the metric, else higher. A rule that compares a metric
   * whose name may mean both needs one.
   */
  readonly directions?: Readonly<Record<string, Direction>> | undefined;
  /** Where the values of a metric lie: it says how much one case can lose. A value outside is an error. */
  readonly ranges?: Readonly<Record<string, MetricRange>> | undefined;
  /** Metadata key that groups cases which vary together, such as the document that several questions are about. */
  readonly cluster?: string | undefined;
  /**
   * What to do without a baseline: `bootstrap` judges only the rules about the results themselves, `fail` fails if a
   * rule needs one. Default: `bootstrap`.
   */
  readonly onMissingBaseline?: "bootstrap" | "fail" | undefined;
  /**
   * What to do if the baseline was scored by another evaluator (scorers, judge model, prompt): `fail` or `warn`.
   * Default: `fail`.
   */
  readonly onEvaluatorChange?: "fail" | "warn" | undefined;
  /** Warn if the baseline is older than this, in milliseconds. Default: never. */
  readonly baselineMaxAgeMilliseconds?: number | undefined;
  /** How many runs of the baseline are pooled, newest first. Default: `5`. */
  readonly baselineKeep?: number | undefined;
}
