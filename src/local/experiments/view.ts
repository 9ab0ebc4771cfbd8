import type { DatasetRow } from "./dataset-store.ts";
import type { ExperimentStatistics } from "./statistics.ts";
import type { ExperimentRecord } from "./store.ts";
import { RawJson } from "../http/raw-json.ts";

/** A dataset in a response. */
export interface DatasetView {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly modified_at: string;
  readonly data_type: "kv";
  readonly inputs_schema_definition: null;
  readonly outputs_schema_definition: null;
  readonly externally_managed: boolean;
  readonly tenant_id: string;
  readonly example_count: number;
  readonly session_count: number;
  readonly last_session_start_time: string | null;
}

export type Counted = { readonly [Name in keyof ExperimentStatistics]: ExperimentStatistics[Name] | null };

/** An experiment in a response. */
export interface ExperimentView extends Counted {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly extra: { readonly metadata: RawJson } | null;
  readonly default_dataset_id: null;
  readonly reference_dataset_id: string;
  readonly trace_tier: string;
  readonly tenant_id: string;
  readonly test_run_number: number;
  readonly first_token_p50: null;
  readonly first_token_p99: null;
  readonly total_tokens: null;
  readonly prompt_tokens: null;
  readonly completion_tokens: null;
  readonly total_cost: null;
  readonly prompt_cost: null;
  readonly completion_cost: null;
  readonly last_run_start_time_live: null;
  readonly run_facets: readonly never[] | null;
}

const NOT_COUNTED: { readonly [Name in keyof Counted]: null } = {
  run_count: null,
  latency_p50: null,
  latency_p99: null,
  error_rate: null,
  streaming_rate: null,
  last_run_start_time: null,
  feedback_stats: null,
  session_feedback_stats: null,
};

// An upload has no tokens, costs or streams: these stay null.
const NEVER_COUNTED = {
  first_token_p50: null,
  first_token_p99: null,
  total_tokens: null,
  prompt_tokens: null,
  completion_tokens: null,
  total_cost: null,
  prompt_cost: null,
  completion_cost: null,
  last_run_start_time_live: null,
} as const;

export function viewDataset(row: DatasetRow, tenantId: string): DatasetView {
  return {
    ...row,
    data_type: "kv",
    inputs_schema_definition: null,
    outputs_schema_definition: null,
    tenant_id: tenantId,
  };
}

/** `now` in milliseconds since the epoch: the statistics are null for a while after the upload. */
export function viewExperiment(experiment: ExperimentRecord, tenantId: string, now: number): ExperimentView {
  const { id, name, description, start_time, end_time, metadata, dataset_id, number, statistics } = experiment;
  const counted = now >= experiment.counted_at;
  return {
    id,
    name,
    description,
    start_time,
    end_time,
    extra: metadata === null ? null : { metadata: new RawJson(metadata) },
    default_dataset_id: null,
    reference_dataset_id: dataset_id,
    trace_tier: "longlived",
    tenant_id: tenantId,
    test_run_number: number,
    ...(counted ? statistics : NOT_COUNTED),
    ...NEVER_COUNTED,
    run_facets: counted ? [] : null,
  };
}
