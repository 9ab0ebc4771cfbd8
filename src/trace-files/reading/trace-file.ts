import { jsonTexts, splitJsonArray, type JsonPiece } from "../../files/json/array-split.ts";
import { fileBytes, fileSize, firstBytes, type ByteSource } from "../../files/json/byte-source.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { FAULT } from "../../files/json/faults.ts";
import { splitJsonLines } from "../../files/json/line-split.ts";
import { jsonValueOf, parseStorableJson } from "../../files/json/parsed-value.ts";
import { peekJson, type JsonPeek } from "../../files/json/peek.ts";
import { isJsonObject, type JsonValue } from "../../files/json/value.ts";
import type { FoundFile } from "../../files/find-files.ts";
import { spellings } from "../otlp/field.ts";
import { readOtlpPiece } from "../otlp/span.ts";
import type { TraceFormat } from "../request.ts";
import type { ReadingContext, SourceRun } from "../runs/source-run.ts";
import { refuseForeign } from "./foreign-trace.ts";
import { readJsonlRuns } from "./jsonl-run.ts";

/** A file of runs; it can be read more than once. */
export interface TraceFile {
  /** The name for messages. */
  readonly name: string;
  readonly format: TraceFormat;
  /** Bytes. */
  readonly size: number;
  /** All runs in order, with one line or element of the file in memory at a time. Throws DataFileError where it breaks. */
  readonly runs: (context: ReadingContext) => Iterable<SourceRun>;
}

const HEAD_BYTES = 256 * 1024;
const MOST_KEYS = 12;
const RESOURCES = spellings("resourceSpans");
const OTLP_KEYS = [...RESOURCES, ...["resourceLogs", "resourceMetrics"].flatMap(spellings)];
const RUN_KEYS = ["run_type", "trace_id", "dotted_order", "start_time", "end_time", "parent_run_id"];
// The bytes 1f 8b 08, of which the second is not valid UTF-8.
const GZIP = "\u001f\ufffd\b";

/**
 * Opens a file; without a format, that is detected by the content. `hasProject`: the user names the project, and a
 * `session_id` of the file does not count. Throws DataFileError for a file of neither format.
 */
export function openTraceFile(
  { path, name }: FoundFile,
  given: TraceFormat | undefined,
  hasProject: boolean,
): TraceFile {
  const size = fileSize(path, name);
  const bytes = fileBytes(path, { name, size });
  const { format, pieces, holds = "request" } = formOf(bytes, given);
  const runs = function* (context: ReadingContext) {
    for (const { bytes: piece, line } of pieces()) {
      const place = { file: name, line };
      let value: JsonValue;
      try {
        value = parseStorableJson(piece, place);
      } catch (error) {
        if (!(error instanceof DataFileError)) throw error;
        context.fault(format === "otlp" ? error.place : place, error.fault);
        continue;
      }
      if (format === "otlp") yield* readOtlpPiece(value, place, holds, context);
      else {
        yield* readJsonlRuns(value, piece, place, hasProject, (message) => {
          context.fault(place, message);
        });
      }
    }
  };
  return { name, size, format, runs };
}

/** How a file holds its runs. */
interface FileForm {
  readonly format: TraceFormat;
  readonly pieces: () => Generator<JsonPiece, unknown, undefined>;
  /** A request if not given. */
  readonly holds?: "resource";
}

function formOf(source: ByteSource, given: TraceFormat | undefined): FileForm {
  const peek = peekJson(source);
  // The lines at the beginning that are not blank; the last one may be incomplete. `trim` also removes a byte order mark.
  const head = firstBytes(source, HEAD_BYTES).toString("utf8").split("\n");
  const lines = head.map((line) => line.trim()).filter((line) => line !== "");
  // The format of the first line that has one, where at least half of the lines are objects: one broken line must not
  // hide the errors of the others, and a page of text with an example is not a file of runs.
  const whole = lines.filter((line) => line.startsWith("{") && line.endsWith("}"));
  const objects = whole.map(jsonValueOf).filter((value) => isJsonObject(value));
  const formats = objects.map((object) => formatOfKeys(Object.keys(object)));
  const ofLines = 2 * objects.length < lines.length ? undefined : formats.find((found) => found !== undefined);
  refuseForeign(source.name, peek);
  const format = given ?? formatOfKeys(peek.topKeys) ?? ofLines;
  if (format === undefined) throw undetected(source.name, peek, lines);
  if (peek.kind === "array") return { format, pieces: () => listPieces(source, []) };
  // The first line of a file may not be a complete value, e.g. where it is indented.
  const isOverLines = ofLines === undefined && lines.length > 1 && jsonValueOf(lines[0] ?? "") === undefined;
  if (!isOverLines) return { format, pieces: () => splitJsonLines(source) };
  if (format !== "otlp" || peek.kind === "texts") return { format, pieces: () => jsonTexts(source) };
  // One request over many lines may be of any size: its list is read piece by piece.
  const list = RESOURCES.find((key) => peek.topKeys.includes(key)) ?? "resourceSpans";
  return { format, pieces: () => listPieces(source, [list]), holds: "resource" };
}

function* listPieces(source: ByteSource, path: readonly string[]): Generator<JsonPiece, void, undefined> {
  const { isFound } = yield* splitJsonArray(source, path);
  if (!isFound)
    throw new DataFileError({ file: source.name }, `there is no list ${path.map((key) => `\`${key}\``).join()}`);
}

function formatOfKeys(keys: readonly string[]): TraceFormat | undefined {
  if (OTLP_KEYS.some((key) => keys.includes(key))) return "otlp";
  return RUN_KEYS.some((key) => keys.includes(key)) ? "jsonl" : undefined;
}

function undetected(file: string, { kind, topKeys, fault }: JsonPeek, lines: readonly string[]): DataFileError {
  if (lines.length === 0) return new DataFileError({ file }, FAULT.empty);
  if (fault) return new DataFileError({ file, line: fault.line }, fault.fault);
  const reason = "could not detect the format";
  if (lines[0]?.startsWith(GZIP) === true) {
    return new DataFileError({ file }, `${reason}: the file is compressed with gzip`, {
      advice: "Decompress it first.",
    });
  }
  if (kind === "other") return new DataFileError({ file }, `${reason}: it is not JSON`, { reasons: ["NOT_TRACES"] });
  const shown = topKeys.slice(0, MOST_KEYS).map((key) => JSON.stringify(key.slice(0, 60)));
  const what = shown.length === 0 ? "no keys" : `the keys ${shown.join(", ")}`;
  return new DataFileError({ file }, `${reason}: JSON with ${what}`, {
    reasons: ["NOT_TRACES", "FORMAT_UNKNOWN"],
  });
}
