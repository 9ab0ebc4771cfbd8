import * as z from "zod";
import { LEFT_OUT } from "../shared/ledger.ts";
import { anyField } from "../shared/shape.ts";

const EVAL = z
  .object({
    task: anyField,
    model: anyField,
    run_id: anyField,
    created: anyField,
    revision: z.object({ commit: anyField }).register(LEFT_OUT, ["type", "origin", "dirty"]).nullish(),
    packages: z.object({ inspect_ai: anyField }).register(LEFT_OUT, []).nullish(),
    dataset: z
      .object({ name: anyField })
      .register(LEFT_OUT, ["samples", "sample_ids", "shuffled", "location"])
      .nullish(),
  })
  // What the task was given, and ids of the run that change.
  .register(LEFT_OUT, [
    ...["eval_id", "eval_set_id", "task_id", "task_version", "task_file", "task_display_name", "task_registry_name"],
    ...["task_attribs", "task_args", "task_args_passed", "solver", "solver_args", "solver_args_passed", "tags"],
    ...["sandbox", "model_base_url", "model_generate_config", "model_args", "model_roles", "config", "metadata"],
    ...["scorers", "metrics", "viewer"],
  ]);

const FIGURE = z.object({ value: anyField }).register(LEFT_OUT, ["name", "params", "metadata", "group"]);

const RESULTS = z
  .object({
    total_samples: anyField,
    logged_samples: anyField,
    completed_samples: anyField,
    early_stopping: z.object({ early_stops: anyField }).register(LEFT_OUT, ["manager", "metadata"]).nullish(),
    scores: z
      .array(
        z
          .object({ name: anyField, scorer: anyField, reducer: anyField, metrics: z.record(z.string(), FIGURE) })
          .register(LEFT_OUT, ["params", "metadata", "scored_samples", "unscored_samples"]),
      )
      .nullish(),
  })
  .register(LEFT_OUT, ["metadata", "sample_reductions"]);

/** The keys of a log of inspect_ai beside its samples: whatever they hold, no row depends on it. */
export const INSPECT_LOG = z
  .object({
    status: anyField,
    eval: EVAL,
    results: RESULTS,
    stats: z
      .object({ started_at: anyField })
      // Of all samples, which have their own.
      .register(LEFT_OUT, ["completed_at", "model_usage", "role_usage"]),
  })
  .register(LEFT_OUT, [
    ...["version", "plan", "samples", "reductions", "location", "etag", "error", "log_updates", "invalidated", "tags"],
    "metadata",
  ]);
