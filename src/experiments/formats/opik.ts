import * as z from "zod";
import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { caseReader } from "./table/case-parts.ts";
import { listedValues } from "./shared/listed-values.ts";
import { recordList } from "./table/container-records.ts";
import { LEFT_OUT } from "./shared/ledger.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { ScoreKeys } from "./shared/scores.ts";
import { anyField, booleanField, numberField, objectField, readShape, textField } from "./shared/shape.ts";
import { csvHead } from "./shared/csv-file.ts";
import { csvObjects } from "./table/csv-table.ts";
import { readPythonLiteral } from "./shared/python-literal.ts";

/** What Opik's `evaluate()` gives, the items of an experiment, and what its page exports (2.2). */
export const opik: ResultFormat = {
  name: "opik",
  detect: (file) => isResult(file.json) || areItems(file.json) || isPage(file),
  rows: (file, context) => {
    context.describeRun({ tool: "opik" });
    if (isResult(file.json)) return resultRows(file, context);
    return areItems(file.json) ? itemRows(file, context) : pageRows(file, context);
  },
};

const RESULTS = ["test_results"];

function isResult(json: JsonPeek | undefined): boolean {
  return json?.kind === "object" && json.keysAt(RESULTS).includes("score_results");
}

function areItems(json: JsonPeek | undefined): boolean {
  const keys = json?.topKeys ?? [];
  return keys.includes("dataset_item_id") && (keys.includes("evaluation_task_output") || keys.includes(ITEM_DATA));
}

const ITEM_DATA = "dataset_item_data";

const SCORE = z
  .object({
    name: z.string(),
    value: anyField,
    reason: textField,
    category_name: textField,
    scoring_failed: booleanField.nullish(),
  })
  .register(LEFT_OUT, [
    ...["metadata", "source", "created_at", "created_by", "last_updated_at", "last_updated_by"],
    ...["value_by_author", "source_queue_id"],
  ]);
const SCORES = z.array(SCORE).nullish();

const RESULT = z
  .object({
    test_case: z
      .object({
        trace_id: textField,
        dataset_item_id: textField,
        task_output: anyField,
        dataset_item_content: objectField,
        mapped_scoring_inputs: objectField,
      })
      .register(LEFT_OUT, ["dataset_item"]),
    score_results: SCORES,
    trial_id: numberField,
    task_execution_time: numberField,
  })
  .register(LEFT_OUT, ["scoring_time"]);

const RUN = z
  .object({
    dataset_id: textField,
    experiment_id: textField,
    experiment_url: textField,
    experiment_scores: SCORES,
  })
  .register(LEFT_OUT, ["test_results", "experiment_name", "trial_count"]);

function* resultRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const rest = (document: JsonValue) => {
    const run = readShape(RUN, document, { file: file.name }, context);
    if (run === undefined) return;
    const { dataset_id, experiment_id, experiment_url, experiment_scores } = run;
    const summaryScores = scoresOf(experiment_scores);
    context.describeRun({
      // The id of the dataset is one of another service.
      metadata: metadataOf(undefined, { dataset_id, experiment_id, experiment_url }),
      summaryScores: summaryScores.length === 0 ? undefined : summaryScores,
    });
  };
  const partsOf = itemReader();
  for (const { value, place } of listedValues(file, RESULTS, context, { rest })) {
    const result = readShape(RESULT, value, place, context);
    if (result === undefined) continue;
    const { test_case, score_results, trial_id, task_execution_time } = result;
    const { dataset_item_id: id, dataset_item_content: content, mapped_scoring_inputs: scored } = test_case;
    // Where the content is left out, what the metrics were given holds it, with the outputs.
    const item = content != null && Object.keys(content).length > 0 ? content : (scored ?? {});
    yield {
      place,
      id: id ?? undefined,
      repetition: trial_id,
      ...partsOf(item, id),
      outputs: test_case.task_output ?? undefined,
      scores: scoresOf(score_results),
      times: task_execution_time === undefined ? undefined : { milliseconds: task_execution_time * 1000 },
      metadata: metadataOf(undefined, { trace_id: test_case.trace_id }),
    };
  }
}

/** The content of an item may hold its id once more. */
function itemReader() {
  const partsOf = caseReader();
  return (item: JsonObject, id: string | null | undefined) =>
    partsOf(Object.fromEntries(Object.entries(item).filter(([name, value]) => name !== "id" || value !== id)));
}

