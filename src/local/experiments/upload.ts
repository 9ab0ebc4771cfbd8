import { isRecord } from "../../contract/call-arguments.ts";
import type * as z from "zod";
import { ExperimentHead, Feedback, ExperimentRow, FeedbackConfig } from "../../contract/experiment.ts";
import { checkHead, checkRow, ENDS_BEFORE_START, outsideWindow, windowOf } from "../../contract/experiment-rules.ts";
import type { ExperimentWindow } from "../../contract/experiment-rules.ts";
import { parseInstant } from "../../contract/instant.ts";
import { jsonOrUndefined } from "../../text/json-text.ts";
import type { ValidationError } from "../../contract/validation-error.ts";
import { atomically, type Database } from "../state/database.ts";
import { ExperimentBody, invalidJson } from "./body.ts";
import type { ExperimentRows, NewRow } from "./rows.ts";
import { FeedbackTally, type ExperimentStatistics } from "./statistics.ts";
import { membersOf } from "../http/raw-json.ts";
import { extraFields, invalid } from "../http/error.ts";

export interface UploadSettings {
  readonly database: Database;
  readonly rows: ExperimentRows;
  /** Identifies its rows. */
  readonly upload: number;
  /** Also accept what public clients send beyond the contract. */
  readonly compat: boolean;
}

// After so many errors the upload is rejected; the rest is neither read nor checked.
const MAX_ERRORS = 100;

/** An upload in progress. Its rows go to the database at once, so that they do not fill the memory. */
export class ExperimentUpload {
  readonly #settings: UploadSettings;
  readonly #body = new ExperimentBody((text, index) => {
    this.#readRow(text, index);
  });
  readonly #scores = new FeedbackTally();
  readonly #errors: ValidationError[] = [];
  #batch: NewRow[] = [];

  constructor(settings: UploadSettings) {
    this.#settings = settings;
  }

  /**
   * Reads the next bytes; 422 after a hundred errors. Each call is one transaction: a single one would block, or roll
   * back, what other requests write.
   */
  feed(chunk: Buffer): void {
    const { database, rows, upload } = this.#settings;
    this.#body.feed(chunk);
    if (this.#batch.length === 0) return;
    atomically(database, () => {
      for (const row of this.#batch) rows.insert(upload, row);
    });
    this.#batch = [];
  }

  /** Call it at the end of the body. 422 with all errors, except for conflicts with other experiments. */
  finish() {
    const { upload } = this.#settings;
    const text = this.#body.finish();
    const head = this.#readHead(text);
    const window = head && windowOf(head);
    if (window) this.#checkTimes(window);
    if (!head || !window || this.#errors.length > 0) throw invalid(this.#errors);
    const members = membersOf(text);
    const summary = new FeedbackTally();
    summary.add(head.summary_experiment_scores);
    return {
      upload,
      head,
      window,
      metadata: head.experiment_metadata ? (members.get("experiment_metadata") ?? null) : null,
      summaryScores: head.summary_experiment_scores ? (members.get("summary_experiment_scores") ?? null) : null,
      statistics: this.#statistics(summary),
    };
  }

  #readRow(text: string, index: number): void {
    const place = ["results", index] as const;
    const json = parse(text, place);
    const { compat } = this.#settings;
    const { value, faults: errors } = checkRow(compat ? withFeedback(json, "evaluation_scores") : json);
    this.#note(errors, place);
    if (!compat) this.#note([...extraFields(json, ROW, []), ...unknownInFeedback(json, "evaluation_scores")], place);
    const start = parseInstant(value?.start_time ?? "");
    const end = parseInstant(value?.end_time ?? "");
    if (!value || !start || !end) return;
    // Stored nevertheless: its times are compared with the window at the end, and one answer has all errors.
    if (end.microseconds < start.microseconds) this.#note([ENDS_BEFORE_START], place);
    this.#scores.add(value.evaluation_scores);
    this.#batch.push({
      position: index,
      rowId: value.row_id.toLowerCase(),
      start: start.microseconds,
      end: end.microseconds,
      failed: value.error !== undefined && value.error !== "",
      json: text,
    });
  }

  #readHead(text: string): ExperimentHead | undefined {
    const json = parse(text, []);
    const { compat } = this.#settings;
    // Translates what public clients send beyond the contract: null for absent values, true and false for 1 and 0.
    const { value, faults: errors } = checkHead(compat ? withFeedback(json, "summary_experiment_scores") : json);
    const results = isRecord(json) ? json["results"] : [];
    if (results === undefined) this.#note([{ loc: ["results"], msg: "Field required", type: "missing" }]);
    else if (!Array.isArray(results)) {
      this.#note([{ loc: ["results"], msg: "Input should be a valid list", type: "list_type" }]);
    }
    this.#note(errors);
    if (!compat) this.#note([...extraFields(json, HEAD, []), ...unknownInFeedback(json, "summary_experiment_scores")]);
    return value;
  }

  #checkTimes(window: ExperimentWindow): void {
    const { rows, upload } = this.#settings;
    for (const { position, start, end } of rows.outside(upload, window, MAX_ERRORS)) {
      if (start) this.#note([outsideWindow("start_time", window)], ["results", position]);
      if (end) this.#note([outsideWindow("end_time", window)], ["results", position]);
    }
  }

  #note(errors: readonly ValidationError[], place: readonly (string | number)[] = []): void {
    for (const { loc, ...rest } of errors) {
      this.#errors.push({ loc: ["body", ...place, ...loc], ...rest });
      if (this.#errors.length < MAX_ERRORS) continue;
      const msg = `Only the first ${String(MAX_ERRORS)} errors are listed; the rest of the request was not checked`;
      throw invalid([...this.#errors, { loc: ["body"], msg, type: "too_many_errors" }]);
    }
  }

  #statistics(summary: FeedbackTally): ExperimentStatistics {
    const { rows, upload } = this.#settings;
    const { count, failed, lastStart } = rows.summary(upload);
    return {
      run_count: count,
      latency_p50: rows.latency(upload, 0.5, count),
      latency_p99: rows.latency(upload, 0.99, count),
      error_rate: count === 0 ? null : failed / count,
      // An uploaded run was not streamed.
      streaming_rate: count === 0 ? null : 0,
      last_run_start_time: lastStart,
      feedback_stats: this.#scores.result(),
      session_feedback_stats: summary.result(),
    };
  }
}

