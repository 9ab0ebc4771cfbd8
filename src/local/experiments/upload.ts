import type { DatabaseSync } from "node:sqlite";
import type { ExperimentHead, Feedback } from "../../contract/experiment.ts";
import {
  checkHead,
  checkRow,
  outsideWindow,
  windowOf,
  type ExperimentWindow,
} from "../../contract/experiment-rules.ts";
import { parseInstant } from "../../contract/instant.ts";
import type { ValidationError } from "../../contract/validation-error.ts";
import { atomically } from "../state/database.ts";
import { ExperimentBody, invalidJson } from "./body.ts";
import { lenientHead, lenientRow, unknownHeadNames, unknownRowNames } from "./request.ts";
import type { ExperimentRows, NewRow } from "./rows.ts";
import { FeedbackTally, type ExperimentStatistics } from "./statistics.ts";
import { membersOf } from "../http/raw-json.ts";
import { invalid } from "../http/error.ts";
import { scoreLabels } from "./row-verdict.ts";

/** What an upload is read with. */
export interface UploadSettings {
  readonly database: DatabaseSync;
  readonly rows: ExperimentRows;
  /** Marks its rows. */
  readonly upload: number;
  /** Also accept what the public clients send and the service does not document. */
  readonly compat: boolean;
}

/** A request that breaks no rule; its rows are stored. */
export interface ReceivedExperiment {
  readonly upload: number;
  readonly head: ExperimentHead;
  readonly window: ExperimentWindow;
  /** The texts of the parts that are anybody's JSON. */
  readonly metadata: string | null;
  readonly summaryScores: string | null;
  readonly statistics: ExperimentStatistics;
}

/** A caller mends these first. With so many an upload is refused: what follows is neither read nor checked. */
const MAX_ERRORS = 100;

/** One upload on its way in: what has come is stored, so that it is not in memory, and belongs to no experiment yet. */
export class ExperimentUpload {
  readonly #settings: UploadSettings;
  readonly #body = new ExperimentBody((text, index) => {
    this.#take(text, index);
  });
  readonly #scores = new FeedbackTally();
  readonly #faults: ValidationError[] = [];
  #batch: NewRow[] = [];

  constructor(settings: UploadSettings) {
    this.#settings = settings;
  }

  /**
   * The next bytes; throws a refusal once they break a hundred rules. Each call is one transaction: one over all of them
   * would hold up, or undo, what others write.
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

  /** All has come. Throws a refusal with the rules that the request breaks, apart from those about other experiments. */
  finish(): ReceivedExperiment {
    const { upload } = this.#settings;
    const text = this.#body.finish();
    const head = this.#readHead(text);
    const window = head === undefined ? undefined : windowOf(head);
    if (window !== undefined) this.#checkTimes(window);
    if (head === undefined || window === undefined || this.#faults.length > 0) throw invalid(this.#faults);
    const members = membersOf(text);
    const summary = new FeedbackTally();
    summary.add(head.summary_experiment_scores);
    return {
      upload,
      head,
      window,
      metadata: head.experiment_metadata === undefined ? null : (members.get("experiment_metadata") ?? null),
      summaryScores:
        head.summary_experiment_scores === undefined ? null : (members.get("summary_experiment_scores") ?? null),
      statistics: this.#statistics(summary),
    };
  }

  /** It is no experiment: what was stored goes away. */
  discard(): void {
    this.#settings.rows.remove(this.#settings.upload);
  }

  #take(text: string, index: number): void {
    const place = ["results", index] as const;
    const json = parse(text, place);
    const { compat } = this.#settings;
    const { value, faults } = checkRow(compat ? lenientRow(json) : json);
    this.#note(faults, place);
    if (!compat) this.#note(unknownRowNames(json), place);
    const start = parseInstant(value?.start_time ?? "");
    const end = parseInstant(value?.end_time ?? "");
    if (value === undefined || start === undefined || end === undefined) return;
    this.#scores.add(value.evaluation_scores);
    this.#batch.push({
      position: index,
      rowId: value.row_id.toLowerCase(),
      start: start.microseconds,
      end: end.microseconds,
      failed: value.error !== undefined && value.error !== "",
      scores: numbersOf(value.evaluation_scores),
      json: text,
    });
  }

  #readHead(text: string): ExperimentHead | undefined {
    const json = parse(text, []);
    const { compat } = this.#settings;
    const { value, faults } = checkHead(compat ? lenientHead(json) : json);
    const results = isObject(json) ? json["results"] : [];
    if (results === undefined) this.#note([{ loc: ["results"], msg: "Field required", type: "missing" }]);
    else if (!Array.isArray(results)) {
      this.#note([{ loc: ["results"], msg: "Input should be a valid list", type: "list_type" }]);
    }
    this.#note(faults);
    if (!compat) this.#note(unknownHeadNames(json));
    return value;
  }

  #checkTimes(window: ExperimentWindow): void {
    const { rows, upload } = this.#settings;
    for (const { position, start, end } of rows.outside(upload, window, MAX_ERRORS)) {
      if (start) this.#note([outsideWindow("start_time", window)], ["results", position]);
      if (end) this.#note([outsideWindow("end_time", window)], ["results", position]);
    }
  }

  #note(faults: readonly ValidationError[], place: readonly (string | number)[] = []): void {
    for (const { loc, ...words } of faults) {
      this.#faults.push({ loc: ["body", ...place, ...loc], ...words });
      if (this.#faults.length < MAX_ERRORS) continue;
      const msg = `Only the first ${String(MAX_ERRORS)} errors are listed; the rest of the request was not checked`;
      throw invalid([...this.#faults, { loc: ["body"], msg, type: "too_many_errors" }]);
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

function numbersOf(feedback: readonly Feedback[] = []): NewRow["scores"] {
  const labels = scoreLabels(feedback.map(({ key }) => key));
  return feedback.flatMap(({ score }, index) => (score === undefined ? [] : [[labels[index] ?? "", score] as const]));
}

function parse(text: string, place: readonly (string | number)[]): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson(place);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
