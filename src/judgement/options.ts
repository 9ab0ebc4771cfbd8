import * as z from "zod";
import { anyObject, choice as oneOf, type ShapesOf } from "../contract/call-arguments.ts";
import { age, choice, count, label, text } from "../contract/option-kinds.ts";
import { option, type Kind } from "../contract/options.ts";
import type { Direction } from "./cases/case-set.ts";

/** The least and the largest value that a metric may have. */
export interface MetricRange {
  /** The least value, in the unit of the metric. */
  readonly min: number;
  /** The largest value, in the unit of the metric. */
  readonly max: number;
}

const finite = z.number("must be a finite number");
const range = z
  .strictObject({ min: finite, max: finite } satisfies ShapesOf<MetricRange>, "must be an object with `min` and `max`")
  .refine(({ min, max }) => min < max, "must have a `min` below its `max`");

/** Lines in a text, and an object by the names of metrics in a program. */
function byMetric<Value>(type: string, value: z.ZodType<Value>): Kind<string, Readonly<Record<string, Value>>> {
  const shape = () => anyObject.pipe(z.record(z.string(), value));
  return { ...text, type: `Readonly<Record<string, ${type}>>`, shape };
}

/** How results are judged, besides the runs themselves and the rules. */
export const JUDGE_OPTIONS = {
  filesAre: option(choice(["shards", "trials"]), {
    about:
      "What several files of results are together: `shards` of one run, where a row that two files have counts once, or `trials`, where each file has one answer to every case.",
    default: "shards",
  }),
  expectedFiles: option(count("none"), {
    about: "Expected number of files of results, such as one for each shard; any other number is an error.",
    word: "none",
  }),
  where: option(label, {
    about:
      "Judges only rows with this value in a column, as `[model = gpt-5]`; commas separate several. It holds for result files of the baseline too. Snapshots of other rows are left out of the baseline.",
    inPrograms:
      "Judges only rows with this value in their metadata, as `[model = gpt-5]`; commas separate several. It holds for the rows of all runs.",
    word: "none",
  }),
  datasetName: option(label, {
    about:
      "Name of the dataset. The keys of the cases follow from it, so it must stay the same. Default: that of the files.",
    inPrograms: "Name of the dataset of all runs. The keys of the cases follow from it, so it must stay the same.",
  }),
  directions: option(byMetric<Direction>("Direction", oneOf(["higher", "lower"])), {
    about:
      "Whether more of a metric is better, as YAML lines such as `contradiction: lower`. Default: by the files and the name of the metric, else higher. A rule that compares a metric whose name may mean both needs a line.",
    inPrograms:
      "Whether more of a metric is better. Default: by the name of the metric, else higher. A rule that compares a metric whose name may mean both needs one.",
  }),
  ranges: option(byMetric<MetricRange>("MetricRange", range), {
    about:
      "Where the values of a metric lie, a line each, such as `stars = 1..5`: it says how much one case can lose. `latency` may have units, as in `latency = 0..30s`. With `none`, `score_ranges` in the metadata of the experiment alone says it. A value outside is an error.",
    inPrograms: "Where the values of a metric lie: it says how much one case can lose. A value outside is an error.",
    word: "none",
  }),
  cluster: option(label, {
    about: "Metadata key that groups cases which vary together, such as the document that several questions are about.",
  }),
  onMissingBaseline: option(choice(["bootstrap", "fail"]), {
    about:
      "What to do without a baseline: `bootstrap` judges only the rules about the results themselves, `fail` fails if a rule needs one.",
    default: "bootstrap",
  }),
  onEvaluatorChange: option(choice(["fail", "warn"]), {
    about:
      "What to do if the baseline was scored by another evaluator (scorers, judge model, prompt): `fail` or `warn`.",
    default: "fail",
  }),
  onRunChange: option(choice(["fail", "warn"]), {
    about:
      "What to do if the files of the results are of different workflow runs: `fail` makes the judgement incomplete, `warn` judges them together.",
    default: "fail",
  }),
  baselineMaxAgeMilliseconds: option(age("30d, 720h"), {
    about: "Warn if the baseline is older than this, such as `30d` or `720h`. If empty, never warn.",
    inPrograms: "Warn if the baseline is older than this, in milliseconds. Default: never.",
  }),
  baselineKeep: option(count(), { about: "How many runs of the baseline are pooled, newest first.", default: "5" }),
};
