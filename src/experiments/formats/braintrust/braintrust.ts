import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import { BYTE } from "../../../files/json/bytes.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { braintrustEvents, hasBraintrustEvents, ofService } from "./events.ts";
import { jsonOrUndefined } from "../../../text/json-text.ts";
import { errorText } from "../shared/error-text.ts";
import { linePieces, lineValue } from "../shared/json-records.ts";
import { listedValues } from "../shared/listed-values.ts";
import { isKnown, LEFT_OUT } from "../shared/ledger.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { anyField, objectField, readShape, type ShapePlace, textField } from "../shared/shape.ts";

/**
 * What `Eval()` of braintrust gives, as JSON, what `braintrust eval --jsonl` prints (3.35), and the events of an
 * experiment in the service, as its page and its API give them.
 */
export const braintrust: ResultFormat = {
  name: "braintrust",
  detect: (file) => isDocument(file) || isOutput(file) || hasBraintrustEvents(file),
  rows: (file, context) => {
    context.describeRun({ tool: "braintrust" });
    if (hasBraintrustEvents(file)) return eventRows(file, context);
    return isDocument(file) ? documentRows(file, context) : outputRows(file, context);
  },
};

function isDocument({ json }: ResultFile): boolean {
  if (json?.kind !== "object" || !json.topKeys.includes("results")) return false;
  return isSummary(json.keysAt(["summary"]));
}

const BEGINNING = "Running evaluator ";

/** Texts, errored rows and summaries, one a line; the summaries come last. */
function isOutput({ json, text }: ResultFile): boolean {
  if (json !== undefined && isSummary(json.topKeys)) return true;
  const lines = text.split("\n");
  if (lines.some((line) => line.startsWith(BEGINNING)) && lines.some((line) => line.startsWith("{"))) return true;
  return lines.some((line) => {
    const value = line.startsWith("{") && /"experiment_?name"/i.test(line) ? jsonOrUndefined(line) : undefined;
    return isJsonObject(value) && isSummary(Object.keys(value));
  });
}

function* documentRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const summaries = new BraintrustSummaries(context);
  const addSummary = (document: JsonValue) => {
    const summary = isJsonObject(document) ? document["summary"] : undefined;
    context.ledger.look(DOCUMENT, document);
    if (summary !== undefined) summaries.add(summary, { file: file.name, path: "summary" });
  };
  for (const { value, place } of listedValues(file, ["results"], context, { rest: addSummary })) {
    const row = rowOf(value, place, context);
    if (row !== undefined) yield row;
  }
}

const DOCUMENT = z.object({ summary: anyField }).register(LEFT_OUT, ["results"]);

function* outputRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  const summaries = new BraintrustSummaries(context);
  for (const { piece, place } of linePieces(file)) {
    // The lines that begin as an object does: all others are words of the tool, or of the evaluation.
    const value = piece.bytes[0] === BYTE.openObject ? lineValue(piece, file, context) : undefined;
    const isOfRun = isJsonObject(value) && isSummary(Object.keys(value));
    if (isOfRun) summaries.add(value, place);
    const row = value === undefined || isOfRun ? undefined : rowOf(value, place, context);
    if (row !== undefined) yield row;
  }
}

function* eventRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  for (const { event, place } of braintrustEvents(file, context)) {
    const row = rowOf(event, place, context, EVENT);
    if (row !== undefined) yield ofService(row, event);
  }
}

const ROW = z
  .object({
    input: anyField,
    expected: anyField,
    output: anyField,
    error: anyField,
    scores: objectField,
    metadata: objectField,
    tags: z.array(z.string()).nullish(),
  })
  .register(LEFT_OUT, ["id", "trialIndex", "datasetRecordId", "origin"]);
/** An event of the service has more, which `ofService` reads. */
const EVENT = ROW.extend({
  id: anyField,
  created: anyField,
  dataset_record_id: anyField,
  metrics: anyField,
}).register(LEFT_OUT, [
  ...["span_id", "root_span_id", "span_parents", "is_root", "span_attributes", "_xact_id", "_pagination_key"],
  ...["project_id", "experiment_id", "origin", "context", "facets", "comments", "audit_data", "span_type_info"],
]);

