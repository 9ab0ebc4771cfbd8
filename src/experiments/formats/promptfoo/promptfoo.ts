import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { type JsonPeek, peekJson } from "../../../files/json/peek.ts";
import { type JsonValue, writeJsonValue } from "../../../files/json/value.ts";
import { readYaml } from "../../../files/yaml.ts";
import { textOf, type ResultFile } from "../../rows/result-file.ts";
import type { SourceRow, SourceRun } from "../../rows/source-row.ts";
import { lineRecord, linePieces } from "../shared/json-records.ts";
import { listedPieces, parsedPiece } from "../shared/listed-values.ts";
import { PromptfooColumns } from "./columns.ts";
import { promptfooRows, ROW_PLAN, skimmedRow } from "./row.ts";
import { isPromptfooTable, promptfooTableRows } from "./table.ts";
import { Fields } from "../shared/fields.ts";
import { ALL_OTHERS } from "../shared/ledger.ts";
import { factsOf } from "../shared/tool-values.ts";
import { compareCount } from "../shared/stated-count.ts";
import { memoryBytes } from "../../../files/json/byte-source.ts";
import { DataFileError } from "../../../files/json/errors.ts";

/** What `promptfoo eval -o` writes as JSON, YAML, JSONL and CSV (0.121): one row for each case, prompt and provider. */
export const promptfoo: ResultFormat = {
  tool: "promptfoo",
  detect: (file) => isDocument(file.json) || isLines(file.json) || isPromptfooYaml(file) || isPromptfooTable(file),
  rows: (file, context) => {
    if (isDocument(file.json)) return documentRows(file, context);
    if (isPromptfooYaml(file)) return yamlRows(file, context);
    return isLines(file.json) ? lineRows(file, context) : promptfooTableRows(file, context);
  },
};

const ROWS = ["results", "results"];

function isDocument(json: JsonPeek): boolean {
  if (json.kind !== "object") return false;
  const keys = json.keysAt(["results"]);
  // The rows may begin beyond what was looked at: long prompts stand before them.
  return keys.includes("version") && (keys.includes("prompts") || json.keysAt(ROWS).includes("gradingResult"));
}

// A file of one row looks like an object.
function isLines(json: JsonPeek): boolean {
  const keys = new Set(json.topKeys);
  return ["promptIdx", "testIdx", "gradingResult", "testCase"].every((key) => keys.has(key));
}

function* documentRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  let count = 0;
  const describe = (document: JsonValue) => {
    const whole = { file: file.name };
    const run = Fields.of(document, whole, context, ["vars", "runtimeOptions"]);
    const results = run.someObject("results", LEFT_OUT_OF_RESULTS);
    const stats = results.object("stats", ["tokenUsage", "evaluationDurationMs", "generationDurationMs"]);
    const description = run.object("config", ALL_OTHERS).value("description");
    // The file may be exported days later: `exportedAt` is not a time of the run.
    const [start, milliseconds] = [results.given("timestamp"), stats.number("durationMs")];
    const said: SourceRun = {
      toolVersion: run.object("metadata", LEFT_OUT_OF_METADATA).text("promptfooVersion"),
      description: typeof description === "string" && description !== "" ? description : undefined,
      times: start === undefined ? undefined : { start, milliseconds, fields: { start: "results.timestamp" } },
      metadata: factsOf({ evalId: run.text("evalId"), shareableUrl: run.text("shareableUrl") }),
    };
    // Only their sum: earlier versions count errors as failures, and people may grade rows anew in the viewer.
    const [successes, failures, errors = 0] = ["successes", "failures", "errors"].map((key) => stats.number(key));
    const stated = successes === undefined || failures === undefined ? undefined : successes + failures + errors;
    if (!run.end()) return;
    context.describeRun(said);
    compareCount({ name: COUNTS, stated, found: count }, whole, context);
  };
  const columns = PromptfooColumns.ofDocument(file);
  for (const { piece, place } of listedPieces(file, ROWS, { rest: describe, plan: ROW_PLAN })) {
    const value = skimmedRow(piece) ?? parsedPiece(piece, place, context);
    if (value === undefined) continue;
    count += 1;
    yield* promptfooRows(value, place, { columns, context });
  }
}

function* lineRows(file: ResultFile, context: FormatContext): Iterable<SourceRow> {
  const columns = PromptfooColumns.ofLines(file, context);
  for (const line of linePieces(file)) {
    const record = skimmedRow(line.piece) ?? lineRecord(line, file, context);
    if (record) yield* promptfooRows(record, line.place, { columns, context });
  }
}

const LEFT_OUT_OF_METADATA = ["nodeVersion", "platform", "arch", "exportedAt", "evaluationCreatedAt", "author"];
// The figures of a prompt are made of its rows.
const LEFT_OUT_OF_RESULTS = ["version", "prompts", "results"];
const COUNTS = "`results.stats.successes`, `failures` and `errors`";

/** True for what `promptfoo eval -o results.yaml` writes: the keys of its JSON, in that order. */
function isPromptfooYaml({ text, json }: ResultFile): boolean {
  return json.kind === "none" && /^evalId:.*\r?\nresults:\r?\n {2}version:/.test(text);
}

// The parser holds all of it many times over, at a few MB a second; JSON has no such limit.
const LARGEST = 8 * 1024 * 1024;
const ADVICE = "Let promptfoo write JSON: `-o results.json`.";

/** The rows of the same document as JSON; places in it are rows, not lines. */
async function* yamlRows(file: ResultFile, context: FormatContext): AsyncIterable<SourceRow> {
  const place = { file: file.name };
  if (file.size > LARGEST) throw new DataFileError(place, "the YAML is larger than 8 MiB", { advice: ADVICE });
  const reading = await readYaml(textOf(file), { largest: 2 * LARGEST });
  if (!reading.ok) {
    throw new DataFileError(place, `the file ${reading.faults[0] ?? "is not valid YAML"}`, { advice: ADVICE });
  }
  const bytes = memoryBytes(file.name, Buffer.from(writeJsonValue(reading.value)));
  yield* documentRows({ ...file, bytes, json: peekJson(bytes) }, context);
}
