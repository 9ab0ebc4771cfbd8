import { isMeasurement } from "../../contract/trial-outcome.ts";
import type { TakenRow } from "../../experiments/reading/row-reader.ts";
import type { RowScore } from "../../experiments/reading/score-tally.ts";
import { isCaseId, isRowId } from "../../experiments/rows/identity.ts";
import type { SourceRow } from "../../experiments/rows/source-row.ts";
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue, objectIn } from "../../files/json/value.ts";
import { tokensOf } from "../../files/token-usage.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import type { Range } from "../../statistics/mean.ts";
import { canonicalJson } from "../../text/canonical-json.ts";
import { cut } from "../../text/foreign-text.ts";
import { CaseTable, digestOf } from "./case-table.ts";
import { COST, LATENCY, TOKENS } from "./case-set.ts";
import { RowEvaluator } from "./evaluator.ts";
import { widest } from "./metric-facts.ts";
import { scoreKey } from "./metric-key.ts";
import { rangeOf } from "./run-of-cases.ts";
import { newScale, takeScore, type ScoreScale } from "./score-scale.ts";

export class RowCases {
  readonly table = new CaseTable();
  /** Ranges that rows declare of their scores. */
  readonly ranges = new Map<string, Range>();
  readonly reversed: FilePlace[] = [];
  /** The last end of a row, microseconds since the epoch. */
  lastEnd: bigint | undefined;
  readonly files = new Map<string, RowsOfFile>();
  /** False where a row does not state which repetition of its case it is. */
  areRepetitionsStated = true;
  readonly #keepsTexts: boolean;

  constructor({ keepsTexts }: { readonly keepsTexts: boolean }) {
    this.#keepsTexts = keepsTexts;
  }

  readonly take = (row: TakenRow): void => {
    const { source, inputs, expected, scores, caseKey: key } = row;
    const ofFile = this.#fileOf(source.place.file);
    for (const score of scores) this.#noteRange(score, ofFile);
    if (source.metadata) ofFile.evaluator.take(source.metadata);
    if (source.repetition === undefined) this.areRepetitionsStated = false;
    const { error = "", id, name, outcome = "answered" } = source;
    const isMeasured = isMeasurement(outcome);
    const stated = source.metadata?.["case_id"];
    // A row that brings a UUID of its own names its case in its metadata.
    const named = isCaseId(stated) && (id === undefined || isRowId(id)) ? stated : id;
    const isOnlyKey = named === undefined || String(named).toLowerCase() === key;
    const outputs = source.outputs ?? undefined;
    this.table.add({
      key,
      name: name ?? (isOnlyKey ? undefined : String(named)),
      digest: digestOf(canonicalJson({ expected: expected ?? null, inputs })),
      metadata: caseMetadata(source),
      // What a row without a measurement says of a score, a time or an error says nothing of the agent.
      values: isMeasured ? this.#valuesOf(row, ofFile) : [],
      hasError: isMeasured && error !== "",
      start: row.times.start === undefined ? undefined : Number(row.times.start),
      unscored: isMeasured ? unscoredIn(scores) : NO_NAMES,
      unmeasured: isMeasured ? undefined : cut(outcome, LONGEST_OUTCOME),
      place: source.place,
      ...(this.#keepsTexts ? { inputs: plainText(inputs), expected: plainText(expected) } : {}),
      ...(this.#keepsTexts ? { outputs: plainText(outputs), error: error || undefined } : {}),
    });
  };

  get evaluator(): RowEvaluator {
    const all = new RowEvaluator();
    for (const { evaluator } of this.files.values()) all.addAll(evaluator);
    return all;
  }

  #fileOf(file: string): RowsOfFile {
    const known = this.files.get(file);
    if (known) return known;
    const rows = { evaluator: new RowEvaluator(), scales: new Map<string, ScoreScale>() };
    this.files.set(file, rows);
    return rows;
  }

  #noteRange({ key, feedback }: RowScore, { scales }: RowsOfFile): void {
    const config = feedback?.["feedback_config"];
    const range = config === undefined ? undefined : rangeOf(config);
    if (!range) return;
    const metric = scoreKey(key);
    this.ranges.set(metric, widest(this.ranges.get(metric) ?? range, range));
    const scale = scaleIn(scales, metric);
    scale.declared = widest(scale.declared ?? range, range);
  }

