import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { numberIn } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import { errorText, factsOf } from "./shared/tool-values.ts";
import { Ledger, type LeftOut } from "./shared/ledger.ts";
import { isNeverScore } from "./table/column-names.ts";
import { hasNames, namesIn } from "./shared/csv-file.ts";
import { isIndex, toolRecords, type ToolRecord } from "./table/tool-record.ts";

/**
 * The records of TruLens, as `get_records_and_feedback()` gives them and pandas writes them. Many of its columns hold
 * numbers; a metric is one with columns about it beside, or one that no record of TruLens has, all of whose numbers are between 0
 * and 1.
 */
export const trulens: ResultFormat = {
  tool: "trulens",
  detect: (file) => hasNames(file, SIGNS),
  rows: function* (file, context) {
    const metrics = metricsOf(file, context);
    for (const record of toolRecords(file, context, LEFT_OUT_OF_RECORD)) {
      const [tokens, cost, id] = [record.score("total_tokens"), record.score("total_cost"), record.fact("input_id")];
      const error = errorText(record.fact("error"));
      yield {
        place: record.place,
        // That of a dataset's row; the id of the record is another in every run.
        id: typeof id === "string" || typeof id === "number" ? id : undefined,
        inputs: record.value("input"),
        expected: record.value("ground_truth_output"),
        outputs: record.answer("output", error !== undefined),
        scores: metrics(record).map((key) => ({ key, value: record.score(key) })),
        times: {
          start: record.fact("ts"),
          milliseconds: record.milliseconds("latency"),
        },
        error,
        usage: tokens === undefined ? undefined : { total_tokens: tokens },
        cost,
        metadata: factsOf(Object.fromEntries(ABOUT.map((name) => [name, record.fact(name)]))),
      };
    }
  },
};

const SIGNS = ["record_id", "app_id", "input", "output", "total_tokens"];
/** The calls of a metric, what it cost and whether more is better: a person may have dropped some of them. */
const BESIDE = /^(.+)(?:_calls| direction| feedback cost in .+)$/;

/** What a record has besides its metrics, and what is read of it. */
const OF_RECORD: ReadonlySet<string> = new Set([
  ...["app_id", "app_json", "type", "record_json", "cost_json", "perf_json", "eval_cost", "eval_cost_snowflake"],
  ...["num_events", "sampled", "sample_rate", "eval_decision_reason", "is_match", "total_tokens", "total_cost"],
  ...["latency", "events", "root_record_id", "run_name", "cost", "ground_truth_output"],
]);
const LEFT_OUT_OF_RECORD: LeftOut = { has: (name) => OF_RECORD.has(name) || BESIDE.test(name) };

/** Tells which columns of a record are metrics; looks through the whole file first where that is needed. */
function metricsOf(file: ResultFile, context: FormatContext): (record: ToolRecord) => readonly string[] {
  /** Of the columns that nothing else tells: whether all their numbers are between 0 and 1. */
  const others = new Map<string, boolean>();
  const names = namesIn(file);
  const stems = stemsOf(names);
  const quiet = { ...context, ledger: new Ledger(), fault: () => undefined, warn: () => undefined };
  try {
    const isNeeded = names.some((name) => isOther(name) && !stems.has(name));
    for (const record of isNeeded ? toolRecords(file, quiet) : []) {
      for (const name of record.names) {
        if (others.get(name) === false || !isOther(name)) continue;
        const number = numberIn(record.look(name));
        if (number !== undefined) others.set(name, number >= 0 && number <= 1);
      }
    }
  } catch (error) {
    // What breaks is told where the rows are read.
    if (!(error instanceof DataFileError)) throw error;
  }
  return (record) => {
    const beside = stemsOf(record.names);
    const isMetric = (name: string) => beside.has(name) || others.get(name) === true;
    return record.names.filter((name) => !LEFT_OUT_OF_RECORD.has(name) && isMetric(name));
  };
}

function stemsOf(names: readonly string[]): ReadonlySet<string | undefined> {
  return new Set(names.map((name) => BESIDE.exec(name)?.[1]));
}

/** True for a column that may be a metric as well as what a person joined to the records. */
function isOther(name: string): boolean {
  return !READ.has(name) && !LEFT_OUT_OF_RECORD.has(name) && !isIndex(name) && !isNeverScore(name);
}

const ABOUT: readonly string[] = ["app_name", "app_version", "record_id", "conversation_id", "tags", "cost_currency"];
const READ: ReadonlySet<string> = new Set([...ABOUT, "input", "output", "input_id", "error", "ts"]);
