import type { ResultFormat, FormatContext } from "./shared/format.ts";
import { documentRest, listedPieces, parsedPiece } from "./shared/listed-values.ts";
import { linePieces, lineRecord } from "./shared/json-records.ts";
import * as z from "zod";
import { DataFileError, placeText } from "../../files/json/errors.ts";
import { splitJsonLines } from "../../files/json/line-split.ts";
import { parseJsonValue } from "../../files/json/parsed-value.ts";
import { type JsonValue, ExactNumber, receivedValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRun, SourceRow, SourceScore } from "../rows/source-row.ts";
import { textField, anyField, objectField, readShape, type ShapePlace } from "./shared/shape.ts";
import { checkFeedback } from "../../contract/experiment-rules.ts";
import { isJsonObject } from "../../files/json-object.ts";
import type { JsonPiece } from "../../files/json/array-split.ts";
import { readVerbatim, type VerbatimRow } from "../rows/verbatim-row.ts";
import { quotedName } from "../../text/quoted.ts";

/** The body of an upload as the service takes it. */
export const native: ResultFormat = {
  name: "native",
  detect: ({ json }) => {
    if (json?.kind !== "object") return false;
    const row = json.keysAt(["results"]);
    const has = (key: string) => json.topKeys.includes(key);
    if (isNativeRow(row)) return true;
    // Behind a long list nothing is seen any more, and before one perhaps no row yet: then no key of a row is a sign.
    const mayBeRow = row.length === 0 || (row.includes("inputs") && row.every((key) => ROW_FIELDS.has(key)));
    return (has("results") && NAMES.some(has) && mayBeRow) || (RUN_SIGNS.some(has) && !has("type"));
  },
  run: (file, describeRun) => {
    describeRun(nativeDataset(documentRest(file, ["results"])));
  },
  rows: function* (file, context) {
    const reader = new NativeReader(context);
    const whole = { file: file.name };
    const rest = (document: Parameters<NativeReader["run"]>[0]) => {
      reader.run(document, whole);
    };
    for (const { piece, place } of listedPieces(file, ["results"], { rest })) {
      const row = reader.verbatim(piece, place) ?? reader.row(parsedPiece(piece, place, context), place);
      if (row) yield row;
    }
  },
};

// experiment_metadata alone is not a sign: pydantic-evals has it, too.
const RUN_SIGNS = ["experiment_start_time", "experiment_end_time", "summary_experiment_scores"];
const NAMES = ["experiment_name", "dataset_name", "dataset_id"];

/** One row of an upload a line; a line `{"type":"experiment", …}` has the fields of the experiment. */
export const nativeJsonl: ResultFormat = {
  name: "native-jsonl",
  detect: ({ json, text }) => {
    const isLine = json?.kind === "lines" || (json?.kind === "object" && !text.trimEnd().includes("\n"));
    if (!json || !isLine || json.topKeys.includes("results")) return false;
    const has = (key: string) => json.topKeys.includes(key);
    return isNativeRow(json.topKeys) || (has("type") && (has("experiment_name") || has("experiment_start_time")));
  },
  run: (file, describeRun) => {
    describeRun(nativeDataset(firstLine(file)));
  },
  rows: function* (file, context) {
    const reader = new NativeReader(context);
    for (const line of linePieces(file)) {
      const verbatim = reader.verbatim(line.piece, line.place);
      const record = verbatim ? undefined : lineRecord(line, file, context);
      if (record?.["type"] === "experiment") reader.run(record, line.place);
      else {
        const row = verbatim ?? reader.row(record, line.place);
        if (row) yield row;
      }
    }
  },
};

const Dataset = z.looseObject({ dataset_id: textField, dataset_name: textField });

/** The dataset of an experiment without its rows; reading the rows reports what is wrong with the document. */
function nativeDataset(document: JsonValue | undefined): SourceRun {
  const parsed = Dataset.safeParse(document);
  if (!parsed.success) return {};
  const { dataset_id: id, dataset_name: name } = parsed.data;
  return { ...(id == null ? {} : { datasetId: id }), ...(name == null ? {} : { datasetName: name }) };
}

/** The first value of a file of JSON lines, which may describe the experiment; undefined if it cannot be read. */
function firstLine(file: ResultFile): JsonValue | undefined {
  try {
    for (const { bytes, line } of splitJsonLines(file.bytes)) return parseJsonValue(bytes, { file: file.name, line });
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
  }
  return undefined;
}

const Score = z.looseObject({ key: z.string(), score: anyField, comment: textField });
const scores = z.array(Score).nullish();

/** A row as the service takes it. */
const NativeRow = z.looseObject({
  row_id: z.custom<string | number | ExactNumber>(isId, { error: "a text" }).nullish(),
  inputs: anyField,
  expected_outputs: anyField,
  actual_outputs: anyField,
  evaluation_scores: scores,
  start_time: anyField,
  end_time: anyField,
  run_name: textField,
  error: textField,
  run_metadata: objectField,
});

/** The fields of an experiment as the service takes them, without its rows. */
const NativeRun = z.looseObject({
  experiment_name: textField,
  experiment_description: textField,
  experiment_start_time: anyField,
  experiment_end_time: anyField,
  dataset_id: textField,
  dataset_name: textField,
  dataset_description: textField,
  experiment_metadata: objectField,
  summary_experiment_scores: scores,
});

