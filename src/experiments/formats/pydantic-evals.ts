import * as z from "zod";
import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../rows/source-row.ts";
import { documentRest, pairedLists } from "./shared/listed-values.ts";
import { errorText, UNKNOWN_ERROR } from "./shared/error-text.ts";
import { LEFT_OUT } from "./shared/ledger.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { ScoreKeys } from "./shared/scores.ts";
import { anyField, numberField, objectField, readShape, textField, type ShapePlace } from "./shared/shape.ts";

/** What EvaluationReportAdapter of pydantic-evals writes (2.62): cases that ran, and failures. */
export const pydanticEvals: ResultFormat = {
  name: "pydantic-evals",
  detect: ({ json }) => {
    if (json?.kind !== "object") return false;
    const has = (path: readonly string[], ...keys: readonly string[]) =>
      keys.every((key) => json.keysAt(path).includes(key));
    return (
      has([CASES], "inputs", "expected_output", "assertions") ||
      has([CASES], "inputs", "scores", "labels") ||
      has([FAILURES], "inputs", "error_message", "error_stacktrace") ||
      has([], "name", CASES, FAILURES, "report_evaluator_failures")
    );
  },
  run: (file, describeRun) => {
    const run = REPORT.safeParse(documentRest(file, [CASES]));
    if (run.success) describeRun(runOf(run.data));
  },
  rows: readRows,
};

const CASES = "cases";
const FAILURES = "failures";

function* readRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.describeRun({ tool: "pydantic-evals" });
  const describe = (document: JsonValue) => {
    const run = readShape(REPORT, document, { file: file.name }, context);
    if (run !== undefined) context.describeRun(runOf(run));
  };
  for (const { value, place } of pairedLists(file, { first: [CASES], second: [FAILURES] }, context, describe)) {
    const row = readShape(CASE, value, place, context);
    if (row !== undefined) yield rowOf(row, place, context);
  }
}

const CASE = z
  .object({
    name: textField,
    source_case_name: textField,
    inputs: anyField,
    expected_output: anyField,
    output: anyField,
    metadata: anyField,
    metrics: objectField,
    attributes: objectField,
    scores: objectField,
    assertions: objectField,
    labels: objectField,
    evaluator_failures: z
      .array(
        z
          .object({ name: textField, error_message: textField })
          .register(LEFT_OUT, ["error_stacktrace", "error_type", "source", "evaluator_version"]),
      )
      .nullish(),
    task_duration: numberField,
    error_message: textField,
    trace_id: textField,
  })
  .register(LEFT_OUT, ["total_duration", "span_id", "error_stacktrace"]);
type Case = z.infer<typeof CASE>;

function rowOf(row: Case, place: ShapePlace, context: FormatContext): SourceRow {
  const isFailure = place.path?.startsWith(`${FAILURES}.`) === true;
  const labels = resultsOf(row.labels, "labels", place, context);
  const broken = (row.evaluator_failures ?? []).map(({ name, error_message }) => ({
    name: name ?? null,
    error_message: error_message ?? null,
  }));
  const keys = new ScoreKeys();
  const results = [
    ...resultsOf(row.scores, "scores", place, context),
    ...resultsOf(row.assertions, "assertions", place, context),
  ];
  return {
    place,
    ...identityOf(row),
    inputs: row.inputs,
    // Each field is always there, and null where there is none.
    expected: row.expected_output ?? undefined,
    outputs: row.output ?? undefined,
    scores: results.map(([key, { value, reason, source }]) => ({
      key: keys.next(key),
      value,
      comment: reason ?? undefined,
      // LLMJudge is the evaluator of pydantic-evals that asks a model.
      by: source?.name === "LLMJudge" ? "model" : "code",
    })),
    // The duration of the task alone; the total has that of the evaluators in it.
    times: row.task_duration === undefined ? undefined : { milliseconds: row.task_duration * 1000 },
    error: isFailure ? (errorText(row.error_message) ?? UNKNOWN_ERROR) : undefined,
    metadata: metadataOf(row.metadata, {
      labels: Object.fromEntries(labels.map(([key, { value }]) => [key, value ?? null])),
      metrics: row.metrics,
      attributes: row.attributes,
      // The report does not say which score the evaluator would have given.
      evaluator_failures: broken,
      trace_id: row.trace_id,
    }),
  };
}

// What pydantic-evals calls a case without a name: only its place in the list.
const COUNTED = /^Case \d+$/;
const REPEAT = / \[(\d+)\/\d+\]$/;

/** A repeated case has the name `france [2/3]`, and its own name beside. */
function identityOf({ name, source_case_name }: Case): Pick<SourceRow, "id" | "repetition"> {
  const id = source_case_name ?? name ?? "";
  if (id === "" || COUNTED.test(id)) return {};
  const number = source_case_name == null ? undefined : REPEAT.exec(name ?? "")?.[1];
  return number === undefined ? { id } : { id, repetition: Math.max(0, Number(number) - 1) };
}

const RESULT = z
  .object({
    value: anyField,
    reason: textField,
    source: z.object({ name: textField }).register(LEFT_OUT, ["arguments"]).nullish(),
  })
  .register(LEFT_OUT, ["name", "evaluator_version"]);

function resultsOf(results: JsonObject | null | undefined, field: string, place: ShapePlace, context: FormatContext) {
  const path = place.path === undefined ? field : `${place.path}.${field}`;
  return Object.entries(results ?? {}).flatMap(([key, value]): [string, z.infer<typeof RESULT>][] => {
    const result = readShape(RESULT, value, { ...place, path }, context);
    return result === undefined ? [] : [[key, result]];
  });
}

const REPORT = z
  .object({
    name: textField,
    dataset_name: textField,
    experiment_metadata: anyField,
    trace_id: textField,
  })
  // Rows, and what is made of all of them.
  .register(LEFT_OUT, ["cases", "failures", "span_id", "analyses", "report_evaluator_failures"]);

function runOf({ name, dataset_name, experiment_metadata, trace_id }: z.infer<typeof REPORT>): SourceRun {
  return {
    datasetName: dataset_name ?? undefined,
    metadata: metadataOf(experiment_metadata, { report: name, trace_id }),
  };
}
