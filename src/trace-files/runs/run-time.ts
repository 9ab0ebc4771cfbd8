import { formatInstant } from "../../contract/instant.ts";
import { ExactNumber, type JsonValue } from "../../files/json/value.ts";
import { readTime } from "../../files/source-time.ts";

export interface RunTime {
  /** Since 1970; exact until the year 2255. */
  readonly microseconds: number;
  /** ISO 8601; the text of the file where that is complete. */
  readonly text: string;
}

const COMPLETE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const NANOSECONDS = 1_000n;
// OTLP has 64 unsigned bits of nanoseconds, which end in the year 2554.
const MOST_NANOSECONDS = 2n ** 64n;

/**
 * Reads a time: ISO 8601 (UTC when it has no zone), or the seconds or milliseconds since 1970. Undefined for anything
 * else, and for a time outside the years 1970 to 9999.
 */
export function readRunTime(value: JsonValue): RunTime | undefined {
  const time = readTime(value);
  if (!time || time.microseconds < 0n) return undefined;
  const isComplete = typeof value === "string" && COMPLETE.test(value);
  return { microseconds: Number(time.microseconds), text: isComplete ? value : formatInstant(time.microseconds) };
}

/** Reads the nanoseconds since 1970 of a span and drops the last three digits; undefined for 0, which means no time. */
export function readNanoseconds(value: JsonValue | undefined): RunTime | undefined {
  const digits = typeof value === "number" ? String(value) : value instanceof ExactNumber ? value.text : value;
  if (typeof digits !== "string" || !/^\d{1,20}$/.test(digits)) return undefined;
  const nanoseconds = BigInt(digits);
  if (nanoseconds === 0n || nanoseconds >= MOST_NANOSECONDS) return undefined;
  const microseconds = nanoseconds / NANOSECONDS;
  return { microseconds: Number(microseconds), text: formatInstant(microseconds) };
}
