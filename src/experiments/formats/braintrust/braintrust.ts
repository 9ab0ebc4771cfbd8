import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../../files/json/value.ts";
import { BYTE } from "../../../files/json/bytes.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun, SourceScore } from "../../rows/source-row.ts";
import { braintrustEvents, hasBraintrustEvents, ofService } from "./events.ts";
import { jsonOrUndefined } from "../../../text/json-text.ts";
import { errorText, factsOf, metadataOf } from "../shared/tool-values.ts";
import { linePieces, lineValue } from "../shared/json-records.ts";
import { listedFields } from "../shared/listed-values.ts";
import { Fields } from "../shared/fields.ts";
import type { LeftOut, ValuePlace } from "../shared/ledger.ts";

/**
 * What `Eval()` of braintrust gives, as JSON, what `braintrust eval --jsonl` prints (3.35), and the events of an
 * experiment in the service, as its page and its API give them.
 */
export const braintrust: ResultFormat = {
  tool: "braintrust",
  detect: (file) => isDocument(file) || isOutput(file) || hasBraintrustEvents(file),
  rows: (file, context) => {
    if (hasBraintrustEvents(file)) return eventRows(file, context);
    return isDocument(file) ? documentRows(file, context) : outputRows(file, context);
  },
};

function isDocument({ json }: ResultFile): boolean {
  if (json.kind !== "object" || !json.topKeys.includes("results")) return false;
  return isSummary(json.keysAt(["summary"]));
}

const BEGINNING = "Running evaluator ";

/** Texts, errored rows and summaries, one a line; the summaries come last. */
function isOutput({ json, text }: ResultFile): boolean {
  if (isSummary(json.topKeys)) return true;
  const lines = text.split("\n");
  if (lines.some((line) => line.startsWith(BEGINNING)) && lines.some((line) => line.startsWith("{"))) return true;
  return lines.some((line) => {
    const value = line.startsWith("{") && /"experiment_?name"/i.test(line) ? jsonOrUndefined(line) : undefined;
    return isJsonObject(value) && isSummary(Object.keys(value));
  });
}

function* documentRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const runOfSummary = summaryReader(context);
  const runOf = (document: Fields) => {
    const summary = document.value("summary");
    return summary === undefined ? {} : runOfSummary(summary, { file: file.name, path: "summary" });
  };
  const rows = listedFields(file, context, { path: ["results"], leftOut: LEFT_OUT_OF_ROW, runOf });
  for (const row of rows) yield* row.checked(rowOf(row));
}

function* outputRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const runOfSummary = summaryReader(context);
  for (const { piece, place } of linePieces(file)) {
    // The lines that begin as an object does: all others are words of the tool, or of the evaluation.
    const value = piece.bytes[0] === BYTE.openObject ? lineValue(piece, file, context) : undefined;
    if (isJsonObject(value) && isSummary(Object.keys(value))) context.describeRun(runOfSummary(value, place));
    else if (value !== undefined) {
      const row = Fields.of(value, place, context, LEFT_OUT_OF_ROW);
      yield* row.checked(rowOf(row));
    }
  }
}

function* eventRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  for (const { event, place } of braintrustEvents(file, context)) {
    const row = Fields.of(event, place, context, LEFT_OUT_OF_EVENT);
    yield* row.checked(ofService(rowOf(row), row));
  }
}

const LEFT_OUT_OF_ROW = ["id", "trialIndex", "datasetRecordId", "origin"];
const LEFT_OUT_OF_EVENT = [
  ...["span_id", "root_span_id", "span_parents", "is_root", "span_attributes", "_xact_id", "_pagination_key"],
  ...["project_id", "experiment_id", "origin", "context", "facets", "comments", "audit_data", "span_type_info"],
];

function rowOf(row: Fields): SourceRow {
  const [error, output, metadata] = [errorText(row.value("error")), row.value("output"), row.record("metadata")];
  return {
    place: row.place,
    inputs: row.value("input"),
    expected: row.value("expected"),
    // In Python a row that failed has a null.
    outputs: error !== undefined && output === null ? undefined : output,
    scores: scoresOf(row.record("scores") ?? {}, metadata ?? {}),
    error,
    metadata: metadataOf(metadata, { tags: row.texts("tags") }),
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

function keysLeftOut(...names: readonly string[]): LeftOut {
  return { has: (key) => names.includes(plainName(key)) };
}

const LEFT_OUT_OF_SUMMARY = keysLeftOut("projectid", "experimentid");
const LEFT_OUT_OF_SCORE = keysLeftOut("name", "diff", "improvements", "regressions");

/** Reads the summaries of a file, one for each experiment that the tool ran: each tells all up to then of the run. */
function summaryReader(context: FormatContext): (value: JsonValue, place: ValuePlace) => SourceRun {
  const summaryScores: SourceScore[] = [];
  const names = new Set<string>();
  return (value, place) => {
    const summary = Fields.of(value, place, context, LEFT_OUT_OF_SUMMARY);
    const keys = Object.keys(objectIn(value));
    const keyOf = (name: string) => keys.find((key) => plainName(key) === name) ?? name;
    const experiment = summary.text(keyOf("experimentname"));
    const scores = summary.entries(keyOf("scores"), LEFT_OUT_OF_SCORE, (score, key) => {
      const [own, ofGo] = [score.value("score"), score.value("Score")];
      return { key, value: own === undefined ? ofGo : own };
    });
    const metadata = factsOf({
      experiment,
      project: summary.text(keyOf("projectname")),
      project_url: summary.text(keyOf("projecturl")),
      experiment_url: summary.text(keyOf("experimenturl")),
      comparison_experiment: summary.text(keyOf("comparisonexperimentname")),
      metrics: summary.record(keyOf("metrics")),
    });
    if (!summary.end()) return {};
    summaryScores.push(...scores);
    const before = names.size;
    names.add(experiment ?? "");
    if (before === 1 && names.size === 2) {
      context.warn(`${place.file} has the summaries of several experiments, which are merged into one.`);
    }
    return { summaryScores, metadata };
  };
}
