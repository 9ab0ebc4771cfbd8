import * as z from "zod";
import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { JsonValue } from "../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { UNKNOWN_ERROR } from "./shared/error-text.ts";
import { labelledScore, ScoreKeys } from "./shared/scores.ts";
import { LEFT_OUT, type LeftOut } from "./shared/ledger.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { anyField, numberField, readShape, textField } from "./shared/shape.ts";
import { hasNames, toolRecords, type ToolRecord } from "./table/tool-record.ts";

/**
 * The `result_df` of MLflow's `genai.evaluate()`, as pandas writes it: a row for each trace. The columns `NAME/value`
 * mix scores with expected values, so the list of assessments is read, which separates them.
 */
export const mlflow: ResultFormat = {
  name: "mlflow",
  detect: (file) => hasNames(file, SIGNS),
  rows: function* (file, context) {
    context.describeRun({ tool: "mlflow" });
    for (const record of toolRecords(file, context, LEFT_OUT_OF_TRACE)) {
      const row = rowOf(record, context);
      if (row !== undefined) yield row;
    }
  },
};

const SIGNS = ["trace_id", "request", "response", "assessments"];

const ASSESSMENT = z
  .object({
    assessment_name: z.string(),
    source: z.object({ source_type: textField }).register(LEFT_OUT, ["source_id"]).nullish(),
    rationale: textField,
    feedback: z
      .object({
        value: anyField,
        error: z.object({ error_message: textField }).register(LEFT_OUT, ["error_code", "stack_trace"]).nullish(),
      })
      .nullish(),
    expectation: z
      .object({
        value: anyField,
        serialized_value: z.object({ value: z.string() }).register(LEFT_OUT, ["serialization_format"]).nullish(),
      })
      .nullish(),
    overrides: textField,
    valid: anyField,
  })
  .register(LEFT_OUT, [
    ...["assessment_id", "trace_id", "span_id", "run_id", "create_time", "create_time_ms", "last_update_time"],
    ...["last_update_time_ms", "metadata"],
  ]);
/** The assessments as columns once more, and what a trace is made of. */
const LEFT_OUT_OF_TRACE: LeftOut = {
  has: (name) => /\/(?:value|rationale|error_message|error_code)$/.test(name) || OF_TRACE.has(name),
};
const OF_TRACE: ReadonlySet<string> = new Set(["trace", "spans", "trace_metadata", "tags", "info", "data"]);
type Assessment = z.infer<typeof ASSESSMENT>;

const TRACE = z.object({
  assessments: z.array(ASSESSMENT),
  execution_duration: numberField,
  request_time: anyField,
  state: textField,
  trace_id: textField,
  client_request_id: textField,
});

function rowOf(record: ToolRecord, context: FormatContext): SourceRow | undefined {
  const read = readShape(
    TRACE,
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
  if (read === undefined) return undefined;
  // One that was corrected stays in the list, but does not count.
  const valid = read.assessments.filter(({ valid }) => valid !== false);
  const expected = valid.flatMap(({ assessment_name: name, expectation }): [string, JsonValue][] =>
    expectation == null ? [] : [[name, expectation.value ?? expectation.serialized_value?.value ?? null]],
  );
  const hasFailed = read.state === "ERROR";
  const keys = new ScoreKeys();
  return {
    place: record.place,
    inputs: record.value("request"),
    expected: expected.length === 0 ? undefined : Object.fromEntries(expected),
    outputs: record.answer("response", hasFailed),
    scores: valid.flatMap((assessment) => scoreOf(assessment, keys)),
    times: { start: read.request_time, milliseconds: read.execution_duration },
    error: hasFailed ? UNKNOWN_ERROR : undefined,
    metadata: metadataOf(undefined, {
      trace_id: read.trace_id,
      client_request_id: read.client_request_id,
      scorer_errors: Object.fromEntries(
        valid.flatMap(({ assessment_name: name, feedback }) => {
          const message = feedback?.error?.error_message;
          return message == null ? [] : [[name, message]];
        }),
      ),
    }),
  };
}

function scoreOf({ assessment_name: name, feedback, rationale, source }: Assessment, keys: ScoreKeys): SourceScore[] {
  if (feedback == null) return [];
  const { value } = feedback;
  const isModel = source?.source_type === "LLM_JUDGE" || source?.source_type === "AI_JUDGE";
  const said = {
    key: keys.next(name),
    comment: rationale ?? undefined,
    by: isModel ? ("model" as const) : source?.source_type === "CODE" ? ("code" as const) : undefined,
  };
  // MLflow counts two words, in any case; all others are categories.
  const rating = typeof value === "string" ? RATINGS.get(value.toLowerCase()) : undefined;
  return [{ ...said, ...labelledScore(value), ...(rating === undefined ? {} : { value: rating }) }];
}

const RATINGS: ReadonlyMap<string, number> = new Map([
  ["yes", 1],
  ["no", 0],
]);