function rowOf(
  value: JsonValue,
  place: ShapePlace,
  context: FormatContext,
  schema: z.ZodType<z.infer<typeof ROW>> = ROW,
): SourceRow | undefined {
  const row = readShape(schema, value, place, context);
  if (row === undefined) return undefined;
  const error = errorText(row.error);
  return {
    place,
    inputs: row.input,
    expected: row.expected,
    // In Python a row that failed has a null.
    outputs: error !== undefined && row.output === null ? undefined : row.output,
    scores: scoresOf(row.scores ?? {}, row.metadata ?? {}),
    error,
    metadata: metadataOf(row.metadata, { tags: row.tags }),
  };
}

/** A scorer that crashed has no score, and its error stands in the metadata only. */
function scoresOf(scores: JsonObject, metadata: JsonObject): readonly SourceScore[] {
  const crashes = metadata["scorer_errors"];
  const crashed = Object.entries(isJsonObject(crashes) ? crashes : {}).filter(([key]) => !Object.hasOwn(scores, key));
  return [
    ...Object.entries(scores).map(([key, value]) => ({ key, value })),
    ...crashed.map(([key, text]) => ({
      key,
      value: null,
      comment: typeof text === "string" ? text.split("\n", 1)[0] : undefined,
    })),
  ];
}

/** True for the keys of a summary of an experiment, as JavaScript, Python and Go write them. */
function isSummary(keys: readonly string[]): boolean {
  const names = new Set(keys.map(plainName));
  return ["projectname", "experimentname", "scores"].every((name) => names.has(name));
}

/** `experimentName`, `experiment_name` and `ExperimentName` are one name. */
function plainName(key: string): string {
  return key.replaceAll("_", "").toLowerCase();
}

/** With the names of the schema; others stay as they are. */
function withPlainNames(value: JsonObject, schema: z.ZodObject): JsonObject {
  const named = (key: string) => (isKnown(schema, plainName(key)) ? plainName(key) : key);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [named(key), part]));
}

const SUMMARY = z
  .object({
    projectname: textField,
    experimentname: textField,
    projecturl: textField,
    experimenturl: textField,
    comparisonexperimentname: textField,
    scores: objectField,
    metrics: objectField,
  })
  .register(LEFT_OUT, ["projectid", "experimentid"]);

const SCORE = z.object({ score: anyField }).register(LEFT_OUT, ["name", "diff", "improvements", "regressions"]);

/** Takes the summaries of a file, one for each experiment that the tool ran. */
class BraintrustSummaries {
  readonly #context: FormatContext;
  readonly #scores: SourceScore[] = [];
  #names = new Set<string>();

  constructor(context: FormatContext) {
    this.#context = context;
  }

  /** Reads a summary, and reports its errors. */
  add(value: JsonValue, place: ShapePlace): void {
    const summary = readShape(
      SUMMARY,
      isJsonObject(value) ? withPlainNames(value, SUMMARY) : value,
      place,
      this.#context,
    );
    if (summary === undefined) return;
    for (const [key, score] of Object.entries(summary.scores ?? {})) {
      const path = [...(place.path === undefined ? [] : [place.path]), "scores"].join(".");
      const read = readShape(
        SCORE,
        isJsonObject(score) ? withPlainNames(score, SCORE) : score,
        { ...place, path },
        this.#context,
      );
      if (read !== undefined) this.#scores.push({ key, value: read.score });
    }
    this.#name(summary.experimentname ?? "", place);
    this.#context.describeRun({
      summaryScores: this.#scores,
      metadata: metadataOf(undefined, {
        experiment: summary.experimentname,
        project: summary.projectname,
        project_url: summary.projecturl,
        experiment_url: summary.experimenturl,
        comparison_experiment: summary.comparisonexperimentname,
        metrics: summary.metrics,
      }),
    });
  }

  #name(name: string, { file }: ShapePlace): void {
    const before = this.#names.size;
    this.#names.add(name);
    if (before !== 1 || this.#names.size !== 2) return;
    this.#context.warn(`${file} has the summaries of several experiments, which are merged into one.`);
  }
}
