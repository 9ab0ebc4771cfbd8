import type { ResultFormat, FormatContext } from "./shared/format.ts";
import { documentRest, listedPieces, parsedPiece } from "./shared/listed-values.ts";
import { linePieces, lineRecord } from "./shared/json-records.ts";
import { placeText } from "../../files/json/errors.ts";
import { splitJsonLines } from "../../files/json/line-split.ts";
import { parseJsonValue } from "../../files/json/parsed-value.ts";
import { type JsonValue, receivedValue } from "../../files/json/value.ts";
import { trialFacts, type SourceRun, type SourceRow, type SourceScore } from "../rows/source-row.ts";
import { setFields } from "../../contract/set-fields.ts";
import { Fields } from "./shared/fields.ts";
import type { ValuePlace } from "./shared/ledger.ts";
import { checkFeedback } from "../../contract/experiment-rules.ts";
import type { JsonPiece } from "../../files/json/array-split.ts";
import { readVerbatim, type VerbatimRow } from "../rows/verbatim-row.ts";
import { quotedName } from "../../text/quoted.ts";

/** The body of an upload as the service takes it. */
export const native: ResultFormat = {
  detect: ({ json }) => {
    if (json.kind !== "object") return false;
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
      const verbatim = reader.verbatim(piece, place);
      if (verbatim) yield verbatim;
      else yield* reader.rows(parsedPiece(piece, place, context), place);
    }
  },
};

// experiment_metadata alone is not a sign: pydantic-evals has it, too.
const RUN_SIGNS = ["experiment_start_time", "experiment_end_time", "summary_experiment_scores"];
const NAMES = ["experiment_name", "dataset_name", "dataset_id"];

/** One row of an upload a line; a line `{"type":"experiment", …}` has the fields of the experiment. */
export const nativeJsonl: ResultFormat = {
  detect: ({ json, text }) => {
    const isLine = json.kind === "lines" || (json.kind === "object" && !text.trimEnd().includes("\n"));
    if (!isLine || json.topKeys.includes("results")) return false;
    const has = (key: string) => json.topKeys.includes(key);
    return isNativeRow(json.topKeys) || (has("type") && EXPERIMENT_SIGNS.some(has));
  },
  run: (file, describeRun) => {
    const [first] = splitJsonLines(file.bytes);
    if (first) describeRun(nativeDataset(parseJsonValue(first.bytes, { file: file.name, line: first.line })));
  },
  rows: function* (file, context) {
    const reader = new NativeReader(context);
    for (const line of linePieces(file)) {
      const verbatim = reader.verbatim(line.piece, line.place);
      const record = verbatim ? undefined : lineRecord(line, file, context);
      if (verbatim) yield verbatim;
      else if (record?.["type"] === "experiment") reader.run(record, line.place);
      else yield* reader.rows(record, line.place);
    }
  },
};

// Beside `type`: where no row has scores, that there are ids of rows.
const EXPERIMENT_SIGNS = ["experiment_name", "experiment_start_time", "row_id"];

/** The dataset of an experiment without its rows; reading the rows reports what is wrong with the document. */
function nativeDataset(document: JsonValue | undefined): SourceRun {
  const run = Fields.quiet(document);
  const [id, name] = [run.text("dataset_id"), run.text("dataset_name")];
  return run.isSound ? { datasetId: id, datasetName: name } : {};
}

