import type { ByteSource } from "../../files/json/byte-source.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { FAULT } from "../../files/json/faults.ts";
import { JsonFault } from "../../files/json/json-fault.ts";
import { decodeJson } from "../../files/json/parsed-value.ts";
import { peekJson, type JsonPeek } from "../../files/json/peek.ts";
import { isJsonObject } from "../../files/json-object.ts";
import { TRACE_FORMATS, type TraceFormat } from "../format-names.ts";

/** How a file holds its runs. */
export interface FileForm {
  readonly format: TraceFormat;
  /** Values a line, a list of values, or one value over many lines. */
  readonly layout: "lines" | "list" | "one";
}

const HEAD_BYTES = 256 * 1024;
const MOST_KEYS = 12;
const OTLP_KEYS = ["resourceSpans", "resourceLogs", "resourceMetrics"];
const RUN_KEYS = ["run_type", "trace_id", "dotted_order", "start_time", "end_time", "parent_run_id"];
// The bytes 1f 8b 08, of which the second is no UTF-8.
const GZIP = "\u001f\ufffd\b";
const FILES_ADVICE = "Let `traces` lead to files of traces only.";
const FORMAT_ADVICE = `Name the format with \`format\`: ${TRACE_FORMATS.join(" or ")}.`;

/**
 * Tells the form of a file by its content; `format` undefined also tells the format by it. Throws DataFileError for
 * a file that is of none.
 */
export function formOf(source: ByteSource, format: TraceFormat | undefined): FileForm {
  const peek = peekJson(source);
  const lines = headLines(source);
  const ofLines = formatOfLines(lines);
  const chosen = format ?? formatOfKeys(peek.topKeys) ?? ofLines;
  if (chosen === undefined) throw untold(source.name, peek, lines);
  if (peek.kind === "array") return { format: chosen, layout: "list" };
  const isOne = chosen === "otlp" && ofLines === undefined && isOverLines(lines);
  return { format: chosen, layout: isOne ? "one" : "lines" };
}

function formatOfKeys(keys: readonly string[]): TraceFormat | undefined {
  if (OTLP_KEYS.some((key) => keys.includes(key))) return "otlp";
  return RUN_KEYS.some((key) => keys.includes(key)) ? "jsonl" : undefined;
}

/**
 * What the first line that tells it does, where half of the lines or more are objects: a broken line must not hide the
 * faults of the others, and a page of text with an example is no file of runs.
 */
function formatOfLines(lines: readonly string[]): TraceFormat | undefined {
  const whole = lines.filter((line) => line.startsWith("{") && line.endsWith("}"));
  const objects = whole.map(parsed).filter((value) => isJsonObject(value));
  if (2 * objects.length < lines.length) return undefined;
  return objects.map((object) => formatOfKeys(Object.keys(object))).find((told) => told !== undefined);
}

/** True for a file whose first line is not the whole of a value, as one that was written to be read by people. */
function isOverLines([first = "", ...others]: readonly string[]): boolean {
  return others.length > 0 && parsed(first) === undefined;
}

function parsed(line: string) {
  try {
    return decodeJson(Buffer.from(line));
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

function untold(file: string, { kind, topKeys, fault }: JsonPeek, lines: readonly string[]): DataFileError {
  if (lines.length === 0) return new DataFileError({ file }, FAULT.empty);
  if (fault !== undefined) return new DataFileError({ file, line: fault.line }, fault.fault);
  const untellable = "the format cannot be told";
  if (lines[0]?.startsWith(GZIP) === true) {
    return new DataFileError({ file }, `${untellable}: it is packed with gzip`, {
      advice: "Unpack it in a step before.",
    });
  }
  if (kind === "other") return new DataFileError({ file }, `${untellable}: it is no JSON`, { advice: FILES_ADVICE });
  const shown = topKeys.slice(0, MOST_KEYS).map((key) => JSON.stringify(key.slice(0, 60)));
  const what = shown.length === 0 ? "no keys" : `the keys ${shown.join(", ")}`;
  return new DataFileError({ file }, `${untellable}: JSON with ${what}`, {
    advice: `${FILES_ADVICE} ${FORMAT_ADVICE}`,
  });
}

/** The lines at the beginning of a file that are not blank; the last may be cut off. */
function headLines(source: ByteSource): readonly string[] {
  const head = Buffer.alloc(HEAD_BYTES);
  const opened = source.open();
  let length = 0;
  try {
    for (let count = -1; count !== 0 && length < head.length; length += count)
      count = opened.read(head.subarray(length));
  } finally {
    opened.close();
  }
  // A byte order mark is blank, too.
  const lines = head.toString("utf8", 0, length).split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}
