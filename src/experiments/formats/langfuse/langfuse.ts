import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { JsonPeek } from "../../../files/json/peek.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { knownRun } from "../shared/known-run.ts";
import { EVALUATION, evaluationScores, ITEM, itemRow } from "./item.ts";
import { areScripts, scriptRows } from "./scripts.ts";
import { areTraces, traceRows } from "./traces.ts";
import { listedValues } from "../shared/listed-values.ts";
import { recordList } from "../table/record-list.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { readShape, textField, type ShapePlace } from "../shared/shape.ts";

/**
 * What Langfuse leaves of an experiment: the output of its action, the result of `run_experiment` as JSON or the items
 * in it, and the traces that its page exports.
 */
export const langfuse: ResultFormat = {
  name: "langfuse",
  detect: (file) => areScripts(file) || resultPath(file.json) !== undefined || areItems(file.json) || areTraces(file),
  rows: (file, context) => {
    context.tell({ tool: "langfuse" });
    if (areScripts(file)) return scriptRows(file, context);
    if (areTraces(file)) return traceRows(file, context);
    return areItems(file.json) ? itemRows(recordList(file, context), context) : resultRows(file, context);
  },
};

/** Where the items of a result stand, in Python and in JavaScript. */
const ITEM_LISTS = ["item_results", "itemResults"];

function resultPath(json: JsonPeek | undefined): readonly string[] | undefined {
  if (json?.kind !== "object") return undefined;
  const list = ITEM_LISTS.find((key) => json.topKeys.includes(key));
  return list === undefined ? undefined : [list];
}

function areItems(json: JsonPeek | undefined): boolean {
  return (json?.kind === "array" || json?.kind === "lines") && ITEM_KEYS.every((key) => json.topKeys.includes(key));
}

const ITEM_KEYS = ["item", "output", "evaluations"];

const RESULT = z.object({
  run_name: textField,
  runName: textField,
  experiment_id: textField,
  experimentId: textField,
  run_evaluations: z.array(EVALUATION).nullish(),
  runEvaluations: z.array(EVALUATION).nullish(),
});

function* resultRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const rest = (document: JsonValue) => {
    const result = readShape(RESULT, document, { file: file.name }, context);
    if (result === undefined) return;
    const summaryScores = evaluationScores(result.run_evaluations ?? result.runEvaluations ?? []);
    const metadata = metadataOf(undefined, {
      run_name: result.run_name ?? result.runName,
      experiment_id: result.experiment_id ?? result.experimentId,
    });
    context.tell(knownRun({ metadata, summaryScores: summaryScores.length === 0 ? undefined : summaryScores }));
  };
  const path = resultPath(file.json) ?? [];
  const items = listedValues(file, path, context, { rest });
  yield* itemRows(
    items.map(({ value, place }) => ({ record: value, place })),
    context,
  );
}

function* itemRows(
  items: Iterable<{ readonly record: JsonValue; readonly place: ShapePlace }>,
  context: FormatContext,
): Generator<SourceRow, void, undefined> {
  for (const { record, place } of items) {
    const item = readShape(ITEM, record, place, context);
    if (item !== undefined) yield itemRow(item, place, {});
  }
}