const ROW_FIELDS = new Set([
  ...["row_id", "inputs", "expected_outputs", "actual_outputs", "evaluation_scores", "start_time", "end_time"],
  ...["run_name", "error", "run_metadata"],
]);
const MORE_FIELDS = ["value", "feedback_source", "feedback_config", "correction", "created_at", "modified_at"];
const TIMES = { start: "experiment_start_time", end: "experiment_end_time" };
const SCORES = "evaluation_scores";
const SUMMARY = "summary_experiment_scores";
const MOST_UNKNOWN = 10;

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
  verbatim({ bytes }: JsonPiece, place: ValuePlace): VerbatimRow | undefined {
    return this.#context.takesVerbatim ? readVerbatim(bytes, place) : undefined;
  }

  /** Reads a row; none after an error, which is reported, and for an undefined value. */
  rows(value: JsonValue | undefined, place: ValuePlace): readonly SourceRow[] {
    if (value === undefined) return [];
    const row = Fields.of(value, place, this.#context);
    const found = {
      place,
      id: row.id("row_id"),
      inputs: row.given("inputs"),
      expected: row.given("expected_outputs"),
      outputs: row.given("actual_outputs"),
      times: { start: row.value("start_time"), end: row.value("end_time") },
      error: row.text("error"),
      runName: row.text("run_name"),
      metadata: row.record("run_metadata"),
    };
    const read = readScores(row, SCORES);
    if (!row.isSound) return [];
    this.#warnOfOthers(row, place, ["of a row"]);
    const scores = this.#checked(read, place, SCORES);
    return scores ? [{ ...found, ...trialFacts(found.metadata ?? {}), scores }] : [];
  }

  /** Reads what stands beside the rows. */
  run(value: JsonValue, place: ValuePlace): void {
    const run = Fields.of(value, place, this.#context);
    // `type` marks the line of an experiment among rows.
    for (const key of ["results", "type"]) run.value(key);
    const [start, end] = [run.given("experiment_start_time"), run.given("experiment_end_time")];
    const said = {
      name: run.text("experiment_name"),
      description: run.text("experiment_description"),
      times: start === undefined && end === undefined ? undefined : { start, end, fields: TIMES },
      datasetId: run.text("dataset_id"),
      datasetName: run.text("dataset_name"),
      datasetDescription: run.text("dataset_description"),
      metadata: run.record("experiment_metadata"),
    };
    const read = readScores(run, SUMMARY);
    if (!run.isSound) return;
    this.#warnOfOthers(run, place, ["of the experiment"]);
    const summaryScores = run.given(SUMMARY) === undefined ? undefined : this.#checked(read, place, SUMMARY);
    this.#context.describeRun({ ...said, summaryScores });
  }

  /** Undefined after an error. */
  #checked(read: readonly ReadScore[], place: ValuePlace, field: string): readonly SourceScore[] | undefined {
    const scores: SourceScore[] = [];
    let isFaulty = false;
    for (const [index, { fields, more, ...said }] of read.entries()) {
      this.#warnOfOthers(fields, place, ["of a score", field]);
      const hasMore = Object.keys(more).length > 0;
      const { faults } = checkFeedback(hasMore ? receivedValue({ key: said.key, ...more }) : { key: said.key });
      isFaulty ||= faults.length > 0;
      for (const { loc, msg } of faults) {
        const path = place.path === undefined ? [] : [place.path];
        this.#context.fault(place, `\`${[...path, field, index, ...loc].join(".")}\`: ${msg}`);
      }
      scores.push(hasMore ? { ...said, more } : said);
    }
    return isFaulty ? undefined : scores;
  }

  /** A field that is misspelt would be lost without a word. */
  #warnOfOthers(fields: Fields, place: ValuePlace, [whose, field = ""]: readonly [string, string?]): void {
    for (const [name, value] of fields.others) {
      if (this.#unknown.has(name) || this.#unknown.size >= MOST_UNKNOWN) continue;
      this.#unknown.add(name);
      this.#context.ledger.note(name, value, undefined, { path: field });
      this.#context.warn(`${placeText(place)}: the field ${quotedName(name)} ${whose} is unknown and is not sent.`);
    }
  }
}

type ReadScore = ReturnType<typeof readScores>[number];

function readScores(of: Fields, key: string) {
  return of.list(key).map((fields) => {
    const more = setFields(Object.fromEntries(MORE_FIELDS.map((name) => [name, fields.given(name)])));
    return { fields, key: fields.someText("key"), value: fields.value("score"), comment: fields.text("comment"), more };
  });
}
