import type { FormatContext, ResultFormat } from "../shared/format.ts";
import { splitJsonArray } from "../../../files/json/array-split.ts";
import { memoryBytes } from "../../../files/json/byte-source.ts";
import { unicodeRefusal } from "../../../files/json/encoding.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import { quoted } from "../../rows/quoted-name.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { runOf, statedSamples, unfinished } from "./run.ts";
import { sampleRow } from "./sample.ts";
import { listedValues } from "../shared/listed-values.ts";
import { compareCount } from "../shared/stated-count.ts";
import { isZip, zipEntries, type ZipEntry } from "../shared/zip-file.ts";

/** The logs of inspect_ai (0.3), as `.json` and as `.eval`, which is a zip. */
export const inspect: ResultFormat = {
  name: "inspect",
  detect: (file) => (isZip(file.head) ? hasLogEntry(file) : isLog(file)),
  rows: (file, context) => (isZip(file.head) ? zipRows(file, context) : jsonRows(file, context)),
};

function isLog({ json }: ResultFile): boolean {
  if (json?.kind !== "object" || !json.topKeys.includes("version")) return false;
  const keys = json.keysAt(["eval"]);
  return ["task", "model", "dataset"].every((key) => keys.includes(key));
}

// The writer begins with the journal; a zip that was packed again may begin with anything.
function hasLogEntry({ head }: ResultFile): boolean {
  return [START, HEADER].some((name) => head.includes(name));
}

const START = "_journal/start.json";
const HEADER = "header.json";
const SAMPLE = /^samples\/.*\.json$/s;

function* jsonRows(file: ResultFile, context: FormatContext): Generator<SourceRow, void, undefined> {
  context.tell({ tool: "inspect_ai" });
  let count = 0;
  const tellRun = (log: JsonValue) => {
    tell(file, context, log, count);
  };
  for (const { value, place } of listedValues(file, ["samples"], context, { rest: tellRun })) {
    count += 1;
    const row = sampleRow(value, place, context);
    if (row !== undefined) yield row;
  }
}

async function* zipRows(file: ResultFile, context: FormatContext): AsyncGenerator<SourceRow, void, undefined> {
  context.tell({ tool: "inspect_ai" });
  const facts = new Map<string, JsonValue>();
  let count = 0;
  for await (const entry of zipEntries(file, (name) => name === START || name === HEADER || SAMPLE.test(name))) {
    if (!SAMPLE.test(entry.name)) {
      facts.set(entry.name, entryValue(file, entry));
      continue;
    }
    const place = { file: file.name, row: count + 1, path: `samples.${count++}` };
    const value = sampleValue(file, entry, context);
    const row = value === undefined ? undefined : sampleRow(value, place, context);
    if (row !== undefined) yield row;
  }
  // A run that was killed has no header.
  const log = facts.get(HEADER) ?? facts.get(START);
  if (log === undefined) throw new DataFileError({ file: file.name }, `the zip has neither ${HEADER} nor ${START}`);
  tell(file, context, log, count);
}

function tell(file: ResultFile, context: FormatContext, log: JsonValue, found: number): void {
  context.tell(runOf(log));
  const reason = unfinished(log);
  if (reason !== undefined) context.warn(`${file.name} is the log of a run that ${reason}: samples may be missing.`);
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

/** The value of a sample; undefined after a fault, for each sample is a text of its own. */
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
    throw new DataFileError({ file: file.name }, "a sample has more than 32 MiB, and no list `events`");
  });
}

/** The lines of an entry are none of the file. */
function located<Result>(file: ResultFile, entry: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DataFileError)) throw error;
    throw new DataFileError({ file: file.name }, `the entry ${quoted(entry)} of the zip: ${error.fault}`, {
      cause: error,
    });
  }
}
