import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { splitJsonArray } from "../../../files/json/array-split.ts";
import { memoryBytes } from "../../../files/json/byte-source.ts";
import { unicodeRefusal } from "../../../files/json/encoding.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import { quotedName } from "../../../text/quoted.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun, SourceScore } from "../../rows/source-row.ts";
import { INSPECT_LOG } from "./log-shape.ts";
import { KeptReferences } from "./attachments.ts";
import { sampleRow } from "./sample.ts";
import { listedValues } from "../shared/listed-values.ts";
import { compareCount } from "../shared/stated-count.ts";
import { isZip, zipEntries, type ZipEntry } from "../shared/zip-file.ts";
import { isJsonList, isJsonObject } from "../../../files/json-object.ts";
import { valueAt } from "../../rows/dotted-path.ts";

/** The logs of inspect_ai (0.3), as `.json` and as `.eval`, which is a zip. */
export const inspect: ResultFormat = {
  name: "inspect",
  // The writer begins with the journal; a zip that was packed again may begin with anything.
  detect: (file) => (isZip(file.head) ? [START, HEADER].some((name) => file.head.includes(name)) : isLog(file)),
  rows: (file, context) => (isZip(file.head) ? zipRows(file, context) : jsonRows(file, context)),
};

function isLog({ json }: ResultFile): boolean {
  if (json?.kind !== "object" || !json.topKeys.includes("version")) return false;
  const keys = json.keysAt(["eval"]);
  return ["task", "model", "dataset"].every((key) => keys.includes(key));
}

const START = "_journal/start.json";
const HEADER = "header.json";
const SAMPLE = /^samples\/.*\.json$/s;

function* jsonRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.describeRun({ tool: "inspect_ai" });
  const kept = new KeptReferences();
  let count = 0;
  const describe = (log: JsonValue) => {
    describeRun(file, context, log, count);
  };
  for (const { value, place } of listedValues(file, ["samples"], context, { rest: describe })) {
    count += 1;
    const row = sampleRow(value, place, { context, kept });
    if (row !== undefined) yield row;
  }
  kept.report(context);
}

async function* zipRows(file: ResultFile, context: FormatContext): AsyncGenerator<SourceRow, void, undefined> {
  context.describeRun({ tool: "inspect_ai" });
  const facts = new Map<string, JsonValue>();
  const kept = new KeptReferences();
  let count = 0;
  for await (const entry of zipEntries(file, (name) => name === START || name === HEADER || SAMPLE.test(name))) {
    if (!SAMPLE.test(entry.name)) {
      facts.set(entry.name, entryValue(file, entry));
      continue;
    }
    const place = { file: file.name, row: count + 1, path: `samples.${count++}` };
    const value = sampleValue(file, entry, context);
    const row = value === undefined ? undefined : sampleRow(value, place, { context, kept });
    if (row !== undefined) yield row;
  }
  kept.report(context);
  // A run that was killed has no header.
  const log = facts.get(HEADER) ?? facts.get(START);
  if (log === undefined) throw new DataFileError({ file: file.name }, `the zip has neither ${HEADER} nor ${START}`);
  describeRun(file, context, log, count);
}

function describeRun(file: ResultFile, context: FormatContext, log: JsonValue, found: number): void {
  context.ledger.look(INSPECT_LOG, log);
  context.describeRun(runOf(log));
  const reason = unfinished(log);
  if (reason !== undefined) {
    context.describeRun({ isComplete: false });
    context.warn(`${file.name} is the log of a run that ${reason}: samples may be missing.`);
  }
  const { path, count } = statedSamples(log);
  // A run that broke has samples beside those that it completed.
  const stated = reason !== undefined && count !== undefined && count < found ? undefined : count;
  compareCount({ name: `\`${path}\``, stated, found }, { file: file.name }, context);
}

function entryValue(file: ResultFile, { bytes, name }: ZipEntry): JsonValue {
  return located(file, name, () => {
    const refusal = unicodeRefusal(file.name, bytes);
    if (refusal !== undefined) throw refusal;
    return parseJsonValue(bytes, { file: file.name });
  });
}

// Up to here a sample is parsed at once. Larger ones are large by their events, which no row needs.
const WHOLE_SAMPLE_BYTES = 32 * 1024 * 1024;

/** The value of a sample; undefined after an error, because the other samples can still be read. */
function sampleValue(file: ResultFile, entry: ZipEntry, context: FormatContext): JsonValue | undefined {
  try {
    return entry.bytes.length <= WHOLE_SAMPLE_BYTES ? entryValue(file, entry) : valueWithoutEvents(file, entry);
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    context.fault(error.place, error.fault);
    return undefined;
  }
}

