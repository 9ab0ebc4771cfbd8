import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { evaluationScores, itemRow, LEFT_OUT_OF_ITEM } from "./item.ts";
import { areScripts, scriptRows } from "./scripts.ts";
import { listedFields } from "../shared/listed-fields.ts";
import { recordList } from "../table/container-records.ts";
import { Fields } from "../shared/fields.ts";
import { factsOf, metadataOf } from "../shared/row-metadata.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import { labelledScore, ScoreKeys } from "../shared/scores.ts";
import { hasNames } from "../shared/csv-file.ts";
import { toolRecords, type ToolRecord } from "../table/tool-record.ts";

/**
 * What Langfuse leaves of an experiment: the output of its action, the result of `run_experiment` as JSON or the items
 * in it, and the traces that its page exports.
 */
export const langfuse: ResultFormat = {
  name: "langfuse",
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
