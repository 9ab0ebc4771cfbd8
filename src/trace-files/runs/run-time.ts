import { formatInstant } from "../../contract/instant.ts";
import type { JsonValue } from "../../files/json/value.ts";
import { readTime } from "../../files/source-time.ts";

/** A time of a run. */
export interface RunTime {
  /** Since 1970; exact until the year 2255. */
  readonly microseconds: number;
  /** ISO 8601: as the file has it, where it has a whole one. */
  readonly text: string;
}

const WHOLE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Reads a time: ISO 8601, of which one without a zone is UTC, or the seconds or milliseconds since 1970; undefined for
 * anything else, and for what does not lie between the years 1970 and 9999.
 */
export function readRunTime(value: JsonValue): RunTime | undefined {
  const time = readTime(value);
  if (time === undefined || time.microseconds < 0n) return undefined;
  const isWhole = typeof value === "string" && WHOLE.test(value);
  return { microseconds: Number(time.microseconds), text: isWhole ? value : formatInstant(time.microseconds) };
}
