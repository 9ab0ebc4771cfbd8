import * as z from "zod";
import { spare } from "./spare.ts";

// A service may leave out what it does not know (yet); what it adds passes through.
const optionalText = spare(z.string());
const optionalNumber = spare(z.number());
const optionalObject = spare(z.record(z.string(), z.unknown()));
// Public services write amounts of money as texts.
const optionalAmount = spare(z.union([z.number(), z.string()]));

/** The dataset that an experiment belongs to: section 2.7 of the contract. */
const UploadedDataset = z.looseObject({
  id: z.string(),
  name: optionalText,
  description: optionalText,
  created_at: optionalText,
  modified_at: optionalText,
  data_type: optionalText,
  inputs_schema_definition: optionalObject,
  outputs_schema_definition: optionalObject,
  externally_managed: spare(z.boolean()),
  tenant_id: optionalText,
  example_count: optionalNumber,
  session_count: optionalNumber,
  last_session_start_time: optionalText,
});
export type UploadedDataset = z.infer<typeof UploadedDataset>;

/** An experiment, as section 2.7 of the contract has it; its statistics are null until the service has counted, a few seconds later. */
const UploadedExperiment = z.looseObject({
  id: z.string(),
  name: optionalText,
  description: optionalText,
  start_time: optionalText,
  end_time: optionalText,
  extra: optionalObject,
  default_dataset_id: optionalText,
  reference_dataset_id: optionalText,
  trace_tier: optionalText,
  tenant_id: optionalText,
  test_run_number: optionalNumber,
  run_count: optionalNumber,
  /** Seconds, as the other latencies. */
  latency_p50: optionalNumber,
  latency_p99: optionalNumber,
  first_token_p50: optionalNumber,
  first_token_p99: optionalNumber,
  total_tokens: optionalNumber,
  prompt_tokens: optionalNumber,
  completion_tokens: optionalNumber,
  total_cost: optionalAmount,
  prompt_cost: optionalAmount,
  completion_cost: optionalAmount,
  last_run_start_time: optionalText,
  last_run_start_time_live: optionalText,
  feedback_stats: optionalObject,
  session_feedback_stats: optionalObject,
  run_facets: spare(z.array(z.unknown())),
  error_rate: optionalNumber,
  streaming_rate: optionalNumber,
});
export type UploadedExperiment = z.infer<typeof UploadedExperiment>;

/** The answer to an upload: the experiment and its dataset as they are stored. */
export const ExperimentUploadAnswer = z.looseObject({
  experiment: UploadedExperiment,
  dataset: spare(UploadedDataset),
});
export type ExperimentUploadAnswer = z.infer<typeof ExperimentUploadAnswer>;

// Public services list experiments, and with them the projects of traces, at GET /sessions. The contract does not have
// this list, so a service may have none, or another one there.

/** The field of `experiment_metadata` that tells the uploads of one name apart. */
export const UPLOAD_MARK = "upload_mark";

/** An element of GET /sessions. Only that of an experiment has `reference_dataset_id`. */
export const ListedSession = z.looseObject({
  id: z.string(),
  name: spare(z.string()),
  tenant_id: spare(z.string()),
  reference_dataset_id: spare(z.string()),
  extra: spare(z.looseObject({ metadata: spare(z.record(z.string(), z.unknown())) })),
});
export type ListedSession = z.infer<typeof ListedSession>;
