/** A point in time as the wire writes it. */
export interface Instant {
  /** Since 1970-01-01T00:00:00Z; a bigint, because a number is not exact for all years. */
  readonly microseconds: bigint;
  /** False for a time without a zone, which the service takes as UTC. */
  readonly zoned: boolean;
}

// RFC 3339 §5.6 with its notes (lower case, a space for the T), and what ISO 8601 writers leave out: the zone, or its colon.
const FORM = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/;
const MINUTE_MS = 60_000;

/** Reads a time, exact to the microsecond (what is finer is cut off); undefined when the text is none. */
export function parseInstant(text: string): Instant | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, years, months, days, hours, minutes, seconds, fraction = "", zulu, sign, offsetHour, offsetMinute] = match;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  // RFC 3339 §5.7: a minute may have a leap second; it counts as the first second of the next minute.
  const [eastHours, eastMinutes] = [Number(offsetHour ?? 0), Number(offsetMinute ?? 0)];
  if (minute > 59 || hour > 23 || second > 60 || eastHours > 23 || eastMinutes > 59) return undefined;
  const midnight = dayOf(Number(years), Number(months), Number(days));
  if (midnight === undefined) return undefined;
  const offset = (eastHours * 60 + eastMinutes) * (sign === "-" ? -1 : 1);
  const milliseconds = midnight + (hour * 60 + minute - offset) * MINUTE_MS + second * 1000;
  const finer = Number(fraction.slice(0, 6).padEnd(6, "0"));
  return {
    microseconds: BigInt(milliseconds) * 1000n + BigInt(finer),
    zoned: zulu !== undefined || sign !== undefined,
  };
}

/** The time in UTC, with as many digits of the second as it needs: none, 3 or 6. */
export function formatInstant(microseconds: bigint): string {
  const finer = ((microseconds % 1000n) + 1000n) % 1000n;
  const text = new Date(Number((microseconds - finer) / 1000n)).toISOString();
  if (finer !== 0n) return `${text.slice(0, -1)}${String(finer).padStart(3, "0")}Z`;
  return text.replace(".000Z", "Z");
}

/** How many characters `formatInstant` writes for a time of the years that `parseInstant` reads, 1 to 9999. */
export function instantLength(microseconds: bigint): number {
  if (microseconds % 1_000_000n === 0n) return "1970-01-01T00:00:00Z".length;
  return microseconds % 1000n === 0n ? "1970-01-01T00:00:00.000Z".length : "1970-01-01T00:00:00.000000Z".length;
}

/** The instant of a clock that counts milliseconds since the epoch. */
export function instantOfMilliseconds(milliseconds: number): bigint {
  // Multiplied as a whole it would not be exact after the year 2255.
  const whole = Math.floor(milliseconds);
  return BigInt(whole) * 1000n + BigInt(Math.round((milliseconds - whole) * 1000));
}

// Midnight in milliseconds; undefined for a day that the calendar does not have.
function dayOf(year: number, month: number, day: number): number | undefined {
  if (year === 0) return undefined;
  // Date.UTC takes a year below 100 for one of the last century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}
