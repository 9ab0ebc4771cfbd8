import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import { isJsonList, isJsonObject, type JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { elementsAhead, listedFields } from "./shared/listed-values.ts";
import { recordList } from "./table/container-records.ts";
import { Fields } from "./shared/fields.ts";
import { factsOf, labelledScore, metadataOf, ScoreKeys } from "./shared/tool-values.ts";
import { hasNames } from "./shared/csv-file.ts";
import { toolRecords, type ToolRecord } from "./table/tool-record.ts";

/**
 * What Langfuse leaves of an experiment: the output of its action, the result of `run_experiment` as JSON or the items
 * in it, and the traces that its page exports.
 */
export const langfuse: ResultFormat = {
  tool: "langfuse",
  detect: (file) =>
    areScripts(file) || resultPath(file.json) !== undefined || areItems(file.json) || hasNames(file, TRACE_NAMES),
  rows: (file, context) => {
    if (areScripts(file)) return scriptRows(file, context);
    if (hasNames(file, TRACE_NAMES)) return traceRows(file, context);
    return areItems(file.json) ? itemRows(file, context) : resultRows(file, context);
  },
};

/** Where the items of a result stand, in Python and in JavaScript. */
const ITEM_LISTS = ["item_results", "itemResults"];

function resultPath(json: JsonPeek): readonly string[] | undefined {
  if (json.kind !== "object") return undefined;
  const list = ITEM_LISTS.find((key) => json.topKeys.includes(key));
  return list === undefined ? undefined : [list];
}

function areItems(json: JsonPeek): boolean {
  return (json.kind === "array" || json.kind === "lines") && ITEM_KEYS.every((key) => json.topKeys.includes(key));
}

const ITEM_KEYS = ["item", "output", "evaluations"];

const LEFT_OUT_OF_RESULT = [
  ...ITEM_LISTS,
  ...["name", "description", "dataset_run_id", "datasetRunId", "dataset_run_url", "datasetRunUrl", "experiment_name"],
  "experimentName",
];

function* resultRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const items = listedFields(file, context, {
    path: resultPath(file.json) ?? [],
    leftOut: LEFT_OUT_OF_ITEM,
    leftOutAround: LEFT_OUT_OF_RESULT,
    runOf: (result) => {
      const lists = ["run_evaluations", "runEvaluations"].map((key) => evaluationScores(result, key));
      const metadata = factsOf({
        run_name: result.text("run_name", "runName"),
        experiment_id: result.text("experiment_id", "experimentId"),
      });
      return { metadata, summaryScores: lists.find((scores) => scores.length > 0) };
    },
  });
  for (const item of items) yield* item.checked(itemRow(item, {}));
}

function* itemRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  for (const { record, place } of recordList(file, context)) {
    const item = Fields.of(record, place, context, LEFT_OUT_OF_ITEM);
    yield* item.checked(itemRow(item, {}));
  }
}

/** The traces that Langfuse's page exports, as CSV or JSON, with a column for each score, have these names. */
const TRACE_NAMES = ["input", "output", "bookmarked", "observationCount", "totalCost"];

/** The rows that traces of an experiment are; they know nothing of what was expected. */
function* traceRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  for (const record of toolRecords(file, context, NO_SCORES)) {
    const own = record.value("metadata");
    const item = isJsonObject(own) ? own["dataset_item_id"] : undefined;
    const usage = record.value("usage");
    yield {
      place: record.place,
      // The id of a trace is another in every run.
      id: typeof item === "string" ? item : undefined,
      namesCase: true,
      inputs: record.value("input"),
      outputs: record.answer("output", record.fact("level") === "ERROR"),
      scores: scoresOf(record),
      times: {
        start: record.fact("timestamp"),
        milliseconds: record.milliseconds("latency"),
      },
      usage: isJsonObject(usage) ? usage : undefined,
      cost: record.score("totalCost"),
      metadata: metadataOf(own, {
        trace_id: record.fact("id"),
        trace_name: record.fact("name"),
        level: record.fact("level"),
        comments: record.value("comments"),
      }),
    };
  }
}

const NO_SCORES: ReadonlySet<string> = new Set([
  ...["id", "projectId", "timestamp", "createdAt", "updatedAt", "externalId", "name", "userId", "sessionId"],
  ...["release", "version", "environment", "tags", "bookmarked", "public", "input", "output", "metadata", "comments"],
  ...["latency", "usage", "usageDetails", "costDetails", "inputCost", "outputCost", "totalCost"],
  ...["inputTokens", "outputTokens", "totalTokens", "promptTokens", "completionTokens"],
  ...["level", "errorCount", "warningCount", "defaultCount", "debugCount", "observationCount", "observations"],
]);

