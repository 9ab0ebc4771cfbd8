import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { splitJsonArray } from "../../../files/json/array-split.ts";
import { memoryBytes } from "../../../files/json/byte-source.ts";
import { unicodeRefusal } from "../../../files/json/encoding.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun, SourceScore } from "../../rows/source-row.ts";
import { KeptReferences, sampleRows } from "./sample.ts";
import { Fields } from "../shared/fields.ts";
import { factsOf } from "../shared/tool-values.ts";
import { listedValues } from "../shared/listed-values.ts";
import { compareCount } from "../shared/stated-count.ts";
import { isZip, zipEntries, type ZipEntry } from "../shared/zip-file.ts";

/** The logs of inspect_ai (0.3), as `.json` and as `.eval`, which is a zip. */
export const inspect: ResultFormat = {
  tool: "inspect_ai",
  // The writer begins with the journal; a zip that was packed again may begin with anything.
  detect: (file) => (isZip(file.head) ? [START, HEADER].some((name) => file.head.includes(name)) : isLog(file)),
  rows: (file, context) => (isZip(file.head) ? zipRows(file, context) : jsonRows(file, context)),
};

function isLog({ json }: ResultFile): boolean {
  if (json.kind !== "object" || !json.topKeys.includes("version")) return false;
  const keys = json.keysAt(["eval"]);
  return ["task", "model", "dataset"].every((key) => keys.includes(key));
}

const START = "_journal/start.json";
const HEADER = "header.json";
const SAMPLE = /^samples\/.*\.json$/s;

function* jsonRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const kept = new KeptReferences();
  let count = 0;
  const rest = (log: JsonValue) => {
    describeRun(file, context, log, count);
  };
  for (const { value, place } of listedValues(file, ["samples"], context, { rest })) {
    count += 1;
    yield* sampleRows(value, place, { context, kept });
  }
  kept.report(context);
}

async function* zipRows(file: ResultFile, context: FormatContext): AsyncIterable<SourceRow> {
  const facts = new Map<string, JsonValue>();
  const kept = new KeptReferences();
  let count = 0;
  for await (const entry of zipEntries(file, (name) => name === START || name === HEADER || SAMPLE.test(name))) {
    if (!SAMPLE.test(entry.name)) {
      facts.set(entry.name, entryValue(file, entry));
      continue;
    }
    const place = { file: file.name, row: count + 1, path: `samples.${count++}` };
    try {
      yield* sampleRows(entryValue(file, entry), place, { context, kept });
    } catch (error) {
      // The other samples can still be read.
      if (!(error instanceof DataFileError)) throw error;
      context.fault(error.place, error.fault);
    }
  }
  kept.report(context);
  // A run that was killed has no header.
  const log = facts.get(HEADER) ?? facts.get(START);
  if (log === undefined) throw new DataFileError({ file: file.name }, `the zip has neither ${HEADER} nor ${START}`);
  describeRun(file, context, log, count);
}

function describeRun(file: ResultFile, context: FormatContext, value: JsonValue, found: number): void {
  // What is odd in it is left out, for no row depends on it.
  const log = Fields.of(value, { file: file.name }, { ...context, fault: () => undefined }, LEFT_OUT_OF_LOG);
  const results = log.object("results", ["metadata", "sample_reductions"]);
  // The journal of a run that was killed has no status yet; its `.json` has this one.
  const status = saidIn(log, "status") ?? "started";
  const reason = REASONS.get(status);
  const run = runOf(log, status, summaryScores(results));
  const { path, count } = statedSamples(results, reason !== undefined);
  log.end();
  context.describeRun(run);
  if (reason !== undefined) {
    context.describeRun({ isComplete: false });
    context.warn(`${file.name} is the log of a run that ${reason}: samples may be missing.`);
  }
  // A run that broke has samples beside those that it completed.
  const stated = reason !== undefined && count !== undefined && count < found ? undefined : count;
  compareCount({ name: `\`results.${path}\``, stated, found }, { file: file.name }, context);
}

// Up to here a sample is parsed at once. Larger ones are large by their events, which no row needs.
const WHOLE_SAMPLE_BYTES = 32 * 1024 * 1024;

