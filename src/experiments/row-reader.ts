import { ExactNumber, NOT_A_NUMBER, writeJsonValue, type JsonObject, type JsonValue } from "./json/value.ts";
import type { ResultPlace } from "./json/errors.ts";
import type { RowTimes } from "./row-times.ts";
import { kindOf, readScore, type Score } from "./score.ts";
import { readTime } from "./source-time.ts";
import type { SourceRow, SourceTimes } from "./source-row.ts";

/** A row that was checked, without its id. */
export interface ReadRow {
  readonly inputs: JsonObject;
  readonly expected: JsonObject | undefined;
  readonly scores: readonly Score[];
  readonly times: RowTimes;
  readonly hasError: boolean;
  /** The members of the row as they are sent, without braces, and without its id and its times. */
  readonly members: string;
}

/** Where the reading of rows tells what it found. */
export interface RowReaderDeps {
  readonly fault: (place: ResultPlace, message: string) => void;
  /** A time without a zone was read. */
  readonly naiveTime: () => void;
}

/** Reads a row of any format: wraps what is no object, checks scores and times; undefined after a fault, which is told. */
export function readRow(source: SourceRow, deps: RowReaderDeps): ReadRow | undefined {
  const { place } = source;
  const faults: string[] = [];
  const fault = (message: string) => {
    faults.push(message);
    deps.fault(place, message);
  };
  if (source.inputs === undefined) fault("inputs is absent");
  const inputs = wrapped(source.inputs ?? null, "input");
  const expected = optional(source.expected);
  const outputs = optional(source.outputs);
  const scores = readScores(source, fault);
  const times = readTimes(source.times ?? {}, { fault, naiveTime: deps.naiveTime });
  if (faults.length > 0) return undefined;
  const feedback = scores.flatMap((score) => score.feedback ?? []);
  const isMade = times.start === undefined || times.end === undefined;
  const metadata = isMade ? { ...source.metadata, timestamp_source: "synthesized" } : source.metadata;
  const hasError = source.error !== undefined && source.error !== "";
  const members = writeJsonValue({
    inputs,
    ...(expected === undefined ? {} : { expected_outputs: expected }),
    ...(outputs === undefined ? {} : { actual_outputs: outputs }),
    ...(feedback.length === 0 ? {} : { evaluation_scores: feedback }),
    ...(source.runName === undefined ? {} : { run_name: source.runName }),
    ...(hasError ? { error: source.error ?? "" } : {}),
    ...(metadata === undefined ? {} : { run_metadata: metadata }),
  }).slice(1, -1);
  return { inputs, expected, scores, times, hasError, members };
}

function optional(value: JsonValue | undefined): JsonObject | undefined {
  return value === undefined || value === null ? undefined : wrapped(value, "output");
}

/** service.md takes objects only. */
function wrapped(value: JsonValue, key: "input" | "output"): JsonObject {
  return isObject(value) ? value : { [key]: value };
}

function isObject(value: JsonValue): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return value !== NOT_A_NUMBER && !(value instanceof ExactNumber);
}

function readScores(source: SourceRow, fault: (message: string) => void): readonly Score[] {
  return source.scores.flatMap((score) => {
    const reading = readScore(score);
    if (reading.score !== undefined) return [reading.score];
    fault(`the score ${JSON.stringify(score.key.slice(0, 200))} ${reading.fault}`);
    return [];
  });
}

interface TimeDeps {
  readonly fault: (message: string) => void;
  readonly naiveTime: () => void;
}

function readTimes({ start, end, milliseconds }: SourceTimes, deps: TimeDeps): RowTimes {
  const read = (name: string, value: JsonValue | undefined) => {
    if (value === undefined || value === null || value === "") return undefined;
    const time = readTime(value);
    if (time === undefined) deps.fault(`${name} is ${kindOf(value)}, and no time`);
    else if (!time.zoned) deps.naiveTime();
    return time?.microseconds;
  };
  return { start: read("start_time", start), end: read("end_time", end), latency: readLatency(milliseconds, deps) };
}

function readLatency(milliseconds: number | undefined, { fault }: TimeDeps): bigint | undefined {
  if (milliseconds === undefined || Number.isNaN(milliseconds)) return undefined;
  if (milliseconds >= 0 && milliseconds < Number.MAX_SAFE_INTEGER / 1000)
    return BigInt(Math.round(milliseconds * 1000));
  fault("the latency is negative, or no number that a time can have");
  return undefined;
}
