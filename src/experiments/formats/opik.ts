import * as z from "zod";
import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { caseReader, type CaseParts } from "./table/case-parts.ts";
import { knownRun } from "./shared/known-run.ts";
import { listedValues } from "./shared/listed-values.ts";
import { isOpikPage, opikPageRows } from "./opik/page.ts";
import { recordList } from "./table/record-list.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { ScoreKeys } from "./shared/score-keys.ts";
import {
  anyField,
  booleanField,
  numberField,
  objectField,
  readShape,
  textField,
  type ShapePlace,
} from "./shared/shape.ts";

/** What Opik's `evaluate()` gives, the items of an experiment, and what its page exports (2.2). */
export const opik: ResultFormat = {
  name: "opik",
  detect: (file) => isResult(file.json) || areItems(file.json) || isOpikPage(file),
  rows: (file, context) => {
    context.tell({ tool: "opik" });
    if (isResult(file.json)) return resultRows(file, context);
    return areItems(file.json) ? itemRows(file, context) : opikPageRows(file, context);
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

const SCORE = z.object({
  name: z.string(),
  value: anyField,
  reason: textField,
  category_name: textField,
  scoring_failed: booleanField.nullish(),
});
const SCORES = z.array(SCORE).nullish();

const RESULT = z.object({
  test_case: z.object({
    trace_id: textField,
    dataset_item_id: textField,
    task_output: anyField,
    dataset_item_content: objectField,
    mapped_scoring_inputs: objectField,
  }),
  score_results: SCORES,
  trial_id: numberField,
  task_execution_time: numberField,
});

const RUN = z.object({
  dataset_id: textField,
  experiment_id: textField,
  experiment_url: textField,
  experiment_scores: SCORES,
});

function* resultRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const rest = (document: JsonValue) => {
    const run = readShape(RUN, document, { file: file.name }, context);
    if (run === undefined) return;
    const { dataset_id, experiment_id, experiment_url, experiment_scores } = run;
    const summaryScores = scoresOf(experiment_scores);
    context.tell(
      knownRun({
        // The id of the dataset is one of another service.
        metadata: metadataOf(undefined, { dataset_id, experiment_id, experiment_url }),
        summaryScores: summaryScores.length === 0 ? undefined : summaryScores,
      }),
    );
  };
  const partsOf = itemReader();
  for (const { value, place } of listedValues(file, RESULTS, context, { rest })) {
    const result = readShape(RESULT, value, place, context);
    if (result !== undefined) yield resultRow(result, place, partsOf);
  }
}

function resultRow(result: z.infer<typeof RESULT>, place: ShapePlace, partsOf: ItemReader): SourceRow {
  const { test_case, score_results, trial_id, task_execution_time } = result;
  const { dataset_item_id: id, dataset_item_content: content, mapped_scoring_inputs: scored } = test_case;
  // Where the content is left out, what the metrics were given holds it, with the outputs.
  const item = content != null && Object.keys(content).length > 0 ? content : (scored ?? {});
  return {
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

type ItemReader = (item: JsonObject, id: string | null | undefined) => CaseParts;

/** The content of an item may hold its id once more. */
function itemReader(): ItemReader {
  const partsOf = caseReader();
  return (item, id) =>
    partsOf(Object.fromEntries(Object.entries(item).filter(([name, value]) => name !== "id" || value !== id)));
}

const ITEM = z.object({
  dataset_item_id: z.string(),
  trace_id: textField,
  dataset_item_data: objectField,
  evaluation_task_output: anyField,
  feedback_scores: SCORES,
  assertion_results: z
    .array(z.object({ value: textField, passed: booleanField.nullish(), reason: textField }))
    .nullish(),
});

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
