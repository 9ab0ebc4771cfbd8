import type { JsonValue } from "../../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import type { Fields } from "../shared/fields.ts";
import { labelledScore, ScoreKeys } from "../shared/scores.ts";
import { metadataOf } from "../shared/row-metadata.ts";

/** What is left out of an item of an experiment; JavaScript and the API write names together. */
export const LEFT_OUT_OF_ITEM = ["dataset_run_id", "datasetRunId", "experiment_id", "experimentId"];
const LEFT_OUT_OF_DATASET_ITEM = [
  ...["status", "source_trace_id", "source_observation_id", "sourceTraceId", "sourceObservationId"],
  ...["dataset_id", "dataset_name", "datasetId", "datasetName"],
  ...["created_at", "updated_at", "createdAt", "updatedAt"],
];

/** The row of an item, without what distinguishes it from the items of other scripts. */
export function itemRow(read: Fields, about: Readonly<Record<string, JsonValue | undefined>>): SourceRow {
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
export function evaluationScores(fields: Fields, list: string, keys = new ScoreKeys()): readonly SourceScore[] {
  return fields.list(list, ["metadata", "config_id", "configId"]).map((evaluation) => {
    const value = evaluation.value("value");
    // A text is a category, unless it is said to be a number.
    const isNumber = evaluation.text("data_type", "dataType") === "NUMERIC";
    const said = { key: keys.next(evaluation.someText("name")), comment: evaluation.text("comment") };
    return { ...said, ...(isNumber ? { value } : labelledScore(value)) };
  });
}
