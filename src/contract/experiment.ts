import * as z from "zod";
import { parseInstant } from "./instant.ts";

// The wire objects of an experiment upload. What a field is called elsewhere passes through.

/** How long a feedback key may be at the public service. The contract has no limit, so a longer one is only warned about. */
export const FEEDBACK_KEY_LIMIT = 180;

/** What a score is: any number, one of a list, or no number at all. */
export const FEEDBACK_CONFIG_TYPES = ["continuous", "categorical", "freeform"] as const;

const text = z.string();
const object = z.record(text, z.unknown());
const datetime = text.refine((value) => parseInstant(value) !== undefined, {
  error: "Input should be a valid datetime",
  params: { kind: "datetime_parsing" },
});
// Any variant and version, in either case: these identifiers come from other systems.
const uuid = z.guid();

/** What the scores of a key look like. */
export const FeedbackConfig = z.looseObject({
  /** The kind of its values. */
  type: z.enum(FEEDBACK_CONFIG_TYPES),
  /** The least value, in the unit of the score. */
  min: z.number().optional(),
  /** The largest value, in the unit of the score. */
  max: z.number().optional(),
  /** The values of `categorical`, with their names. */
  categories: z.array(z.looseObject({ value: z.number(), label: text.optional() })).optional(),
});
export type FeedbackConfig = z.infer<typeof FeedbackConfig>;

/** One score, of a row or of the whole experiment. */
export const Feedback = z.looseObject({
  key: text,
  score: z.number().optional(),
  value: text.optional(),
  comment: text.optional(),
  feedback_source: z.looseObject({ type: text }).optional(),
  feedback_config: FeedbackConfig.optional(),
  created_at: datetime.optional(),
  modified_at: datetime.optional(),
  correction: z.union([object, text]).optional(),
});
export type Feedback = z.infer<typeof Feedback>;

/** One row: a run, its example in the dataset, and its scores. */
export const ExperimentRow = z.looseObject({
  row_id: uuid,
  inputs: object,
  expected_outputs: object.optional(),
  actual_outputs: object.optional(),
  evaluation_scores: z.array(Feedback).optional(),
  start_time: datetime,
  end_time: datetime,
  run_name: text.optional(),
  error: text.optional(),
  run_metadata: object.optional(),
});
export type ExperimentRow = z.infer<typeof ExperimentRow>;

/** All of the body of POST /datasets/upload-experiment but `results`, the list of its rows; the rules are in experiment-rules.ts. */
export const ExperimentHead = z.looseObject({
  experiment_name: text,
  experiment_description: text.optional(),
  experiment_start_time: datetime,
  experiment_end_time: datetime,
  dataset_id: uuid.optional(),
  dataset_name: text.optional(),
  dataset_description: text.optional(),
  experiment_metadata: object.optional(),
  summary_experiment_scores: z.array(Feedback).optional(),
});
export type ExperimentHead = z.infer<typeof ExperimentHead>;

/** The names of all fields of an upload. */
export const EXPERIMENT_FIELDS: readonly string[] = [
  ...new Set([ExperimentHead, ExperimentRow, Feedback, FeedbackConfig].flatMap(({ shape }) => Object.keys(shape))),
  "results",
];