function parse(text: string, place: readonly (string | number)[]): unknown {
  const json = jsonOrUndefined(text);
  if (json === undefined) throw invalidJson(place);
  return json;
}

type JsonObject = Readonly<Record<string, unknown>>;

const namesOf = (schema: z.ZodObject): ReadonlySet<string> => new Set(Object.keys(schema.shape));
const HEAD = new Set([...namesOf(ExperimentHead), "results"]);
const ROW = namesOf(ExperimentRow);
const FEEDBACK = namesOf(Feedback);
const CONFIG = namesOf(FeedbackConfig);

function unknownInFeedback(owner: unknown, field: string): readonly ValidationError[] {
  const list = isRecord(owner) ? owner[field] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((feedback: unknown, index) => [
    ...extraFields(feedback, FEEDBACK, [field, index]),
    ...(isRecord(feedback) ? extraFields(feedback["feedback_config"], CONFIG, [field, index, "feedback_config"]) : []),
  ]);
}

function withFeedback(owner: unknown, field: string): unknown {
  if (!isRecord(owner)) return owner;
  const list = owner[field];
  return withoutNulls(Array.isArray(list) ? { ...owner, [field]: list.map(lenientFeedback) } : owner);
}

function lenientFeedback(feedback: unknown): unknown {
  if (!isRecord(feedback)) return feedback;
  const { score, feedback_config: config } = feedback;
  return withoutNulls({
    ...feedback,
    score: typeof score === "boolean" ? Number(score) : (score ?? null),
    feedback_config: isRecord(config) ? withoutNulls(config) : (config ?? null),
  });
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}
