import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import { valueAt } from "../../rows/mapping.ts";
import type { SourceRun, SourceScore } from "../../rows/source-row.ts";

/** What a log says about its run; what is missing or odd is left out, for no row depends on it. */
export function runOf(log: JsonValue): SourceRun {
  const facts = Object.entries(FACTS).map(([key, path]): readonly [string, string | undefined] => [
    key,
    textAt(log, path),
  ]);
  const metadata = Object.fromEntries(facts.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])));
  // In whole seconds, cut off: the last samples end after `stats.completed_at`, so that the end is left to them.
  const field = START_FIELDS.find((path) => textAt(log, path) !== undefined) ?? "";
  const start = textAt(log, field);
  const version = textAt(log, "eval.packages.inspect_ai");
  const dataset = textAt(log, "eval.dataset.name");
  const scores = summaryScores(valueAt(log, "results.scores"));
  return {
    ...(version === undefined ? {} : { toolVersion: version }),
    ...(dataset === undefined ? {} : { datasetName: dataset }),
    ...(start === undefined ? {} : { times: { start, fields: { start: field } } }),
    ...(scores.length === 0 ? {} : { summaryScores: scores }),
    metadata: { ...metadata, status: textAt(log, "status") ?? KILLED },
  };
}

/** Why a run did not come to its end; undefined for one that did. */
export function unfinished(log: JsonValue): string | undefined {
  return REASONS.get(textAt(log, "status") ?? KILLED);
}

/** A count of samples that a log states: its path, and the number. */
export interface StatedSamples {
  readonly path: string;
  readonly count: number | undefined;
}

/** How many samples a log says that it has; of one that did not come to its end how many were completed, at least. */
export function statedSamples(log: JsonValue): StatedSamples {
  if (unfinished(log) !== undefined) return { path: COMPLETED, count: countAt(log, COMPLETED) };
  // A task that was drained has fewer than were planned.
  const logged = countAt(log, LOGGED);
  if (logged !== undefined) return { path: LOGGED, count: logged };
  const total = countAt(log, TOTAL);
  const stopped = valueAt(log, "results.early_stopping.early_stops");
  const count = total === undefined || !isJsonList(stopped) ? total : total - stopped.length;
  return { path: TOTAL, count };
}

const TOTAL = "results.total_samples";
const LOGGED = "results.logged_samples";
const COMPLETED = "results.completed_samples";

function countAt(log: JsonValue, path: string): number | undefined {
  const value = valueAt(log, path);
  return typeof value === "number" ? value : undefined;
}

// The journal of a run that was killed has no status yet; its `.json` has this one.
const KILLED = "started";
const REASONS: ReadonlyMap<string, string> = new Map([
  ["error", "ended with an error"],
  ["cancelled", "was cancelled"],
  [KILLED, "did not come to its end"],
]);

const START_FIELDS = ["stats.started_at", "eval.created"];

// `run_id` and `commit` are what the step calls those of the workflow.
const FACTS = {
  task: "eval.task",
  model: "eval.model",
  eval_run_id: "eval.run_id",
  eval_commit: "eval.revision.commit",
};

/** A text that is not empty: a run that was killed has empty times. */
function textAt(log: JsonValue, path: string): string | undefined {
  const value = valueAt(log, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The means and other figures of the tool, as `scorer.metric`, or `scorer.key.metric` for a scorer with many values. */
function summaryScores(scores: JsonValue | undefined): readonly SourceScore[] {
  if (!isJsonList(scores)) return [];
  return scores.flatMap((score) => {
    const [scorer, name, reducer] = ["scorer", "name", "reducer"].map((key) => textAt(score, key));
    const metrics = valueAt(score, "metrics");
    if (name === undefined || !isJsonObject(metrics)) return [];
    const parts = [scorer === name ? undefined : scorer, name, reducer];
    return Object.entries(metrics).map(([metric, figure]) => ({
      key: [...parts, metric].filter((part) => part !== undefined).join("."),
      value: valueAt(figure, "value"),
    }));
  });
}
