import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { distinctScores, factsOf, labelledScore, UNKNOWN_ERROR } from "./shared/tool-values.ts";
import { Fields } from "./shared/fields.ts";
import type { LeftOut } from "./shared/ledger.ts";
import { hasNames } from "./shared/csv-file.ts";
import { toolRecords, type ToolRecord } from "./table/tool-record.ts";

/**
 * The `result_df` of MLflow's `genai.evaluate()`, as pandas writes it: a row for each trace. The columns `NAME/value`
 * mix scores with expected values, so the list of assessments is read, which separates them.
 */
export const mlflow: ResultFormat = {
  tool: "mlflow",
  detect: (file) => hasNames(file, SIGNS),
  rows: function* (file, context) {
    for (const record of toolRecords(file, context, LEFT_OUT_OF_TRACE)) yield* rowsOf(record, context);
  },
};

const SIGNS = ["trace_id", "request", "response", "assessments"];

/** The assessments as columns once more, and what a trace is made of. */
const LEFT_OUT_OF_TRACE: LeftOut = {
  has: (name) => /\/(?:value|rationale|error_message|error_code)$/.test(name) || OF_TRACE.has(name),
};
const OF_TRACE: ReadonlySet<string> = new Set(["trace", "spans", "trace_metadata", "tags", "info", "data"]);
const LEFT_OUT_OF_ASSESSMENT = [
  ...["assessment_id", "trace_id", "span_id", "run_id", "create_time", "create_time_ms", "last_update_time"],
  ...["last_update_time_ms", "metadata", "overrides"],
];

function rowsOf(record: ToolRecord, context: FormatContext): readonly SourceRow[] {
  const trace = Fields.of(
    {
      assessments: record.value("assessments") ?? [],
      execution_duration: record.score("execution_duration") ?? null,
      request_time: record.score("request_time") ?? null,
      state: record.fact("state") ?? null,
      trace_id: record.fact("trace_id") ?? null,
      client_request_id: record.fact("client_request_id") ?? null,
    },
    record.place,
    context,
  );
  const hasFailed = trace.text("state") === "ERROR";
  // One that was corrected stays in the list, but does not count.
  const valid = trace
    .someList("assessments", LEFT_OUT_OF_ASSESSMENT)
    .map(readAssessment)
    .filter(({ isValid }) => isValid);
  const expected = valid.flatMap(({ name, expected: value }) => (value === undefined ? [] : [[name, value] as const]));
  const broken = valid.flatMap(({ name, broken: error }) => (error === undefined ? [] : [[name, error] as const]));
  return trace.checked({
    place: record.place,
    inputs: record.value("request"),
    expected: expected.length === 0 ? undefined : Object.fromEntries(expected),
    outputs: record.answer("response", hasFailed),
    scores: distinctScores(valid.flatMap(({ name, score }) => (score ? [{ ...score, key: name }] : []))),
    times: { start: trace.value("request_time"), milliseconds: trace.number("execution_duration") },
    error: hasFailed ? UNKNOWN_ERROR : undefined,
    metadata: factsOf({
      trace_id: trace.text("trace_id"),
      client_request_id: trace.text("client_request_id"),
      scorer_errors: Object.fromEntries(broken),
    }),
  });
}

/** An assessment is a score, an expected value, or a score that broke. */
function readAssessment(assessment: Fields) {
  const feedback = assessment.object("feedback");
  const expectation = assessment.object("expectation");
  const serialized = expectation.object("serialized_value", ["serialization_format"]);
  const text = serialized.someText("value");
  const source = assessment.object("source", ["source_id"]).text("source_type");
  const rationale = assessment.text("rationale");
  const value = feedback.value("value");
  // MLflow counts two words, in any case; all others are categories.
  const rating = typeof value === "string" ? RATINGS.get(value.toLowerCase()) : undefined;
  const isModel = source === "LLM_JUDGE" || source === "AI_JUDGE";
  const by = isModel ? ("model" as const) : source === "CODE" ? ("code" as const) : undefined;
  return {
    name: assessment.someText("assessment_name"),
    isValid: assessment.value("valid") !== false,
    expected: expectation.isThere ? (expectation.given("value") ?? (serialized.isThere ? text : null)) : undefined,
    score: feedback.isThere
      ? { comment: rationale, by, ...labelledScore(value), ...(rating === undefined ? {} : { value: rating }) }
      : undefined,
    broken: feedback.object("error", ["error_code", "stack_trace"]).text("error_message"),
  };
}

const RATINGS: ReadonlyMap<string, number> = new Map([
  ["yes", 1],
  ["no", 0],
]);
