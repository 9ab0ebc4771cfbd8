import { isJsonObject, type JsonObject, type JsonValue, writeJsonValue } from "../../files/json/value.ts";
import { setFields } from "../../contract/set-fields.ts";
import type { RowTimes } from "../rows/times.ts";
import { readScore, type Score } from "../rows/score.ts";
import { isExcelSerial, readStatedTime } from "../../files/source-time.ts";
import type { SourceRow } from "../rows/source-row.ts";
import type { RowScore } from "./score-tally.ts";
import { readResultRows, type ResultRow } from "../rows/result-row.ts";

/** A row that was checked, without its id. */
export interface ReadRow {
  readonly inputs: JsonObject;
  readonly expected: JsonObject | undefined;
  readonly scores: readonly Score[];
  readonly times: RowTimes;
  readonly hasError: boolean;
  /** The members of the row as they are sent, without braces, and without its id, its times and its metadata. */
  readonly members: string;
  /** Its inputs as they stand there. */
  readonly written: string;
  readonly metadata: JsonObject | undefined;
}

/**
 * Collects errors without a closure for each row, which would outlive it: V8 then takes 100 MB more for a large file.
 */
interface RowFindings {
  readonly faults: string[];
  /** How many of the faults are dates of a spreadsheet. */
  serials: number;
  naiveTimes: number;
}

/**
 * Reads a row of any format: wraps values that are not objects, checks scores and times. An empty error text is no
 * error: a format whose tool reports a failure without a reason supplies a text.
 */
export function readRow(source: SourceRow) {
  const found: RowFindings = { faults: [], serials: 0, naiveTimes: 0 };
  const { faults } = found;
  if (source.inputs === undefined) faults.push("inputs is missing");
  const inputs = wrapped(source.inputs ?? null, "input");
  const expected = optional(source.expected);
  const scores: Score[] = [];
  for (const score of source.scores) {
    const reading = readScore(score);
    if (reading.score) scores.push(reading.score);
    else faults.push(`the score ${JSON.stringify(score.key.slice(0, 200))} ${reading.fault}`);
  }
  const start = readTimeOf("start_time", source.times?.start, found);
  const end = readTimeOf("end_time", source.times?.end, found);
  const latency = readLatency(source.times?.milliseconds, found);
  // Two times are more exact than a latency.
  const times = { start, end, latency: start === undefined || end === undefined ? latency : undefined };
  const { naiveTimes } = found;
  // Dates of a spreadsheet alone leave only unclear when the row ran.
  if (faults.length > 0) return { row: undefined, faults, isUnclear: found.serials === faults.length, naiveTimes };
  const hasError = source.error !== undefined && source.error !== "";
  const written = writeJsonValue(inputs);
  const members = `"inputs":${written}${membersOf(source, { expected, scores })}`;
  const metadata = metadataOf(source, times);
  return {
    row: { inputs, expected, scores, times, hasError, members, written, metadata },
    faults,
    isUnclear: false,
    naiveTimes,
  };
}

/** The members behind the inputs, each with a comma before it. */
function membersOf(source: SourceRow, { expected, scores }: Pick<ReadRow, "expected" | "scores">): string {
  const outputs = optional(source.outputs);
  const { error = "", runName } = source;
  let members = "";
  if (expected) members += `,"expected_outputs":${writeJsonValue(expected)}`;
  if (outputs) members += `,"actual_outputs":${writeJsonValue(outputs)}`;
  const feedback: JsonObject[] = [];
  for (const score of scores) if (score.feedback) feedback.push(score.feedback);
  if (feedback.length > 0) members += `,"evaluation_scores":${writeJsonValue(feedback)}`;
  if (runName !== undefined) members += `,"run_name":${writeJsonValue(runName)}`;
  if (error !== "") members += `,"error":${writeJsonValue(error)}`;
  return members;
}

function metadataOf({ usage, cost, metadata }: SourceRow, { start, end }: RowTimes): JsonObject | undefined {
  const isMade = start === undefined || end === undefined;
  if (!usage && cost === undefined && !isMade) return metadata;
  return {
    ...setFields({ usage, cost }),
    ...metadata,
    ...(isMade ? { timestamp_source: "synthesized" } : {}),
  };
}

function optional(value: JsonValue | undefined): JsonObject | undefined {
  return value === undefined || value === null ? undefined : wrapped(value, "output");
}

/** The service takes objects only. */
function wrapped(value: JsonValue, key: "input" | "output"): JsonObject {
  return isJsonObject(value) ? value : { [key]: value };
}

function readTimeOf(name: string, value: JsonValue | undefined, found: RowFindings): bigint | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const { time, fault } = readStatedTime(value);
  if (!time) {
    found.faults.push(`${name} ${fault}`);
    if (isExcelSerial(value)) found.serials += 1;
  } else if (!time.zoned) found.naiveTimes += 1;
  return time?.microseconds;
}

function readLatency(milliseconds: number | undefined, { faults }: RowFindings): bigint | undefined {
  if (milliseconds === undefined || Number.isNaN(milliseconds)) return undefined;
  if (milliseconds >= 0 && milliseconds < Number.MAX_SAFE_INTEGER / 1000)
    return BigInt(Math.round(milliseconds * 1000));
  faults.push("the latency is negative or out of range");
  return undefined;
}

/** A row that was checked and taken, for a caller who looks at rows while they are read. */
export interface TakenRow {
  readonly source: SourceRow;
  readonly inputs: JsonObject;
  readonly expected: JsonObject | undefined;
  /** With those that have no number. */
  readonly scores: readonly RowScore[];
  readonly times: RowTimes;
  /** As it is sent: with usage and cost, and the case and repetition where the id of the row names neither. */
  readonly metadata: JsonObject | undefined;
  /** The same for all repetitions of a case: a UUID. */
  readonly caseKey: string;
}

/**
 * Gets each row that is taken, in the order of the files; a row that several files share comes once. Rows that are taken
 * verbatim do not come.
 */
export type TakeRow = (row: TakenRow) => void;

const MOST_FAULTS = 20;

/**
 * What is wrong with the first wrong rows of a list, for a report of a call that cannot be carried out anyway. Rows that
 * are made while they are read are not asked for: making them may take hours.
 */
export function faultsOfList(rows: unknown): readonly string[] {
  if (!Array.isArray(rows)) return [];
  const faults: string[] = [];
  const found = readResultRows(rows as readonly ResultRow[], ({ row }, message) => {
    faults.push(`row ${String(row)}: ${message}`);
  });
  if (Symbol.asyncIterator in found) return [];
  for (const source of found) {
    const wrong = source ? readRow(source).faults : [];
    for (const message of wrong) faults.push(`row ${String(source?.place.row)}: ${message}`);
    if (faults.length >= MOST_FAULTS) break;
  }
  return faults.slice(0, MOST_FAULTS);
}