const ITEM = z
  .object({
    dataset_item_id: z.string(),
    trace_id: textField,
    dataset_item_data: objectField,
    evaluation_task_output: anyField,
    feedback_scores: SCORES,
    assertion_results: z
      .array(z.object({ value: textField, passed: booleanField.nullish(), reason: textField }))
      .nullish(),
  })
  .register(LEFT_OUT, [
    ...["id", "experiment_id", "project_id", "project_name", "created_at", "created_by", "last_updated_at"],
    ...["last_updated_by", "trace_visibility_mode"],
  ]);

function* itemRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const partsOf = itemReader();
  for (const { record, place } of recordList(file, context)) {
    const item = readShape(ITEM, record, place, context);
    if (item === undefined) continue;
    const { dataset_item_id, trace_id, dataset_item_data, evaluation_task_output, feedback_scores } = item;
    const keys = new ScoreKeys((feedback_scores ?? []).map(({ name }) => name));
    const assertions = (item.assertion_results ?? []).map(({ value, passed, reason }) => ({
      key: keys.next(value ?? "assertion"),
      value: passed,
      comment: reason ?? undefined,
    }));
    yield {
      place,
      id: dataset_item_id,
      ...partsOf(dataset_item_data ?? {}, dataset_item_id),
      outputs: evaluation_task_output ?? undefined,
      scores: [...scoresOf(feedback_scores), ...assertions],
      metadata: metadataOf(undefined, { trace_id }),
    };
  }
}

/** A metric that broke has the value 0, and says that it broke beside. */
function scoresOf(scores: z.infer<typeof SCORES>): readonly SourceScore[] {
  const keys = new ScoreKeys();
  return (scores ?? []).map(({ name, value, reason, scoring_failed, category_name }) => ({
    key: keys.next(name),
    value: scoring_failed === true ? undefined : value,
    comment: reason ?? undefined,
    more: category_name == null || category_name === "" ? undefined : { value: category_name },
  }));
}

/**
 * True for what the page of one experiment exports as CSV or JSON, and the script of the documentation; that of several
 * has their names in its columns.
 */
function isPage(file: ResultFile): boolean {
  const names = csvHead(file)?.header ?? file.json?.topKeys ?? [];
  const has = (prefix: string) => names.some((name) => name.startsWith(prefix));
  return has(CASE_PREFIX) && (has(OUTPUT_PREFIX) || has(SCORE_PREFIX));
}

const CASE_PREFIX = "dataset.";
const OUTPUT_PREFIX = "evaluation_task.";
const SCORE_PREFIX = "feedback_scores.";
const REASON = "_reason";
// What the page shows where there is nothing.
const NOTHING = "-";

/** The rows of such an export. */
function* pageRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const partsOf = caseReader();
  const records = file.json === undefined ? csvObjects(file, context) : recordList(file, context);
  for (const { record, place } of records) {
    const { id, created_at, output, ...named } = record;
    const { duration, comments, ...outputs } = below(named, OUTPUT_PREFIX);
    const scores = below(named, SCORE_PREFIX);
    const isReason = (key: string) => key.endsWith(REASON) && Object.hasOwn(scores, key.slice(0, -REASON.length));
    const seconds = Number(duration ?? Number.NaN);
    const isKnown = (name: string) =>
      [CASE_PREFIX, OUTPUT_PREFIX, SCORE_PREFIX].some((prefix) => name.startsWith(prefix));
    const others = Object.entries(named).filter(([name]) => !isKnown(name));
    yield {
      place,
      // The id of the item of the dataset.
      id: typeof id === "string" && id !== "" ? id : undefined,
      ...partsOf(below(named, CASE_PREFIX)),
      outputs: Object.keys(outputs).length === 0 ? valueOf(output) : outputs,
      scores: Object.keys(scores)
        .filter((key) => !isReason(key))
        .map((key) => {
          const reason = scores[`${key}${REASON}`];
          return { key, value: scores[key], comment: typeof reason === "string" && reason !== "" ? reason : undefined };
        }),
      times: Number.isNaN(seconds) ? undefined : { milliseconds: seconds * 1000 },
      metadata: metadataOf(undefined, { created_at, comments, ...Object.fromEntries(others) }),
    };
  }
}

/** The whole output of a task, as the script of Opik's documentation writes it: an object in Python's words. */
function valueOf(output: JsonValue | undefined): JsonValue | undefined {
  if (typeof output !== "string") return output ?? undefined;
  if (output === "" || output === NOTHING) return undefined;
  return (output.startsWith("{") ? readPythonLiteral(output) : undefined) ?? output;
}

/** The values below a prefix, without those that are missing. */
function below(record: JsonObject, prefix: string): JsonObject {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name, value]) => name.startsWith(prefix) && value !== NOTHING && value !== null)
      .map(([name, value]): [string, JsonValue] => [name.slice(prefix.length), value]),
  );
}
