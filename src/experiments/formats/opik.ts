import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { type JsonObject, type JsonValue, textIn } from "../../files/json/value.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { caseReader } from "./table/case-parts.ts";
import { listedFields, type ListOfFields } from "./shared/listed-values.ts";
import { recordList } from "./table/container-records.ts";
import { Fields } from "./shared/fields.ts";
import { distinctScores, factsOf } from "./shared/tool-values.ts";
import { namesIn } from "./shared/csv-file.ts";
import { namedRecords } from "./table/tool-record.ts";
import { readPythonLiteral } from "./shared/python-literal.ts";

/** What Opik's `evaluate()` gives, the items of an experiment, and what its page exports (2.2). */
export const opik: ResultFormat = {
  tool: "opik",
  detect: (file) => isResult(file.json) || areItems(file.json) || isPage(file),
  rows: (file, context) => {
    if (isResult(file.json)) return resultRows(file, context);
    return areItems(file.json) ? itemRows(file, context) : pageRows(file, context);
  },
};

const RESULTS = ["test_results"];

function isResult(json: JsonPeek): boolean {
  return json.kind === "object" && json.keysAt(RESULTS).includes("score_results");
}

function areItems({ topKeys: keys }: JsonPeek): boolean {
  return keys.includes("dataset_item_id") && (keys.includes("evaluation_task_output") || keys.includes(ITEM_DATA));
}

const ITEM_DATA = "dataset_item_data";

const LEFT_OUT_OF_SCORE = [
  ...["metadata", "source", "created_at", "created_by", "last_updated_at", "last_updated_by"],
  ...["value_by_author", "source_queue_id"],
];
const LEFT_OUT_OF_ITEM = [
  ...["id", "experiment_id", "project_id", "project_name", "created_at", "created_by", "last_updated_at"],
  ...["last_updated_by", "trace_visibility_mode"],
];

function* resultRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const partsOf = itemReader();
  for (const result of listedFields(file, context, RESULT_LIST)) {
    const test = result.someObject("test_case", ["dataset_item"]);
    const [id, content] = [test.text("dataset_item_id"), test.record("dataset_item_content")];
    // Where the content is left out, what the metrics were given holds it, with the outputs.
    const scored = test.record("mapped_scoring_inputs") ?? {};
    yield* result.checked({
      place: result.place,
      id,
      repetition: result.number("trial_id"),
      ...partsOf(content && Object.keys(content).length > 0 ? content : scored, id),
      outputs: test.given("task_output"),
      scores: feedbackOf(result, "score_results"),
      times: { milliseconds: result.milliseconds("task_execution_time") },
      metadata: factsOf({ trace_id: test.text("trace_id") }),
    });
  }
}

const RESULT_LIST: ListOfFields = {
  path: RESULTS,
  leftOut: ["scoring_time"],
  leftOutAround: ["experiment_name", "trial_count"],
  runOf: (run) => ({
    summaryScores: feedbackOf(run, "experiment_scores"),
    metadata: factsOf({
      // One of another service.
      dataset_id: run.text("dataset_id"),
      experiment_id: run.text("experiment_id"),
      experiment_url: run.text("experiment_url"),
    }),
  }),
};

/** The content of an item may hold its id once more. */
function itemReader() {
  const partsOf = caseReader();
  return (item: JsonObject, id: string | undefined) =>
    partsOf(Object.fromEntries(Object.entries(item).filter(([name, value]) => name !== "id" || value !== id)));
}

function* itemRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const partsOf = itemReader();
  for (const { record, place } of recordList(file, context)) {
    const item = Fields.of(record, place, context, LEFT_OUT_OF_ITEM);
    const id = item.someText("dataset_item_id");
    const feedback = feedbackOf(item, "feedback_scores");
    const assertions = item.list("assertion_results").map((assertion) => ({
      key: assertion.text("value") ?? "assertion",
      value: assertion.flag("passed"),
      comment: assertion.text("reason"),
    }));
    yield* item.checked({
      place,
      id,
      ...partsOf(item.record(ITEM_DATA) ?? {}, id),
      outputs: item.given("evaluation_task_output"),
      scores: distinctScores([...feedback, ...assertions]),
      metadata: factsOf({ trace_id: item.text("trace_id") }),
    });
  }
}

/** A metric that broke has the value 0, and says that it broke beside. */
function feedbackOf(fields: Fields, key: string): readonly SourceScore[] {
  const scores = fields.list(key, LEFT_OUT_OF_SCORE).map((score) => {
    const [name, value, category] = [score.someText("name"), score.value("value"), score.text("category_name") ?? ""];
    return {
      key: name,
      value: score.flag("scoring_failed") === true ? undefined : value,
      comment: score.text("reason"),
      more: category === "" ? undefined : { value: category },
    };
  });
  return distinctScores(scores);
}

/**
 * True for what the page of one experiment exports as CSV or JSON, and the script of the documentation; that of several
 * has their names in its columns.
 */
function isPage(file: ResultFile): boolean {
  const names = namesIn(file);
  const has = (prefix: string) => names.some((name) => name.startsWith(prefix));
  return has(CASE_PREFIX) && (has(OUTPUT_PREFIX) || has(SCORE_PREFIX));
}

const CASE_PREFIX = "dataset.";
const OUTPUT_PREFIX = "evaluation_task.";
const SCORE_PREFIX = "feedback_scores.";
const REASON = "_reason";
// What the page shows where there is nothing.
const NOTHING = "-";

function* pageRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const partsOf = caseReader();
  for (const { record, place } of namedRecords(file, context)) {
    const { id, created_at, output, ...named } = record;
    const { duration, comments, ...outputs } = below(named, OUTPUT_PREFIX);
    const scores = below(named, SCORE_PREFIX);
    const isReason = (key: string) => key.endsWith(REASON) && Object.hasOwn(scores, key.slice(0, -REASON.length));
    const seconds = Number(duration ?? Number.NaN);
    const prefixes = [CASE_PREFIX, OUTPUT_PREFIX, SCORE_PREFIX];
    const others = Object.entries(named).filter(([name]) => !prefixes.some((prefix) => name.startsWith(prefix)));
    yield {
      place,
      // The id of the item of the dataset.
      id: textIn(id) || undefined,
      ...partsOf(below(named, CASE_PREFIX)),
      outputs: Object.keys(outputs).length === 0 ? valueOf(output) : outputs,
      scores: Object.keys(scores)
        .filter((key) => !isReason(key))
        .map((key) => {
          return { key, value: scores[key], comment: textIn(scores[`${key}${REASON}`]) || undefined };
        }),
      times: Number.isNaN(seconds) ? {} : { milliseconds: seconds * 1000 },
      metadata: factsOf({ created_at, comments, ...Object.fromEntries(others) }),
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
