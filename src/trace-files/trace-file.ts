import { fileBytes, fileSize, type ByteSource } from "../files/json/byte-source.ts";
import { splitJsonArray, type JsonPiece } from "../files/json/array-split.ts";
import { DataFileError } from "../files/json/errors.ts";
import { FAULT } from "../files/json/faults.ts";
import { JsonFault } from "../files/json/json-fault.ts";
import { splitJsonLines } from "../files/json/line-split.ts";
import { decodeJson } from "../files/json/parsed-value.ts";
import { peekJson, type JsonPeek } from "../files/json/peek.ts";
import type { FoundFile } from "../files/find-files.ts";
import { TRACE_FORMATS, type TraceFormat } from "./format-names.ts";
import { readJsonlRun } from "./jsonl-run.ts";
import { readOtlpPiece } from "./otlp-file.ts";
import type { ReadingContext, SourceRun } from "./source-run.ts";

const HEAD_BYTES = 256 * 1024;
const MOST_KEYS = 12;
const LINE_FEED = 0x0a;
const OTLP_KEYS = ["resourceSpans", "resourceLogs", "resourceMetrics"];
const RUN_KEYS = ["run_type", "trace_id", "dotted_order", "start_time", "parent_run_id"];

/** A file of runs; it can be read more than once. */
export interface TraceFile {
  /** The name for messages. */
  readonly name: string;
  readonly format: TraceFormat;
  /** Bytes. */
  readonly size: number;
  /** All runs in order, holding no more of the file than a line or an element. Throws DataFileError where it breaks. */
  readonly runs: (context: ReadingContext) => Generator<SourceRun, void, undefined>;
}

/** Opens a file; `format` undefined tells it by the content. Throws DataFileError for a file that is neither. */
export function openTraceFile({ path, name }: FoundFile, format: TraceFormat | undefined): TraceFile {
  const size = fileSize(path, name);
  const bytes = fileBytes(path, { name });
  const peek = peekJson(bytes);
  const chosen = format ?? chooseFormat(name, size, peek);
  const runs = chosen === "otlp" ? otlpRuns : jsonlRuns;
  return { name, size, format: chosen, runs: (context) => runs(bytes, peek, context) };
}

function chooseFormat(file: string, size: number, { kind, topKeys, fault }: JsonPeek): TraceFormat {
  const keys = new Set(topKeys);
  if (OTLP_KEYS.some((key) => keys.has(key))) return "otlp";
  if (RUN_KEYS.some((key) => keys.has(key))) return "jsonl";
  if (size === 0) throw new DataFileError({ file }, FAULT.empty);
  if (fault !== undefined) throw new DataFileError({ file, line: fault.line }, fault.fault);
  const shown = topKeys.slice(0, MOST_KEYS).map((key) => JSON.stringify(key.slice(0, 60)));
  const what =
    kind === "other" ? "it is no JSON" : `JSON with ${shown.length === 0 ? "no keys" : `the keys ${shown.join(", ")}`}`;
  throw new DataFileError({ file }, `the format cannot be told: ${what}`, {
    advice: `Name the format with \`format\`: ${TRACE_FORMATS.join(" or ")}.`,
  });
}

function* jsonlRuns(source: ByteSource, { kind }: JsonPeek, { fault }: ReadingContext) {
  const pieces = kind === "array" ? listPieces(source, []) : splitJsonLines(source);
  for (const { bytes, line } of pieces) {
    const place = { file: source.name, line };
    const run = readJsonlRun(bytes, place, (message) => {
      fault(place, message);
    });
    if (run !== undefined) yield run;
  }
}

function* otlpRuns(source: ByteSource, { kind }: JsonPeek, context: ReadingContext) {
  const isOne = kind !== "array" && isOverLines(source);
  const lines = kind === "array" ? listPieces(source, []) : splitJsonLines(source);
  for (const { bytes, line } of isOne ? listPieces(source, ["resourceSpans"]) : lines) {
    yield* readOtlpPiece(bytes, { file: source.name, line }, isOne ? "resource" : "request", context);
  }
}

function* listPieces(source: ByteSource, path: readonly string[]): Generator<JsonPiece, void, undefined> {
  const { isFound } = yield* splitJsonArray(source, path);
  if (!isFound)
    throw new DataFileError({ file: source.name }, `there is no list ${path.map((key) => `\`${key}\``).join()}`);
}

/** True for a file whose first line is not the whole of a value, as one that was written to be read by people. */
function isOverLines(source: ByteSource): boolean {
  const head = Buffer.alloc(HEAD_BYTES);
  const opened = source.open();
  let length = 0;
  try {
    for (let count = -1; count !== 0 && length < head.length; length += count)
      count = opened.read(head.subarray(length));
  } finally {
    opened.close();
  }
  const text = head.subarray(0, length);
  const begin = text.findIndex((byte) => byte > 0x20 && byte < 0x80);
  const end = text.indexOf(LINE_FEED, Math.max(0, begin));
  if (end < 0) return false;
  try {
    decodeJson(text.subarray(Math.max(0, begin), end));
    return false;
  } catch (error) {
    if (error instanceof JsonFault) return true;
    throw error;
  }
}
