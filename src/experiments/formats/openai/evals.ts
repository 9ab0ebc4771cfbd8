import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { ExactNumber, isJsonList, type JsonObject, type JsonValue, numberIn } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { jsonLines } from "../shared/json-records.ts";
import { Fields } from "../shared/fields.ts";
import { distinctScores, errorText, factsOf, isScoreValue } from "../shared/tool-values.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";
import { readTime } from "../../../files/source-time.ts";

/** What `oaieval --record_path` writes (3.0): a line for each event, and one each for the run and its report. */
export const openaiEvals: ResultFormat = {
  tool: "openai-evals",
  detect: ({ json }) => {
    const has = (...keys: readonly string[]) => keys.every((key) => json.topKeys.includes(key));
    return json.keysAt(["spec"]).includes("eval_name") || has("run_id", "event_id", "sample_id", "data");
  },
  rows: readRows,
};

/**
 * The samples, in the order of their last events. The file is read twice: first to count the events of each sample, so
 * that then no more samples are held than are open at a time.
 */
function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const left = new Map<string, number>();
  // Errors of a line are reported when it is read again.
  for (const { record } of jsonLines(file, { ...context, fault: () => undefined })) {
    const id = sampleOf(record);
    if (id === undefined) continue;
    const key = keyOf(id, record);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const open = new Map<string, OpenaiSample>();
  for (const { record, place } of jsonLines(file, context)) {
    if (record["spec"] !== undefined || record["final_report"] !== undefined) {
      describe(record, place, context);
      continue;
    }
    const id = sampleOf(record);
    // An event of the run as a whole.
    if (id === undefined) continue;
    const key = keyOf(id, record);
    const sample = open.get(key) ?? new OpenaiSample(id, place);
    open.set(key, sample);
    sample.add(record, place, context);
    const count = (left.get(key) ?? 1) - 1;
    left.set(key, count);
    if (count > 0) continue;
    open.delete(key);
    left.delete(key);
    yield sample.row();
  }
}

function sampleOf({ sample_id: id }: JsonObject): string | undefined {
  if (typeof id === "string") return id;
  if (id instanceof ExactNumber) return id.text;
  return typeof id === "number" ? String(id) : undefined;
}

/** Two runs in one file have the same samples. */
function keyOf(sample: string, { run_id: run }: JsonObject): string {
  return typeof run === "string" ? `${run} ${sample}` : sample;
}

const OF_ALL_EVENTS = ["run_id", "event_id", "sample_id", "type", "data", "created_by", "created_at"];

function describe(record: JsonObject, place: FilePlace, context: FormatContext): void {
  const run = Fields.of(record, place, context, OF_ALL_EVENTS);
  const spec = run.object("spec", ["run_config"]);
  const start = spec.text("created_at");
  const metadata = factsOf({
    eval_name: spec.text("eval_name"),
    base_eval: spec.text("base_eval"),
    split: spec.text("split"),
    completion_fns: spec.value("completion_fns"),
    created_by: spec.text("created_by"),
    // `run_id` is what the step calls the run of the workflow.
    eval_run_id: spec.text("run_id"),
  });
  const report = run.record("final_report");
  if (!run.end()) return;
  // RunSpec writes datetime.utcnow(), which has no zone.
  const inUtc = start === undefined || /(?:[Zz]|[+-]\d\d:?\d\d)$/.test(start) ? start : `${start}Z`;
  const times = inUtc === undefined ? undefined : { start: inUtc, fields: { start: "spec.created_at" } };
  if (spec.isThere) context.describeRun({ times, metadata });
  if (!report) return;
  // The texts and lists of the report are not scores.
  const summaryScores: SourceScore[] = [];
  for (const [key, value] of Object.entries(report)) {
    if (isScoreValue(value)) summaryScores.push({ key, value });
    else context.ledger.note(key, value, undefined, { path: "final_report" });
  }
  context.describeRun({ summaryScores });
}

interface EventTime {
  readonly text: string;
  readonly at: bigint;
}

