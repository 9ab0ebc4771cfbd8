import * as z from "zod";
import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { isJsonObject, isJsonList } from "../../files/json-object.ts";
import { writeJsonValue, type JsonValue, type JsonObject } from "../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { errorText } from "./shared/error-text.ts";
import { LEFT_OUT, type LeftOut } from "./shared/ledger.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { anyField, numberField, readShape, textField } from "./shared/shape.ts";
import { hasNames, toolNames, toolRecords, type ToolRecord } from "./table/tool-record.ts";
import { cellDialect, csvObjects } from "./table/csv-table.ts";
import { jsonDialect } from "./table/columns.ts";
import { recordList } from "./table/container-records.ts";
import { readLiteral } from "./table/cell-literal.ts";
import { ColumnRoles } from "./table/column-roles.ts";
import { TableReader } from "./table/reader.ts";

/** An experiment of Phoenix, as its page and its API download it: CSV or a JSON list. */
export const phoenix: ResultFormat = {
  name: "phoenix",
  detect: (file) => hasNames(file, SIGNS),
  rows: function* (file, context) {
    context.describeRun({ tool: "phoenix" });
    for (const record of toolRecords(file, context, LEFT_OUT_OF_RUN)) {
      const row = rowOf(record, context);
      if (row !== undefined) yield row;
    }
  },
};

/** An annotation has such columns in CSV, besides those that are read. */
const LEFT_OUT_OF_RUN: LeftOut = {
  has: (name) => /^annotation_.+_(?:trace_id|metadata|start_time|end_time)$/.test(name),
};
const SIGNS = ["example_id", "repetition_number", "reference_output"];

const ANNOTATION = z
  .object({
    name: z.string(),
    annotator_kind: textField,
    label: textField,
    score: anyField,
    explanation: textField,
    error: anyField,
  })
  .register(LEFT_OUT, ["trace_id", "metadata", "start_time", "end_time"]);
type Annotation = z.infer<typeof ANNOTATION>;

const RUN = z.object({
  example_id: textField,
  repetition_number: numberField,
  trace_id: textField,
  prompt_token_count: numberField,
  completion_token_count: numberField,
  latency_ms: numberField,
  annotations: z.array(ANNOTATION),
});

function rowOf(record: ToolRecord, context: FormatContext): SourceRow | undefined {
  const facts = FACTS.map((name) => [name, record.score(name) ?? null] as const);
  const texts = TEXTS.map((name) => [name, record.fact(name) ?? null] as const);
  const annotations = record.value("annotations") ?? columnAnnotations(record);
  const read = readShape(RUN, { ...Object.fromEntries([...facts, ...texts]), annotations }, record.place, context);
  if (read === undefined) return undefined;
  const { example_id: id, repetition_number: repetition, trace_id, latency_ms } = read;
  const usage = { prompt_tokens: read.prompt_token_count, completion_tokens: read.completion_token_count };
  const counted = Object.entries(usage).flatMap(([key, count]) => (count === undefined ? [] : [[key, count] as const]));
  const broken = read.annotations.flatMap(({ name, error: failure }): [string, string][] => {
    const text = errorText(failure);
    return text === undefined ? [] : [[name, text]];
  });
  const own = record.value("metadata");
  const error = errorText(record.fact("error"));
  return {
    place: record.place,
    id: id ?? undefined,
    // Counted from 1.
    repetition: repetition === undefined ? undefined : Math.max(0, repetition - 1),
    inputs: record.value("input"),
    expected: record.value("reference_output"),
    outputs: record.answer("output", error !== undefined),
    scores: read.annotations.map(scoreOf),
    times: {
      start: record.fact("start_time"),
      end: record.fact("end_time"),
      milliseconds: latency_ms,
    },
    error,
    usage: counted.length === 0 ? undefined : Object.fromEntries(counted),
    metadata: metadataOf(own, { trace_id, evaluator_errors: Object.fromEntries(broken) }),
  };
}

const FACTS = ["repetition_number", "prompt_token_count", "completion_token_count", "latency_ms"];
const TEXTS = ["example_id", "trace_id"];

