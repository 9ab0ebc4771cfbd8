import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../files/json/value.ts";
import type { ResultFile } from "../rows/result-file.ts";
import type { SourceRow } from "../rows/source-row.ts";
import { countOf } from "../../text/number.ts";
import { caseReader } from "./table/case-parts.ts";
import { errorText, factsOf, labelledScore } from "./shared/tool-values.ts";
import { Fields } from "./shared/fields.ts";
import type { LeftOut } from "./shared/ledger.ts";
import { namesIn } from "./shared/csv-file.ts";
import { toolRecords, type ToolRecord } from "./table/tool-record.ts";

/** The calls of an evaluation of Weave, as its page or its client exports them: JSON, JSON Lines or CSV. */
export const weave: ResultFormat = {
  tool: "weave",
  detect: (file) => {
    const names = namesIn(file);
    return (
      names.includes("op_name") &&
      names.includes("trace_id") &&
      (file.json.kind === "none"
        ? names.some((name) => name.startsWith("output.scores"))
        : file.json.keysAt(["output"]).includes("scores"))
    );
  },
  rows: readRows,
};

const EXAMPLE = ["inputs", "example"];
const OUTPUT = ["output", "output"];
const SCORES = ["output", "scores"];
const USAGE = ["summary", "usage"];
const OPERATION = "Evaluation.predict_and_score";

/** What an export has of a call besides; in CSV the names below these follow them, behind a dot. */
const LEFT_OUT_OF_CALL: LeftOut = {
  has: (name) => OF_CALL.has(name) || BELOW.some((prefix) => name.startsWith(`${prefix}.`)),
};
const OF_CALL: ReadonlySet<string> = new Set([
  ...["op_name", "trace_id", "project_id", "parent_id", "display_name", "deleted_at", "thread_id", "turn_id"],
  ...["wb_user_id", "wb_username", "wb_run_id", "wb_run_step", "wb_run_step_end", "storage_size_bytes"],
  ...["total_storage_size_bytes", "attributes", "inputs.self", "output.model_latency"],
]);
const BELOW = ["inputs.self", "attributes", "summary.weave", "summary.status_counts", "output.model_latency"];
/** The same in JSON, where they stand in objects: what is read of each, and what is left out. */
const PARTS: readonly (readonly [path: string, read: readonly string[], leftOut: readonly string[]])[] = [
  ["inputs", ["example", "model"], ["self"]],
  ["output", ["output", "scores"], ["model_latency"]],
  ["summary", ["usage"], ["weave", "status_counts"]],
];

/** Each case of an evaluation is one call of `predict_and_score`; the calls within it say the same again. */
function* readRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const partsOf = caseReader();
  let [others, references] = [0, 0];
  for (const record of toolRecords(file, context, LEFT_OUT_OF_CALL)) {
    const operation = record.value("op_name");
    if (typeof operation !== "string" || !operation.includes(OPERATION)) {
      others += 1;
      continue;
    }
    for (const [path, read, leftOut] of PARTS) {
      const part = record.look(path);
      if (!isJsonObject(part)) continue;
      const fields = Fields.of(part, { file: file.name, path }, context, leftOut);
      for (const key of read) fields.value(key);
      fields.end();
    }
    const example = valueAt(record, EXAMPLE);
    const reference = typeof example === "string" ? REFERENCE.exec(example)?.[1] : undefined;
    if (reference !== undefined) references += 1;
    const usage = leavesAt(record, USAGE).map(
      ([key, value]) => [key, record.score(`summary.usage.${key}`) ?? value] as const,
    );
    yield {
      place: record.place,
      id: reference,
      ...(isJsonObject(example) ? partsOf(example) : { inputs: example }),
      outputs: valueAt(record, OUTPUT),
      scores: leavesAt(record, SCORES).map(([key, value]) => ({
        key,
        ...labelledScore(record.score(`output.scores.${key}`) ?? value),
      })),
      times: { start: record.fact("started_at"), end: record.fact("ended_at") },
      error: errorText(record.fact("exception")),
      usage: usage.length === 0 ? undefined : Object.fromEntries(usage),
      metadata: factsOf({ call_id: record.fact("id"), model: valueAt(record, ["inputs", "model"]) }),
    };
  }
  if (references > 0) {
    const what = `${countOf(references, "row")} name an example that stays in Weave`;
    const advice = "export the calls with `inputs.example` expanded, to upload its inputs";
    context.warn(`${file.name}: ${what}: ${advice}.`);
  }
  if (others > 0) {
    const which = others === 1 ? "another operation" : "other operations";
    context.warn(`${file.name}: ${countOf(others, "call")} of ${which} than ${OPERATION} left out.`);
  }
}

/** A reference to a row of a dataset ends in the digest of the row, which is the same in every run. */
const REFERENCE = /^weave:\/\/\/.+\/attr\/rows\/id\/([^/]+)$/;

/** What stands at a path: in CSV the columns whose names begin with it, as an object. */
function valueAt(record: ToolRecord, [first = "", second = ""]: readonly string[]): JsonValue | undefined {
  const outer = record.value(first);
  if (isJsonObject(outer)) return outer[second] ?? undefined;
  const name = `${first}.${second}`;
  const whole = record.value(name);
  const below = record.names.flatMap((column): [string, JsonValue][] => {
    const value = column.startsWith(`${name}.`) ? record.value(column) : undefined;
    return value === undefined ? [] : [[column.slice(name.length + 1), value]];
  });
  return below.length === 0 ? whole : Object.fromEntries(below);
}

function leavesAt(record: ToolRecord, path: readonly string[]): readonly (readonly [string, JsonValue])[] {
  const value = valueAt(record, path);
  return isJsonObject(value) ? leavesOf(value, "") : [];
}

/** A scorer may give an object of scores: `exact.correct`. */
function leavesOf(scores: JsonObject, prefix: string): readonly (readonly [string, JsonValue])[] {
  return Object.entries(scores).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    return isJsonObject(value) ? leavesOf(value, `${name}.`) : [[name, value] as const];
  });
}
