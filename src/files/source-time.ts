import { isInstant, parseInstant, type Instant } from "../contract/instant.ts";
import { kindOf } from "./json/kind.ts";
import { ExactNumber, type JsonValue } from "./json/value.ts";

// Numbers below are seconds, up to the year 5138; numbers above are milliseconds, from the year 1973 on.
const SECONDS_BELOW = 1e11;
// Milliseconds of 15 digits reach beyond the year 9999; longer numbers take long to read.
const NUMBER = /^\d{1,15}(?:\.\d+)?$/;

/**
 * Reads a time: a text of RFC 3339, or the seconds or milliseconds since the epoch; undefined for anything else, and
 * for what lies beyond the year 9999.
 */
export function readTime(value: JsonValue): Instant | undefined {
  if (typeof value === "number") return ofNumber(String(value));
  if (value instanceof ExactNumber) return ofNumber(value.text);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return NUMBER.test(text) ? ofNumber(text) : parseInstant(text);
}

/** What a time may be, for a sentence that says that a value is none. */
export const TIME_FORMS = "write it as 2026-01-31T09:30:00Z, or as the seconds or milliseconds since 1970";

// Days since 1900: of the years 1954 to 2119. As seconds they would be hours of the first day of 1970.
const [FIRST_SERIAL, LAST_SERIAL] = [20_000, 80_000];

/** True for a date and time as Excel counts it, in days since 1900. */
export function isExcelSerial(value: JsonValue | undefined): boolean {
  const text = value instanceof ExactNumber ? value.text : value;
  if (typeof text !== "string" && typeof text !== "number") return false;
  // In a German table a comma stands before the time of day.
  const written = String(text).trim().replace(",", ".");
  return NUMBER.test(written) && Number(written) >= FIRST_SERIAL && Number(written) < LAST_SERIAL;
}

/** Reads a time that a person or a tool wrote as one; what is wrong with it is a clause without a subject. */
export function readStatedTime(
  value: JsonValue,
): { readonly time: Instant; readonly fault?: never } | { readonly time?: never; readonly fault: string } {
  if (isExcelSerial(value)) return { fault: `is a serial number of a date in Excel; ${TIME_FORMS}` };
  const time = readTime(value);
  return time ? { time } : { fault: `is ${kindOf(value)}, not a time; ${TIME_FORMS}` };
}

// By its digits: a product of doubles could miss the microsecond.
function ofNumber(text: string): Instant | undefined {
  if (!NUMBER.test(text)) return undefined;
  const [whole = "", fraction = ""] = text.split(".");
  const digits = Number(text) < SECONDS_BELOW ? 6 : 3;
  const finer = fraction.slice(0, digits).padEnd(digits, "0");
  const microseconds = BigInt(whole + finer);
  return isInstant(microseconds) ? { microseconds, zoned: true } : undefined;
}
