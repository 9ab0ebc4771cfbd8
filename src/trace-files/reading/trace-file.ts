import { fileBytes, fileSize, type ByteSource } from "../../files/json/byte-source.ts";
import { splitJsonArray, type JsonPiece } from "../../files/json/array-split.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { splitJsonLines } from "../../files/json/line-split.ts";
import type { FoundFile } from "../../files/find-files.ts";
import { formOf, type FileForm } from "./file-form.ts";
import type { TraceFormat } from "../format-names.ts";
import { readJsonlRun } from "./jsonl-run.ts";
import { readOtlpPiece } from "../otlp/file.ts";
import type { ReadingContext, SourceRun } from "../runs/source-run.ts";

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
  const form = formOf(bytes, format);
  const runs = form.format === "otlp" ? otlpRuns : jsonlRuns;
  return { name, size, format: form.format, runs: (context) => runs(bytes, form, context) };
}

function* jsonlRuns(source: ByteSource, { layout }: FileForm, { fault }: ReadingContext) {
  const pieces = layout === "list" ? listPieces(source, []) : splitJsonLines(source);
  for (const { bytes, line } of pieces) {
    const place = { file: source.name, line };
    const run = readJsonlRun(bytes, place, (message) => {
      fault(place, message);
    });
    if (run !== undefined) yield run;
  }
}

function* otlpRuns(source: ByteSource, { layout }: FileForm, context: ReadingContext) {
  const isOne = layout === "one";
  const lines = layout === "list" ? listPieces(source, []) : splitJsonLines(source);
  for (const { bytes, line } of isOne ? listPieces(source, ["resourceSpans"]) : lines) {
    yield* readOtlpPiece(bytes, { file: source.name, line }, isOne ? "resource" : "request", context);
  }
}

function* listPieces(source: ByteSource, path: readonly string[]): Generator<JsonPiece, void, undefined> {
  const { isFound } = yield* splitJsonArray(source, path);
  if (!isFound)
    throw new DataFileError({ file: source.name }, `there is no list ${path.map((key) => `\`${key}\``).join()}`);
}