/** A label is a category, and stays beside a number; an evaluator that broke left neither. */
function scoreOf({ name, score, label, explanation, annotator_kind: kind }: Annotation): SourceScore {
  const said = label == null || label === "" ? undefined : { value: label };
  const by = kind === "LLM" ? "model" : kind === "CODE" ? "code" : undefined;
  return { key: name, value: score, comment: explanation ?? undefined, by, more: said };
}

/** In CSV each annotation has several columns: `annotation_exact_score`, and `_label`, `_explanation` beside. */
function columnAnnotations(record: ToolRecord): JsonValue {
  return record.names.flatMap((column) => {
    const [, name] = SCORE_COLUMN.exec(column) ?? [];
    if (name === undefined) return [];
    const score = record.score(column) ?? null;
    const others = BESIDE.map((part): [string, JsonValue] => {
      const value = record.fact(`annotation_${name}_${part}`) ?? null;
      const isPlain = typeof value === "string" || value === null || isJsonObject(value);
      return [part, isPlain ? value : writeJsonValue(value)];
    });
    const isThere = score !== null || others.some(([, part]) => part !== null);
    return isThere ? [{ name, score, ...Object.fromEntries(others) }] : [];
  });
}

const SCORE_COLUMN = /^annotation_(.+)_score$/;
const BESIDE = ["label", "explanation", "annotator_kind", "error"];

/**
 * What `evaluate_dataframe()` of phoenix.evals gives, as pandas writes it: the columns of the user's own table, and for
 * each evaluator its score as an object, and how it went.
 */
export const phoenixEvals: ResultFormat = {
  name: "phoenix-evals",
  detect: (file) => {
    const names = toolNames(file);
    return names.some((name) => evaluatorOf(name, names) !== undefined);
  },
  rows: function* (file, context) {
    context.describeRun({ tool: "phoenix-evals" });
    const isCsv = file.json === undefined;
    const dialect = isCsv ? cellDialect({ decide: (samples) => new ColumnRoles(samples) }) : jsonDialect;
    const reader = new TableReader({ file: file.name, dialect, context });
    for (const found of isCsv ? csvObjects(file, context) : recordList(file, context)) {
      const size = "size" in found ? found.size : found.bytes;
      yield* reader.take(withScores(found.record, context), found.place, size);
    }
    yield* reader.end();
  },
};

const SCORE = "_score";
const DETAILS = "_execution_details";

/** The evaluator whose score a column is. */
function evaluatorOf(name: string, names: readonly string[]): string | undefined {
  if (!name.endsWith(SCORE)) return undefined;
  const evaluator = name.slice(0, -SCORE.length);
  return names.includes(`${evaluator}${DETAILS}`) ? evaluator : undefined;
}

const EVALUATION = z
  .object({ name: anyField, score: anyField, label: anyField, explanation: anyField })
  .register(LEFT_OUT, ["metadata", "kind", "direction", "source"]);
const EXECUTION = z.object({ exceptions: anyField }).register(LEFT_OUT, ["status", "execution_seconds"]);

/** The record with one list of scores, in place of all columns of evaluators, and why some of them broke. */
function withScores(record: JsonObject, { ledger }: FormatContext): JsonObject {
  const names = Object.keys(record);
  const scores: JsonValue[] = [];
  const errors: [string, JsonValue][] = [];
  const others: [string, JsonValue][] = [];
  for (const [name, cell] of Object.entries(record)) {
    const evaluator = evaluatorOf(name, names);
    if (evaluator !== undefined) {
      const score = objectOf(cell);
      if (score !== undefined) ledger.look(EVALUATION, score, { path: name });
      scores.push({ score: null, ...score, name: evaluator });
    } else if (name.endsWith(DETAILS)) {
      const details = objectOf(cell) ?? {};
      ledger.look(EXECUTION, details, { path: name });
      const { exceptions } = details;
      if (isJsonList(exceptions) && exceptions.length > 0) errors.push([name.slice(0, -DETAILS.length), exceptions]);
    } else others.push([name, cell]);
  }
  const broken = errors.length === 0 ? {} : { evaluator_errors: Object.fromEntries(errors) };
  return { ...Object.fromEntries(others), scores, ...broken };
}

function objectOf(cell: JsonValue): JsonObject | undefined {
  const value = typeof cell === "string" ? readLiteral(cell) : cell;
  return isJsonObject(value) ? value : undefined;
}
