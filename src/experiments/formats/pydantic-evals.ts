import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRow, SourceRun, SourceScore } from "../rows/source-row.ts";
import { documentRest, listedFields } from "./shared/listed-values.ts";
import { distinctScores, errorText, metadataOf, UNKNOWN_ERROR } from "./shared/tool-values.ts";
import { Fields } from "./shared/fields.ts";

/** What EvaluationReportAdapter of pydantic-evals writes (2.62): cases that ran, and failures. */
export const pydanticEvals: ResultFormat = {
  tool: "pydantic-evals",
  detect: ({ json }) => {
    if (json.kind !== "object") return false;
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
    const report = Fields.quiet(documentRest(file, [CASES]));
    const run = runOf(report);
    if (report.end()) describeRun(run);
  },
  rows: readRows,
};

const CASES = "cases";
const FAILURES = "failures";

function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  for (const row of listedFields(file, context, CASES_AND_FAILURES)) yield* row.checked(rowOf(row));
}

const LEFT_OUT_OF_RESULT = ["name", "evaluator_version"];
const LEFT_OUT_OF_FAILURE = ["error_stacktrace", "error_type", "source", "evaluator_version"];

function runOf(report: Fields): SourceRun {
  return {
    datasetName: report.text("dataset_name"),
    metadata: metadataOf(report.value("experiment_metadata"), {
      report: report.text("name"),
      trace_id: report.text("trace_id"),
    }),
  };
}

const CASES_AND_FAILURES = {
  path: [CASES],
  second: [FAILURES],
  leftOut: ["total_duration", "span_id", "error_stacktrace"],
  // What is made of all rows, besides the rows that failed.
  leftOutAround: [FAILURES, "span_id", "analyses", "report_evaluator_failures"],
  runOf,
};

function rowOf(row: Fields): SourceRow {
  const { place } = row;
  const isFailure = place.path?.startsWith(`${FAILURES}.`) === true;
  const said = row.text("error_message");
  const resultsOf = (field: string) => row.entries(field, LEFT_OUT_OF_RESULT, resultOf);
  return {
    place,
    ...identityOf(row.text("name"), row.text("source_case_name")),
    inputs: row.value("inputs"),
    expected: row.given("expected_output"),
    outputs: row.given("output"),
    scores: distinctScores([...resultsOf("scores"), ...resultsOf("assertions")]),
    // The duration of the task alone; the total has that of the evaluators in it.
    times: { milliseconds: row.milliseconds("task_duration") },
    error: isFailure ? (errorText(said) ?? UNKNOWN_ERROR) : undefined,
    metadata: metadataOf(row.value("metadata"), {
      labels: Object.fromEntries(resultsOf("labels").map(({ key, value }) => [key, value ?? null])),
      metrics: row.record("metrics"),
      attributes: row.record("attributes"),
      // The report does not say which score the evaluator would have given.
      evaluator_failures: row.list("evaluator_failures", LEFT_OUT_OF_FAILURE).map((failure) => ({
        name: failure.text("name") ?? null,
        error_message: failure.text("error_message") ?? null,
      })),
      trace_id: row.text("trace_id"),
    }),
  };
}

function resultOf(result: Fields, key: string): SourceScore {
  // LLMJudge is the evaluator of pydantic-evals that asks a model.
  const isOfModel = result.object("source", ["arguments"]).text("name") === "LLMJudge";
  return { key, value: result.value("value"), comment: result.text("reason"), by: isOfModel ? "model" : "code" };
}

// What pydantic-evals calls a case without a name: only its place in the list.
const COUNTED = /^Case \d+$/;
const REPEAT = / \[(\d+)\/\d+\]$/;

/** A repeated case has the name `france [2/3]`, and its own name beside. */
function identityOf(name = "", ownName?: string): Pick<SourceRow, "id" | "repetition"> {
  const id = ownName ?? name;
  if (id === "" || COUNTED.test(id)) return {};
  const number = ownName === undefined ? undefined : REPEAT.exec(name)?.[1];
  return number === undefined ? { id } : { id, repetition: Math.max(0, Number(number) - 1) };
}