/** A name has a list of the scores that it was given. */
function scoresOf(record: ToolRecord): readonly SourceScore[] {
  const names = record.names.filter((name) => !NO_SCORES.has(name));
  const keys = new ScoreKeys(names);
  return names.flatMap((name): readonly SourceScore[] => {
    const list = record.value(name);
    const [first, ...others] = isJsonList(list) ? list : [record.score(name)];
    return [
      { key: name, ...labelledScore(first) },
      ...others.map((one) => ({ key: keys.next(name), ...labelledScore(one) })),
    ];
  });
}

/**
 * True for the output `result_json` of langfuse/experiment-action, schema v1: the experiments of one or more scripts.
 */
function areScripts({ json }: ResultFile): boolean {
  if (json.kind !== "object" || !json.topKeys.includes("results")) return false;
  const script = json.keysAt(SCRIPTS);
  const isScript = script.includes("script_path") || script.includes("experiment_result");
  return json.topKeys.includes("schema_version") && (isScript || json.topKeys.includes("action_metadata"));
}

const SCRIPTS = ["results"];

/** The items of all scripts. An output of a job is 1 MiB at most, so that a script may be in memory as a whole. */
function* scriptRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const isOne = [...elementsAhead(file, SCRIPTS).take(2)].length === 1;
  const keys = new ScoreKeys();
  const summaryScores: SourceScore[] = [];
  let [count, without, rows] = [0, 0, 0];
  const scripts = listedFields(file, context, {
    path: SCRIPTS,
    isOfGroups: true,
    leftOut: ["script_name", "runtime", "duration_ms", "status", "langfuse_experiment_url", "error"],
    leftOutAround: ["schema_version"],
    runOf: (result) => {
      const metadata = result.value("action_metadata");
      return { metadata: isJsonObject(metadata) ? metadata : undefined, summaryScores };
    },
  });
  for (const script of scripts) {
    const { place } = script;
    const path = script.text("script_path") ?? "";
    const result = script.object("experiment_result", LEFT_OUT_OF_RUN);
    const name = result.text("run_name");
    const items = result.someValues("item_results");
    const scores = evaluationScores(result, "run_evaluations", keys);
    if (!script.end()) continue;
    count += 1;
    if (!result.isThere) without += 1;
    summaryScores.push(...scores);
    for (const [index, element] of items.entries()) {
      const below = `${place.path ?? "results"}.experiment_result.item_results.${String(index)}`;
      const item = Fields.of(element, { file: place.file, row: ++rows, path: below }, context, LEFT_OUT_OF_ITEM);
      const row = itemRow(item, { script: path, run_name: name });
      if (!item.end()) continue;
      const { id, inputs = null, expected = null } = row;
      // Two scripts may have the same items.
      yield isOne ? row : { ...row, id: canonicalJson([path, id ?? [inputs, expected]]) };
    }
  }
  // An item that broke is in no list either, but of that the file says nothing.
  if (without === 0) return;
  const which = `${String(without)} of ${String(count)}`;
  context.warn(`${file.name}: ${which} scripts left no results, and their rows are missing.`);
}

const LEFT_OUT_OF_RUN = ["experiment_id", "name", "description", "dataset_run_id", "dataset_run_url"];

/** What is left out of an item of an experiment; JavaScript and the API write names together. */
const LEFT_OUT_OF_ITEM = ["dataset_run_id", "datasetRunId", "experiment_id", "experimentId"];
const LEFT_OUT_OF_DATASET_ITEM = [
  ...["status", "source_trace_id", "source_observation_id", "sourceTraceId", "sourceObservationId"],
  ...["dataset_id", "dataset_name", "datasetId", "datasetName"],
  ...["created_at", "updated_at", "createdAt", "updatedAt"],
];

/** The row of an item, without what distinguishes it from the items of other scripts. */
function itemRow(read: Fields, about: Readonly<Record<string, JsonValue | undefined>>): SourceRow {
  // Of a dataset on the server, or of data that stand in the script.
  const item = read.object("item", LEFT_OUT_OF_DATASET_ITEM);
  const [inputs, expected] = [item.value("input"), item.given("expected_output", "expectedOutput")];
  return {
    place: read.place,
    id: item.text("id"),
    namesCase: true,
    inputs: read.given("input") ?? inputs,
    expected: read.given("expected_output", "expectedOutput") ?? expected,
    outputs: read.value("output"),
    scores: evaluationScores(read, "evaluations"),
    metadata: metadataOf(item.value("metadata"), { ...about, trace_id: read.text("trace_id", "traceId") }),
  };
}

/** The scores that a list of evaluations of Langfuse's SDKs is; no two of them have one name. */
function evaluationScores(fields: Fields, list: string, keys = new ScoreKeys()): readonly SourceScore[] {
  return fields.list(list, ["metadata", "config_id", "configId"]).map((evaluation) => {
    const value = evaluation.value("value");
    // A text is a category, unless it is said to be a number.
    const isNumber = evaluation.text("data_type", "dataType") === "NUMERIC";
    const said = { key: keys.next(evaluation.someText("name")), comment: evaluation.text("comment") };
    return { ...said, ...(isNumber ? { value } : labelledScore(value)) };
  });
}
