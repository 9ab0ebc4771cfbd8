import type { ResultFormat } from "./shared/format.ts";
import type { JsonValue } from "../../files/json/value.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { errorText } from "./shared/error-text.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { hasNames, toolRecords, type ToolRecord } from "./table/tool-record.ts";

/**
 * The records of TruLens, as `get_records_and_feedback()` gives them and pandas writes them. Many of its columns hold
 * numbers; a metric is the one with a column of its calls beside it.
 */
export const trulens: ResultFormat = {
  name: "trulens",
  detect: (file) => hasNames(file, SIGNS),
  rows: async function* (file, context) {
    context.describeRun({ tool: "trulens" });
    for await (const record of toolRecords(file, context)) yield rowOf(record);
  },
};

const SIGNS = ["record_id", "app_id", "input", "output", "total_tokens"];
const CALLS = "_calls";
const SECOND_MILLISECONDS = 1_000;

function rowOf(record: ToolRecord): SourceRow {
  const names = new Set(record.names);
  const metrics = record.names.filter((name) => names.has(`${name}${CALLS}`));
  const [tokens, cost, id] = [record.score("total_tokens"), record.score("total_cost"), record.fact("input_id")];
  const error = errorText(record.fact("error"));
  const seconds = record.number("latency");
  return {
    place: record.place,
    // That of a dataset's row; the id of the record is another in every run.
    id: typeof id === "string" || typeof id === "number" ? id : undefined,
    inputs: record.value("input"),
    expected: record.value("ground_truth_output"),
    outputs: record.answer("output", error !== undefined),
    scores: metrics.map((key) => ({ key, value: record.score(key) })),
    times: {
      start: record.fact("ts"),
      milliseconds: seconds === undefined ? undefined : seconds * SECOND_MILLISECONDS,
    },
    error,
    usage: tokens === undefined ? undefined : { total_tokens: tokens },
    cost,
    metadata: metadataOf(
      undefined,
      Object.fromEntries(ABOUT.map((name): [string, JsonValue | undefined] => [name, record.fact(name)])),
    ),
  };
}

const ABOUT = ["app_name", "app_version", "record_id", "conversation_id", "tags", "cost_currency"];
