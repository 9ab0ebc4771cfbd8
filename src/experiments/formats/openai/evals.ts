import * as z from "zod";
import type { FormatContext, ResultFormat } from "../shared/format.ts";
import type { FilePlace } from "../../../files/json/errors.ts";
import { ExactNumber, type JsonObject } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceScore } from "../../rows/source-row.ts";
import { jsonLines } from "../shared/json-records.ts";
import { EVENT, isScoreValue, OpenaiSample } from "./sample.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { anyField, objectField, readShape, textField } from "../shared/shape.ts";

/** What `oaieval --record_path` writes (3.0): a line for each event, and one each for the run and its report. */
export const openaiEvals: ResultFormat = {
  name: "openai-evals",
  detect: ({ json }) => {
    const has = (...keys: readonly string[]) => keys.every((key) => json?.topKeys.includes(key) === true);
    return (json?.keysAt(["spec"]).includes("eval_name") ?? false) || has("run_id", "event_id", "sample_id", "data");
  },
  rows: readRows,
};

/**
 * The samples, in the order of their last events. The file is read twice: first to count the events of each sample, so
 * that then no more samples are held than are open at a time.
 */
function* readRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.describeRun({ tool: "openai-evals" });
  const left = countEvents(file, context);
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
    const event = readShape(EVENT, record, place, context);
    if (event !== undefined) sample.add(event);
    const count = (left.get(key) ?? 1) - 1;
    left.set(key, count);
    if (count > 0) continue;
    open.delete(key);
    left.delete(key);
    yield sample.row();
  }
}

function countEvents(file: ResultFile, context: FormatContext): Map<string, number> {
  const counts = new Map<string, number>();
  // Errors of a line are reported when it is read again.
  const silent = { ...context, fault: () => undefined };
  for (const { record } of jsonLines(file, silent)) {
    const id = sampleOf(record);
    if (id === undefined) continue;
    const key = keyOf(id, record);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
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

const RUN = z.object({
  spec: z
    .object({
      eval_name: textField,
      base_eval: textField,
      split: textField,
      completion_fns: anyField,
      run_id: textField,
      created_by: textField,
      created_at: textField,
    })
    .nullish(),
  final_report: objectField,
});

function describe(record: JsonObject, place: FilePlace, context: FormatContext): void {
  const run = readShape(RUN, record, place, context);
  if (run?.spec != null) {
    // `run_id` is what the step calls the run of the workflow.
    const { run_id: evalRunId, created_at: start, ...facts } = run.spec;
    context.describeRun({
      times: start == null ? undefined : { start: inUtc(start), fields: { start: "spec.created_at" } },
      metadata: metadataOf(undefined, { ...facts, eval_run_id: evalRunId }),
    });
  }
  if (run?.final_report != null) context.describeRun({ summaryScores: summaryOf(run.final_report) });
}

// RunSpec writes datetime.utcnow(), which has no zone.
function inUtc(time: string): string {
  return /(?:[Zz]|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`;
}

/** The numbers of the report; its texts and lists are not scores. */
function summaryOf(report: JsonObject): readonly SourceScore[] {
  return Object.entries(report)
    .filter(([, value]) => isScoreValue(value))
    .map(([key, value]) => ({ key, value }));
}