function valueWithoutEvents(file: ResultFile, entry: ZipEntry): JsonValue {
  return located(file, entry.name, () => {
    const split = splitJsonArray(memoryBytes(file.name, entry.bytes), ["events"]);
    let step = split.next();
    while (step.done !== true) step = split.next();
    if (step.value.isFound) return step.value.rest;
    throw new DataFileError({ file: file.name }, "a sample is larger than 32 MiB and has no list `events`");
  });
}

/** The lines of an entry are none of the file. */
function located<Result>(file: ResultFile, entry: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new DataFileError({ file: file.name }, `the entry ${quotedName(entry)} of the zip: ${error.fault}`, {
      cause: error,
    });
  }
}

/** What a log says about its run; what is missing or odd is left out, for no row depends on it. */
function runOf(log: JsonValue): SourceRun {
  const facts = Object.entries(FACTS).map(([key, path]): readonly [string, string | undefined] => [
    key,
    textAt(log, path),
  ]);
  const metadata = Object.fromEntries(facts.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])));
  // In whole seconds, cut off: the last samples end after `stats.completed_at`, so that the end is left to them.
  const field = START_FIELDS.find((path) => textAt(log, path) !== undefined) ?? "";
  const start = textAt(log, field);
  const version = textAt(log, "eval.packages.inspect_ai");
  const dataset = textAt(log, "eval.dataset.name");
  const scores = summaryScores(valueAt(log, "results.scores"));
  return {
    ...(version === undefined ? {} : { toolVersion: version }),
    ...(dataset === undefined ? {} : { datasetName: dataset }),
    ...(start === undefined ? {} : { times: { start, fields: { start: field } } }),
    ...(scores.length === 0 ? {} : { summaryScores: scores }),
    metadata: { ...metadata, status: textAt(log, "status") ?? KILLED },
  };
}

/** Why a run did not come to its end; undefined for one that did. */
function unfinished(log: JsonValue): string | undefined {
  return REASONS.get(textAt(log, "status") ?? KILLED);
}

/** How many samples a log says that it has; of one that did not come to its end how many were completed, at least. */
function statedSamples(log: JsonValue) {
  if (unfinished(log) !== undefined) return { path: COMPLETED, count: countAt(log, COMPLETED) };
  // A task that was drained has fewer than were planned.
  const logged = countAt(log, LOGGED);
  if (logged !== undefined) return { path: LOGGED, count: logged };
  const total = countAt(log, TOTAL);
  const stopped = valueAt(log, "results.early_stopping.early_stops");
  const count = total === undefined || !isJsonList(stopped) ? total : total - stopped.length;
  return { path: TOTAL, count };
}

const TOTAL = "results.total_samples";
const LOGGED = "results.logged_samples";
const COMPLETED = "results.completed_samples";

function countAt(log: JsonValue, path: string): number | undefined {
  const value = valueAt(log, path);
  return typeof value === "number" ? value : undefined;
}

// The journal of a run that was killed has no status yet; its `.json` has this one.
const KILLED = "started";
const REASONS: ReadonlyMap<string, string> = new Map([
  ["error", "ended with an error"],
  ["cancelled", "was cancelled"],
  [KILLED, "did not finish"],
]);

const START_FIELDS = ["stats.started_at", "eval.created"];

// `run_id` and `commit` are what the step calls those of the workflow.
const FACTS = {
  task: "eval.task",
  model: "eval.model",
  eval_run_id: "eval.run_id",
  eval_commit: "eval.revision.commit",
};

/** A text that is not empty: a run that was killed has empty times. */
function textAt(log: JsonValue, path: string): string | undefined {
  const value = valueAt(log, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * The means and other figures of the tool, as `scorer.metric`, or `scorer.key.metric` for a scorer with many values.
 */
function summaryScores(scores: JsonValue | undefined): readonly SourceScore[] {
  if (!isJsonList(scores)) return [];
  return scores.flatMap((score) => {
    const [scorer, name, reducer] = ["scorer", "name", "reducer"].map((key) => textAt(score, key));
    const metrics = valueAt(score, "metrics");
    if (name === undefined || !isJsonObject(metrics)) return [];
    const parts = [scorer === name ? undefined : scorer, name, reducer];
    return Object.entries(metrics).map(([metric, figure]) => ({
      key: [...parts, metric].filter((part) => part !== undefined).join("."),
      value: valueAt(figure, "value"),
    }));
  });
}
