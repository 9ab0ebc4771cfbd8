import { isInstant, parseInstant } from "../contract/instant.ts";
import { ExactNumber, type JsonValue } from "./json/value.ts";

/** A time that a tool wrote. */
export interface SourceTime {
  /** Since 1970-01-01T00:00:00Z. */
  readonly microseconds: bigint;
  /** False for a text without a zone, which is taken as UTC. */
  readonly zoned: boolean;
}

// Numbers below are seconds, up to the year 5138; numbers above are milliseconds, from the year 1973 on.
const SECONDS_BELOW = 1e11;
// Milliseconds of 15 digits reach beyond the year 9999; longer numbers take long to read.
const NUMBER = /^\d{1,15}(?:\.\d+)?$/;

/**
 * Reads a time: a text of RFC 3339, or the seconds or milliseconds since the epoch; undefined for anything else, and
 * for what lies beyond the year 9999.
 */
export function readTime(value: JsonValue): SourceTime | undefined {
  if (typeof value === "number") return ofNumber(String(value));
  if (value instanceof ExactNumber) return ofNumber(value.text);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return NUMBER.test(text) ? ofNumber(text) : parseInstant(text);
}

// By its digits: a product of doubles could miss the microsecond.
function ofNumber(text: string): SourceTime | undefined {
  if (!NUMBER.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  const digits = Number(text) < SECONDS_BELOW ? 6 : 3;
  const finer = fraction.slice(0, digits).padEnd(digits, "0");
  const microseconds = BigInt(whole + finer);
  return isInstant(microseconds) ? { microseconds, zoned: true } : undefined;
}
