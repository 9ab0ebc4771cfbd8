import * as z from "zod";
import { ExperimentStatistics } from "./statistics.ts";
import type { DatasetRow, ExperimentRecord } from "./store.ts";
import { RawJson } from "../http/raw-json.ts";

export type Counted = { readonly [Name in keyof ExperimentStatistics]: ExperimentStatistics[Name] | null };

const Uncounted = z.record(ExperimentStatistics.keyof(), z.null());
const NOT_COUNTED = Uncounted.parse(Object.fromEntries(Uncounted.keyType.options.map((name) => [name, null])));

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

/** A dataset in a response. */
export type DatasetView = Readonly<ReturnType<typeof viewDataset>>;

export function viewDataset(row: DatasetRow, tenantId: string) {
  return {
    ...row,
    data_type: "kv",
    inputs_schema_definition: null,
    outputs_schema_definition: null,
    tenant_id: tenantId,
  };
}

/** An experiment in a response. */
export type ExperimentView = Readonly<ReturnType<typeof viewExperiment>>;

/** `now` in milliseconds since the epoch: the statistics are null for a while after the upload. */
export function viewExperiment(experiment: ExperimentRecord, tenantId: string, now: number) {
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