function entryValue(file: ResultFile, { bytes, name }: ZipEntry): JsonValue {
  try {
    if (SAMPLE.test(name) && bytes.length > WHOLE_SAMPLE_BYTES) {
      const split = splitJsonArray(memoryBytes(file.name, bytes), ["events"]);
      let step = split.next();
      while (step.done !== true) step = split.next();
      if (step.value.isFound) return step.value.rest;
      throw new DataFileError({ file: file.name }, "a sample is larger than 32 MiB and has no list `events`");
    }
    const refusal = unicodeRefusal(file.name, bytes);
    if (refusal) throw refusal;
    return parseJsonValue(bytes, { file: file.name });
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    // The lines of an entry are none of the file.
    const fault = `the entry ${quotedName(name)} of the zip: ${error.fault}`;
    throw new DataFileError({ file: file.name }, fault, { cause: error });
  }
}

// What the task was given, and ids of the run that change.
const LEFT_OUT_OF_EVAL = [
  ...["eval_id", "eval_set_id", "task_id", "task_version", "task_file", "task_display_name", "task_registry_name"],
  ...["task_attribs", "task_args", "task_args_passed", "solver", "solver_args", "solver_args_passed", "tags"],
  ...["sandbox", "model_base_url", "model_generate_config", "model_args", "model_roles", "config", "metadata"],
  ...["scorers", "metrics", "viewer"],
];
const LEFT_OUT_OF_LOG = [
  ...["version", "plan", "samples", "reductions", "location", "etag", "error", "log_updates", "invalidated", "tags"],
  "metadata",
];

function runOf(log: Fields, status: string, summaryScores: readonly SourceScore[]): SourceRun {
  const task = log.object("eval", LEFT_OUT_OF_EVAL);
  const revision = task.object("revision", ["type", "origin", "dirty"]);
  const dataset = task.object("dataset", ["samples", "sample_ids", "shuffled", "location"]);
  // Of all samples, which have their own.
  const stats = log.object("stats", ["completed_at", "model_usage", "role_usage"]);
  // In whole seconds, cut off: the last samples end after `stats.completed_at`, so that the end is left to them.
  const [started, created] = [saidIn(stats, "started_at"), saidIn(task, "created")];
  const [start, field] = started === undefined ? [created, "eval.created"] : [started, "stats.started_at"];
  return {
    toolVersion: saidIn(task.object("packages"), "inspect_ai"),
    datasetName: saidIn(dataset, "name"),
    times: start === undefined ? undefined : { start, fields: { start: field } },
    summaryScores,
    // `run_id` and `commit` are what the step calls those of the workflow.
    metadata: factsOf({
      task: saidIn(task, "task"),
      model: saidIn(task, "model"),
      eval_run_id: saidIn(task, "run_id"),
      eval_commit: saidIn(revision, "commit"),
      status,
    }),
  };
}

/** A text that is not empty: a run that was killed has empty times. */
function saidIn(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === "" ? undefined : text;
}

/** How many samples a log says that it has; of one that did not come to its end how many were completed, at least. */
function statedSamples(results: Fields, isUnfinished: boolean) {
  const [total, logged] = [results.number("total_samples"), results.number("logged_samples")];
  const completed = results.number("completed_samples");
  const stopped = results.object("early_stopping", ["manager", "metadata"]).values("early_stops").length;
  if (isUnfinished) return { path: "completed_samples", count: completed };
  // A task that was drained has fewer than were planned.
  if (logged !== undefined) return { path: "logged_samples", count: logged };
  return { path: "total_samples", count: total === undefined ? undefined : total - stopped };
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["error", "ended with an error"],
  ["cancelled", "was cancelled"],
  ["started", "did not finish"],
]);

/**
 * The means and other figures of the tool, as `scorer.metric`, or `scorer.key.metric` for a scorer with many values.
 */
function summaryScores(results: Fields): readonly SourceScore[] {
  const scores = results.list("scores", ["params", "metadata", "scored_samples", "unscored_samples"]);
  return scores.flatMap((score) => {
    const [scorer, name, reducer] = ["scorer", "name", "reducer"].map((key) => saidIn(score, key));
    const parts = [scorer === name ? undefined : scorer, name, reducer].filter((part) => part !== undefined);
    const figures = new Map(
      score.entries("metrics", ["name", "params", "metadata", "group"], (figure, metric) => [
        metric,
        figure.value("value"),
      ]),
    );
    // One that is no object has no value.
    const metrics = name === undefined ? [] : Object.keys(score.record("metrics") ?? {});
    return metrics.map((metric) => ({ key: [...parts, metric].join("."), value: figures.get(metric) }));
  });
}
