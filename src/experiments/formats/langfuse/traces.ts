import type { FormatContext } from "../shared/format.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import { ExactNumber, type JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { labelledScore } from "../shared/labelled-score.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { ScoreKeys } from "../shared/score-keys.ts";
import { toolNames, toolRecords, type ToolRecord } from "../table/tool-record.ts";

/** True for the traces that Langfuse's page exports, as CSV or JSON: each score is a column of its own. */
export function areTraces(file: ResultFile): boolean {
  const names = new Set(toolNames(file));
  return SIGNS.every((name) => names.has(name));
}

const SIGNS = ["input", "output", "bookmarked", "observationCount", "totalCost"];

/** The rows that traces of an experiment are; they know nothing of what was expected. */
export async function* traceRows(file: ResultFile, context: FormatContext): AsyncGenerator<SourceRow, void, undefined> {
  for await (const record of toolRecords(file, context)) yield rowOf(record);
}

function rowOf(record: ToolRecord): SourceRow {
  const own = record.value("metadata");
  const item = isJsonObject(own) ? own["dataset_item_id"] : undefined;
  const latency = numberOf(record.score("latency"));
  const usage = record.value("usage");
  return {
    place: record.place,
    // The id of a trace is another in every run.
    id: typeof item === "string" ? item : undefined,
    namesCase: true,
    inputs: record.value("input"),
    outputs: record.answer("output", record.fact("level") === "ERROR"),
    scores: scoresOf(record),
    times: {
      start: record.fact("timestamp"),
      milliseconds: latency === undefined ? undefined : latency * SECOND_MILLISECONDS,
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

const SECOND_MILLISECONDS = 1_000;

/** All columns of a trace but its scores. */
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

function numberOf(value: JsonValue | undefined): number | undefined {
  if (value instanceof ExactNumber) return value.value;
  return typeof value === "number" ? value : undefined;
}