  #valuesOf({ source, scores, times }: TakenRow, { scales }: RowsOfFile): ReadonlyMap<string, number> {
    const values = meansOf(scores);
    for (const [metric, value] of values) takeScore(scaleIn(scales, metric), value);
    const { start, end } = times;
    if (end !== undefined && (this.lastEnd === undefined || end > this.lastEnd)) this.lastEnd = end;
    const microseconds = start !== undefined && end !== undefined ? end - start : times.latency;
    if (microseconds !== undefined && microseconds < 0n) this.reversed.push(source.place);
    const { runMilliseconds = microseconds === undefined ? undefined : Number(microseconds) / 1000 } = source;
    if (runMilliseconds !== undefined && runMilliseconds >= 0) values.set(LATENCY, runMilliseconds);
    const { metadata = {} } = source;
    let cost = numberOf(source.cost);
    for (const key of COST_KEYS) if (Object.hasOwn(metadata, key)) cost ??= numberOf(metadata[key]);
    if (cost !== undefined) values.set(COST, cost);
    const tokens = tokensOf(source.usage) ?? tokensOf(metadata["usage"]) ?? tokensOf(metadata["tokenUsage"]);
    if (tokens !== undefined) values.set(TOKENS, tokens);
    return values;
  }
}

/** What the rows of one file say of all of them. */
export interface RowsOfFile {
  readonly evaluator: RowEvaluator;
  readonly scales: Map<string, ScoreScale>;
}

function scaleIn(scales: Map<string, ScoreScale>, metric: string): ScoreScale {
  const known = scales.get(metric) ?? newScale();
  scales.set(metric, known);
  return known;
}

/** The numbers of a row's scores by metric: the mean where several have one name. */
function meansOf(scores: readonly RowScore[]): Map<string, number> {
  const values = new Map<string, number>();
  let counts: Map<string, number> | undefined;
  for (const { key: name, number } of scores) {
    if (number === undefined) continue;
    const key = scoreKey(name);
    const before = values.get(key);
    values.set(key, (before ?? 0) + number);
    if (before === undefined) continue;
    counts ??= new Map();
    counts.set(key, (counts.get(key) ?? 1) + 1);
  }
  for (const [key, count] of counts ?? []) values.set(key, (values.get(key) ?? 0) / count);
  return values;
}

const NO_NAMES: readonly string[] = [];

/** Scores that the row names without a number; an empty cell names none. */
function unscoredIn(scores: readonly RowScore[]): readonly string[] {
  if (scores.every(({ number, isBlank }) => number !== undefined || isBlank === true)) return NO_NAMES;
  const scored = new Set(scores.flatMap(({ key, number }) => (number === undefined ? [] : key)));
  return scores.flatMap(({ key, isBlank }) => (scored.has(key) || isBlank === true ? [] : scoreKey(key)));
}

const COST_KEYS = ["cost", "total_cost", "totalCost", "tokenCost"];

function numberOf(value: JsonValue | undefined): number | undefined {
  const number =
    value instanceof ExactNumber ? value.value : typeof value === "string" ? Number(value || Number.NaN) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

// What is a metric, names the case, or is made up.
const NOT_OF_CASE = new Set([...COST_KEYS, "usage", "tokenUsage", "case_id", "repetition", "timestamp_source"]);
// Of one trial, where an agent was asked: they differ in each run.
const NOT_OF_ASKED_CASE = new Set([
  ...NOT_OF_CASE,
  ...["outcome", "attempts", "in_flight", "queued_ms", "run_ms", "first_token_ms", "run_id", "thread_id", "trace_id"],
  ...["revision_id", "unverified", "id"],
]);
const LONGEST_SCALAR = 200;
const LONGEST_OUTCOME = 80;

/** Where an agent was asked for a row, what the row of its dataset says of the case stands within. */
function caseMetadata({ metadata, outcome }: SourceRow): JsonObject | undefined {
  if (!metadata || outcome === undefined) return metadata && scalarsOf(metadata, NOT_OF_CASE);
  const asked = objectIn(metadata["dataset_row"]);
  return scalarsOf({ ...asked, ...objectIn(asked["metadata"]), ...metadata }, NOT_OF_ASKED_CASE);
}

/** What filters and groups may look at: longer texts are content. */
function scalarsOf(metadata: JsonObject, left: ReadonlySet<string>): JsonObject {
  const isLeft = (key: string) => {
    const value = metadata[key];
    if (left.has(key)) return true;
    if (typeof value === "string") return value.length > LONGEST_SCALAR;
    return typeof value !== "number" && typeof value !== "boolean";
  };
  const keys = Object.keys(metadata);
  // Most rows have nothing else.
  if (!keys.some(isLeft)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !isLeft(key)));
}

// As much as a person compares; more would fill the memory.
const LONGEST_TEXT = 20_000;

/** A part of a row for people: a text that stands alone in it as it is, all else as JSON. */
function plainText(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [only, ...others] = isJsonObject(value) ? Object.values(value) : [value];
  const text = typeof only === "string" && others.length === 0 ? only : JSON.stringify(value, undefined, 2);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` : text;
}