const ROW_FIELDS = new Set(Object.keys(NativeRow.shape));
// `type` marks the line of an experiment among rows.
const RUN_FIELDS = new Set([...Object.keys(NativeRun.shape), "results", "type"]);
const MORE_FIELDS = new Set(["value", "feedback_source", "feedback_config", "correction", "created_at", "modified_at"]);
const SCORE_FIELDS = new Set([...Object.keys(Score.shape), ...MORE_FIELDS]);
const TIMES = { start: "experiment_start_time", end: "experiment_end_time" };
const SUMMARY = "summary_experiment_scores";
const MOST_UNKNOWN = 10;

function isId(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || value instanceof ExactNumber;
}

/**
 * True for the keys of rows that are of this form: rows of any tool may share names with it, and what has another name
 * is a score of theirs, and would be lost here.
 */
function isNativeRow(keys: readonly string[]): boolean {
  if (!keys.includes("inputs")) return false;
  return keys.includes("evaluation_scores") || (keys.includes("row_id") && keys.every((key) => ROW_FIELDS.has(key)));
}

/**
 * Reads rows and experiments in the form of an upload; remembers which fields it does not know, to warn once of each.
 */
export class NativeReader {
  readonly #context: FormatContext;
  readonly #unknown = new Set<string>();

  constructor(context: FormatContext) {
    this.#context = context;
  }

  /** A row that can be sent as it stands, where that is wanted. */
  verbatim({ bytes }: JsonPiece, place: ShapePlace): VerbatimRow | undefined {
    return this.#context.takesVerbatim ? readVerbatim(bytes, place) : undefined;
  }

  /** Reads a row; undefined after an error, which is reported, and for an undefined value. */
  row(value: JsonValue | undefined, place: ShapePlace): SourceRow | undefined {
    if (value === undefined) return undefined;
    const row = readShape(NativeRow, value, place, this.#context);
    if (!row) return undefined;
    this.#look(value, ROW_FIELDS, place, ["of a row"]);
    const scored = this.#scores(row.evaluation_scores ?? [], place, "evaluation_scores");
    if (!scored) return undefined;
    const id = row.row_id instanceof ExactNumber ? row.row_id.text : row.row_id;
    return {
      place,
      id: id ?? undefined,
      inputs: row.inputs ?? undefined,
      expected: row.expected_outputs ?? undefined,
      outputs: row.actual_outputs ?? undefined,
      scores: scored,
      times: { start: row.start_time, end: row.end_time },
      error: row.error ?? undefined,
      runName: row.run_name ?? undefined,
      metadata: row.run_metadata ?? undefined,
    };
  }

  /** Reads what stands beside the rows. */
  run(value: JsonValue, place: ShapePlace): void {
    const run = readShape(NativeRun, value, place, this.#context);
    if (!run) return;
    this.#look(value, RUN_FIELDS, place, ["of the experiment"]);
    const [start, end] = [run.experiment_start_time ?? undefined, run.experiment_end_time ?? undefined];
    const summary = run.summary_experiment_scores;
    this.#context.describeRun({
      name: run.experiment_name ?? undefined,
      description: run.experiment_description ?? undefined,
      times: start === undefined && end === undefined ? undefined : { start, end, fields: TIMES },
      datasetId: run.dataset_id ?? undefined,
      datasetName: run.dataset_name ?? undefined,
      datasetDescription: run.dataset_description ?? undefined,
      metadata: run.experiment_metadata ?? undefined,
      summaryScores: summary == null ? undefined : this.#scores(summary, place, SUMMARY),
    });
  }

  #scores(
    values: readonly z.infer<typeof Score>[],
    place: ShapePlace,
    field: string,
  ): readonly SourceScore[] | undefined {
    const read: SourceScore[] = [];
    let isFaulty = false;
    for (const [index, { key, score, comment, ...others }] of values.entries()) {
      this.#look(others, SCORE_FIELDS, place, ["of a score", field]);
      const more = Object.fromEntries(Object.entries(others).filter(isMore));
      const hasMore = Object.keys(more).length > 0;
      const { faults } = checkFeedback(hasMore ? receivedValue({ key, ...more }) : { key });
      isFaulty ||= faults.length > 0;
      for (const { loc, msg } of faults) {
        const path = place.path === undefined ? [] : [place.path];
        this.#context.fault(place, `\`${[...path, field, index, ...loc].join(".")}\`: ${msg}`);
      }
      read.push({ key, value: score, comment: comment ?? undefined, ...(hasMore ? { more } : {}) });
    }
    return isFaulty ? undefined : read;
  }

  /** A field that is misspelt would be lost without a word. */
  #look(
    value: unknown,
    known: ReadonlySet<string>,
    place: ShapePlace,
    [whose, field = ""]: readonly [string, string?],
  ): void {
    if (!isJsonObject(value)) return;
    for (const name of Object.keys(value)) {
      if (known.has(name) || this.#unknown.has(name) || this.#unknown.size >= MOST_UNKNOWN) continue;
      this.#unknown.add(name);
      this.#context.ledger.note(name, value[name], undefined, { path: field });
      this.#context.warn(`${placeText(place)}: the field ${quotedName(name)} ${whose} is unknown and is not sent.`);
    }
  }
}

function isMore(entry: [string, unknown]): entry is [string, JsonValue] {
  return MORE_FIELDS.has(entry[0]) && entry[1] !== null && entry[1] !== undefined;
}
