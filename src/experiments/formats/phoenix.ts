import type { FormatContext, ResultFormat } from "./shared/format.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import { isJsonList, isJsonObject, objectIn, writeJsonValue } from "../../files/json/value.ts";
import type { JsonObject, JsonValue } from "../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { errorText, factsOf, metadataOf } from "./shared/tool-values.ts";
import { Fields } from "./shared/fields.ts";
import type { LeftOut } from "./shared/ledger.ts";
import { hasNames, namesIn } from "./shared/csv-file.ts";
import { namedRecords, toolRecords, type ToolRecord } from "./table/tool-record.ts";
import { cellDialect } from "./table/csv-table.ts";
import { jsonDialect } from "./table/dialect.ts";
import { readLiteral } from "./table/cell-literal.ts";
import { tableRows } from "./table/reader.ts";

/** An experiment of Phoenix, as its page and its API download it: CSV or a JSON list. */
export const phoenix: ResultFormat = {
  tool: "phoenix",
  detect: (file) => hasNames(file, SIGNS),
  rows: function* (file, context) {
    for (const record of toolRecords(file, context, LEFT_OUT_OF_RUN)) yield* rowsOf(record, context);
  },
};

/** An annotation has such columns in CSV, besides those that are read. */
const LEFT_OUT_OF_RUN: LeftOut = {
  has: (name) => /^annotation_.+_(?:trace_id|metadata|start_time|end_time)$/.test(name),
};
const SIGNS = ["example_id", "repetition_number", "reference_output"];

const LEFT_OUT_OF_ANNOTATION = ["trace_id", "metadata", "start_time", "end_time"];
const FACTS = ["repetition_number", "prompt_token_count", "completion_token_count", "latency_ms"];
const TEXTS = ["example_id", "trace_id"];

function rowsOf(record: ToolRecord, context: FormatContext): readonly SourceRow[] {
  const facts = FACTS.map((name) => [name, record.score(name) ?? null] as const);
  const texts = TEXTS.map((name) => [name, record.fact(name) ?? null] as const);
  const annotations = record.value("annotations") ?? columnAnnotations(record);
  const run = Fields.of({ ...Object.fromEntries([...facts, ...texts]), annotations }, record.place, context);
  const repetition = run.number("repetition_number");
  const usage = factsOf({
    prompt_tokens: run.number("prompt_token_count"),
    completion_tokens: run.number("completion_token_count"),
  });
  const read = run.someList("annotations", LEFT_OUT_OF_ANNOTATION).map((annotation) => ({
    score: scoreOf(annotation),
    error: errorText(annotation.value("error")),
  }));
  const broken = read.flatMap(({ score, error: text }) => (text === undefined ? [] : [[score.key, text] as const]));
  const error = errorText(record.fact("error"));
  return run.checked({
    place: record.place,
    id: run.text("example_id"),
    // Counted from 1.
    repetition: repetition === undefined ? undefined : Math.max(0, repetition - 1),
    inputs: record.value("input"),
    expected: record.value("reference_output"),
    outputs: record.answer("output", error !== undefined),
    scores: read.map(({ score }) => score),
    times: {
      start: record.fact("start_time"),
      end: record.fact("end_time"),
      milliseconds: run.number("latency_ms"),
    },
    error,
    usage,
    metadata: metadataOf(record.value("metadata"), {
      trace_id: run.text("trace_id"),
      evaluator_errors: Object.fromEntries(broken),
    }),
  });
}

/** A label is a category, and stays beside a number; an evaluator that broke left neither. */
function scoreOf(annotation: Fields): SourceScore {
  const [kind, label] = [annotation.text("annotator_kind"), annotation.text("label") ?? ""];
  return {
    key: annotation.someText("name"),
    value: annotation.value("score"),
    comment: annotation.text("explanation"),
    by: kind === "LLM" ? "model" : kind === "CODE" ? "code" : undefined,
    more: label === "" ? undefined : { value: label },
  };
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
  tool: "phoenix-evals",
  detect: (file) => {
    const names = namesIn(file);
    return names.some((name) => evaluatorOf(name, names) !== undefined);
  },
  rows: (file, context) => {
    const isCsv = file.json.kind === "none";
    const dialect = isCsv ? cellDialect() : jsonDialect;
    const scored = namedRecords(file, context).map((each) => {
      return { ...each, record: withScores(each.record, each.place, context) };
    });
    return tableRows(scored, { file: file.name, dialect, context });
  },
};

const SCORE = "_score";
const DETAILS = "_execution_details";

function evaluatorOf(name: string, names: readonly string[]): string | undefined {
  if (!name.endsWith(SCORE)) return undefined;
  const evaluator = name.slice(0, -SCORE.length);
  return names.includes(`${evaluator}${DETAILS}`) ? evaluator : undefined;
}

/** The record with one list of scores, in place of all columns of evaluators, and why some of them broke. */
function withScores(record: JsonObject, place: FilePlace, context: FormatContext): JsonObject {
  const names = Object.keys(record);
  const scores: JsonValue[] = [];
  const errors: [string, JsonValue][] = [];
  const others: [string, JsonValue][] = [];
  for (const [name, cell] of Object.entries(record)) {
    const evaluator = evaluatorOf(name, names);
    if (evaluator !== undefined) {
      const score = objectOf(cell);
      context.ledger.read(["name", "score", "label", "explanation"], { path: name });
      Fields.of(score, { file: place.file, path: name }, context, ["metadata", "kind", "direction", "source"]).end();
      scores.push({ score: null, ...score, name: evaluator });
    } else if (name.endsWith(DETAILS)) {
      const at = { file: place.file, path: name };
      const details = Fields.of(objectOf(cell), at, context, ["status", "execution_seconds"]);
      const exceptions = details.value("exceptions");
      details.end();
      if (isJsonList(exceptions) && exceptions.length > 0) errors.push([name.slice(0, -DETAILS.length), exceptions]);
    } else others.push([name, cell]);
  }
  const broken = errors.length === 0 ? {} : { evaluator_errors: Object.fromEntries(errors) };
  return { ...Object.fromEntries(others), scores, ...broken };
}

function objectOf(cell: JsonValue): JsonObject {
  return objectIn(typeof cell === "string" ? readLiteral(cell) : cell);
}
