import * as z from "zod";
import type { JsonValue } from "../../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { labelledScore, ScoreKeys } from "../shared/scores.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { anyField, textField, type ShapePlace } from "../shared/shape.ts";

/** An evaluation of Langfuse's SDKs; JavaScript and the API write names together. */
export const EVALUATION = z
  .object({
    name: z.string(),
    value: anyField,
    comment: textField,
    data_type: textField,
    dataType: textField,
  })
  .register(LEFT_OUT, ["metadata", "config_id", "configId"]);
/** An evaluation that was read. */
export type Evaluation = z.infer<typeof EVALUATION>;

/** What an experiment keeps of an item: of a dataset on the server, or of data that stand in the script. */
export const ITEM = z
  .object({
    item: z
      .object({
        id: textField,
        input: anyField,
        expected_output: anyField,
        expectedOutput: anyField,
        metadata: anyField,
      })
      .register(LEFT_OUT, [
        ...["status", "source_trace_id", "source_observation_id", "sourceTraceId", "sourceObservationId"],
        ...[
          "dataset_id",
          "dataset_name",
          "datasetId",
          "datasetName",
          "created_at",
          "updated_at",
          "createdAt",
          "updatedAt",
        ],
      ])
      .nullish(),
    input: anyField,
    expected_output: anyField,
    expectedOutput: anyField,
    output: anyField,
    evaluations: z.array(EVALUATION).nullish(),
    trace_id: textField,
    traceId: textField,
  })
  .register(LEFT_OUT, ["dataset_run_id", "datasetRunId", "experiment_id", "experimentId"]);
/** An item that was read. */
export type Item = z.infer<typeof ITEM>;

/** The row of an item, without what distinguishes it from the items of other scripts. */
export function itemRow(
  read: Item,
  place: ShapePlace,
  about: Readonly<Record<string, JsonValue | undefined>>,
): SourceRow {
  const { item } = read;
  return {
    place,
    id: item?.id ?? undefined,
    namesCase: true,
    inputs: read.input ?? item?.input,
    expected: read.expected_output ?? read.expectedOutput ?? item?.expected_output ?? item?.expectedOutput ?? undefined,
    outputs: read.output,
    scores: evaluationScores(read.evaluations ?? []),
    metadata: metadataOf(item?.metadata, { ...about, trace_id: read.trace_id ?? read.traceId }),
  };
}

/** The scores that evaluations are; no two of them have one name. */
export function evaluationScores(evaluations: readonly Evaluation[], keys = new ScoreKeys()): readonly SourceScore[] {
  return evaluations.map(({ name, value, comment, data_type, dataType }) => {
    // A text is a category, unless it is said to be a number.
    const isNumber = (data_type ?? dataType) === "NUMERIC";
    return { key: keys.next(name), ...(isNumber ? { value } : labelledScore(value)), comment: comment ?? undefined };
  });
}
