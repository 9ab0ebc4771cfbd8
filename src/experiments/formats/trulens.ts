import type { ResultFormat } from "./shared/format.ts";
import type { JsonValue } from "../../files/json/value.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { errorText } from "./shared/error-text.ts";
import type { LeftOut } from "./shared/ledger.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { isNeverScore } from "./table/column-names.ts";
import { hasNames, isIndex, toolRecords, type ToolRecord } from "./table/tool-record.ts";

/**
 * The records of TruLens, as `get_records_and_feedback()` gives them and pandas writes them. Many of its columns hold
 * numbers; a metric is one with columns about it beside, or one that no record of TruLens has, with fractions.
 */
export const trulens: ResultFormat = {
  name: "trulens",
  detect: (file) => hasNames(file, SIGNS),
  rows: async function* (file, context) {
    context.describeRun({ tool: "trulens" });
    const metrics = new Metrics();
    for await (const record of toolRecords(file, context, LEFT_OUT_OF_RECORD)) yield rowOf(record, metrics.in(record));
  },
};

const SIGNS = ["record_id", "app_id", "input", "output", "total_tokens"];
/** The calls of a metric, what it cost and whether more is better: a person may have dropped some of them. */
const BESIDE = /^(.+)(?:_calls| direction| feedback cost in .+)$/;
const SECOND_MILLISECONDS = 1_000;

/** What a record has besides its metrics, and what is read of it. */
const OF_RECORD: ReadonlySet<string> = new Set([
  ...["app_id", "app_json", "type", "record_json", "cost_json", "perf_json", "eval_cost", "eval_cost_snowflake"],
  ...[
    "num_events",
    "sampled",
    "sample_rate",
    "eval_decision_reason",
    "is_match",
    "total_tokens",
    "total_cost",
    "latency",
  ],
  ...["events", "root_record_id", "run_name", "cost", "ground_truth_output"],
]);
const LEFT_OUT_OF_RECORD: LeftOut = { has: (name) => OF_RECORD.has(name) || BESIDE.test(name) };

/** Which columns of a file are metrics. */
class Metrics {
  readonly #are = new Map<string, boolean>();

  in(record: ToolRecord): readonly string[] {
    const beside = new Set(record.names.map((name) => BESIDE.exec(name)?.[1]));
    return record.names.filter((name) => this.#isMetric(name, record, beside));
  }

  #isMetric(name: string, record: ToolRecord, beside: ReadonlySet<string | undefined>): boolean {
    if (LEFT_OUT_OF_RECORD.has(name)) return false;
    if (beside.has(name)) return true;
    const known = this.#are.get(name);
    if (known !== undefined || READ.has(name) || isIndex(name) || isNeverScore(name)) return known ?? false;
    // The first number shows it: a metric of TruLens is between 0 and 1.
    const number = record.look(name);
    if (typeof number !== "number") return false;
    const is = number >= 0 && number <= 1;
    this.#are.set(name, is);
    return is;
  }
}

function rowOf(record: ToolRecord, metrics: readonly string[]): SourceRow {
  const [tokens, cost, id] = [record.score("total_tokens"), record.score("total_cost"), record.fact("input_id")];
  const error = errorText(record.fact("error"));
  const seconds = record.number("latency");
  return {
    place: record.place,
    // That of a dataset's row; the id of the record is another in every run.
    id: typeof id === "string" || typeof id === "number" ? id : undefined,
    inputs: record.value("input"),
    expected: record.value("ground_truth_output"),
    outputs: record.answer("output", error !== undefined),
    scores: metrics.map((key) => ({ key, value: record.score(key) })),
    times: {
      start: record.fact("ts"),
      milliseconds: seconds === undefined ? undefined : seconds * SECOND_MILLISECONDS,
    },
    error,
    usage: tokens === undefined ? undefined : { total_tokens: tokens },
    cost,
    metadata: metadataOf(
      undefined,
      Object.fromEntries(ABOUT.map((name): [string, JsonValue | undefined] => [name, record.fact(name)])),
    ),
  };
}

const ABOUT: readonly string[] = ["app_name", "app_version", "record_id", "conversation_id", "tags", "cost_currency"];
const READ: ReadonlySet<string> = new Set([...ABOUT, "input", "output", "input_id", "error", "ts"]);