/** One sample of an evaluation, put together from its events: of each only what the row needs is kept. */
class OpenaiSample {
  readonly #id: string;
  readonly #place: FilePlace;
  #prompt: JsonValue | undefined;
  #output: JsonValue | undefined;
  #expected: JsonValue | undefined;
  #picked: JsonValue | undefined;
  #error: string | undefined;
  #start?: EventTime;
  #end?: EventTime;
  #badTime?: string;
  readonly #outputs: JsonValue[] = [];
  readonly #matches: JsonValue[] = [];
  readonly #metrics = new Map<string, JsonValue[]>();
  readonly #words = new Map<string, JsonValue>();

  constructor(id: string, place: FilePlace) {
    this.#id = id;
    this.#place = place;
  }

  add(record: JsonObject, place: FilePlace, context: FormatContext): void {
    const event = Fields.of(record, place, context, OF_ALL_EVENTS);
    const [type, time] = [event.text("type"), event.text("created_at")];
    if (time !== undefined) this.#addTime(time);
    if (type === "sampling") this.#addSampling(event.object("data", ["options", "usage", "model"]));
    else if (type === "match") this.#addMatch(event.object("data", ["prompt", "options"]));
    else if (type === "raw_sample") {
      const data = event.object("data");
      const [input, ideal] = [data.value("input"), data.given("ideal")];
      this.#prompt ??= input;
      this.#expected ??= ideal;
    } else {
      const data = event.record("data") ?? {};
      if (type === "metrics") this.#addMetrics(data);
      else if (type === "error") this.#error ??= errorText(data);
      else context.ledger.note(`data of ${type ?? "no type"}`, data);
    }
    event.end();
  }

  row(): SourceRow {
    const match = this.#matches.length === 0 ? [] : [["match", this.#matches] as const];
    const [start, end] = [this.#badTime ?? this.#start?.text, this.#end?.text];
    return {
      place: this.#place,
      id: this.#id,
      // A sample that broke before it was asked has none.
      inputs: this.#prompt ?? {},
      expected: this.#expected,
      outputs: this.#output ?? this.#picked,
      scores: distinctScores([...match, ...this.#metrics].map(([key, values]) => ({ key, value: meanOf(values) }))),
      times: { start, end },
      error: this.#error,
      metadata: factsOf({
        ...Object.fromEntries(this.#words),
        all_outputs: this.#outputs.length > 1 ? this.#outputs : undefined,
      }),
    };
  }

  // The events of a sample stand in no order that its time would follow.
  #addTime(text: string): void {
    const at = readTime(text)?.microseconds;
    if (at === undefined) {
      // Checking the times of the row reports it.
      this.#badTime = text;
      return;
    }
    if (!this.#start || at < this.#start.at) this.#start = { text, at };
    if (!this.#end || at > this.#end.at) this.#end = { text, at };
  }

  /** The first prompt is that of the sample; a model that judges is asked by another one. */
  #addSampling(data: Fields): void {
    const [prompt, output] = [data.value("prompt"), onlyOf(data.given("sampled"))];
    if (output !== undefined) this.#outputs.push(output);
    this.#prompt ??= prompt;
    if (canonicalJson(prompt ?? null) === canonicalJson(this.#prompt ?? null)) this.#output = output;
  }

  #addMatch(data: Fields): void {
    const [correct, expected] = [data.value("correct"), data.given("expected")];
    const [sampled, picked] = [data.given("sampled"), data.given("picked")];
    if (correct !== undefined) this.#matches.push(correct);
    this.#expected ??= expected;
    this.#picked = onlyOf(sampled) ?? picked;
  }

  #addMetrics(metrics: JsonObject): void {
    for (const [key, value] of Object.entries(metrics)) {
      if (isScoreValue(value)) this.#metrics.set(key, [...(this.#metrics.get(key) ?? []), value]);
      else this.#words.set(key, value);
    }
  }
}

/** `sampled` is a list of completions, of one as a rule. */
function onlyOf(sampled: JsonValue | undefined): JsonValue | undefined {
  return isJsonList(sampled) && sampled.length === 1 ? sampled[0] : sampled;
}

/** The mean of the numbers, where there is more than one; one value alone stays as it is. */
function meanOf(values: readonly JsonValue[]): JsonValue | undefined {
  if (values.length === 1) return values[0];
  const numbers = values.flatMap((value) => {
    return typeof value === "boolean" ? Number(value) : (numberIn(value) ?? []);
  });
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
