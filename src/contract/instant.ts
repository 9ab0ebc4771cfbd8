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

/**
 * Reads a time, exact to the microsecond (what is finer is cut off); undefined when the text is not a time, or when the time
 * in UTC cannot be written as RFC 3339.
 */
export function parseInstant(text: string): Instant | undefined {
  const instant = parsePlain(text) ?? parseAnyForm(text);
  return instant && isInstant(instant.microseconds) ? instant : undefined;
}

const FIRST = -62_135_596_800_000_000n;
const LAST = 253_402_300_799_999_999n;

/** True for a time of the years 1 to 9999 in UTC: RFC 3339 has four digits for the year, and many readers no year 0. */
export function isInstant(microseconds: bigint): boolean {
  return microseconds >= FIRST && microseconds <= LAST;
}

const ZERO = 0x30;

// The form that most writers have, 1970-01-01T00:00:00.000Z, without a pattern: large files hold it a million times.
function parsePlain(text: string): Instant | undefined {
  const end = text.length - 1;
  if (text[10] !== "T" || text[end] !== "Z" || text[4] !== "-" || text[7] !== "-" || text[13] !== ":") return undefined;
  if (text[16] !== ":" || (end !== 19 && (text[19] !== "." || end < 21 || end > 26))) return undefined;
  const milliseconds = millisecondsOf(
    digits(text, 0, 4),
    digits(text, 5, 7),
    digits(text, 8, 10),
    digits(text, 11, 13),
    digits(text, 14, 16),
    digits(text, 17, 19),
  );
  const fraction = end === 19 ? 0 : digits(text, 20, end) * 10 ** (26 - end);
  if (milliseconds === undefined || Number.isNaN(fraction)) return undefined;
  return { microseconds: BigInt(milliseconds) * 1000n + BigInt(fraction), zoned: true };
}

/** The number that these digits are; NaN where one is not a digit. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = 10 * number + digit;
  }
  return number;
}

function parseAnyForm(text: string): Instant | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const milliseconds = millisecondsOf(year, month, day, hour, minute, second);
  const [fraction = "", zulu, sign, offsetHour, offsetMinute] = match.slice(7);
  const [eastHours, eastMinutes] = [Number(offsetHour ?? 0), Number(offsetMinute ?? 0)];
  if (milliseconds === undefined || eastHours > 23 || eastMinutes > 59) return undefined;
  const offset = (eastHours * 60 + eastMinutes) * (sign === "-" ? -1 : 1) * MINUTE_MS;
  const finer = Number(fraction.slice(0, 6).padEnd(6, "0"));
  return {
    microseconds: BigInt(milliseconds - offset) * 1000n + BigInt(finer),
    zoned: zulu !== undefined || sign !== undefined,
  };
}

const DAY_MS = 86_400_000;
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const DAYS_OF_400_YEARS = 146_097;

/** Milliseconds since the epoch of a time in UTC; undefined for one that no calendar or clock shows. */
export function millisecondsOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = (DAYS_OF_MONTH[month - 1] ?? 0) + (month === 2 && isLeap ? 1 : 0);
  // Not a number is neither. A minute may have a leap second, which counts as the first second of the next: RFC 3339 §5.7.
  if (!(year > 0 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 60)) return undefined;
  // Date.UTC takes a year below 100 for one of the last century; the calendar repeats itself after 400 years.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second) - DAYS_OF_400_YEARS * DAY_MS;
}

/** A time for which `isInstant` is true, in UTC, with as many digits of the second as it needs: none, 3 or 6. */
export function formatInstant(microseconds: bigint): string {
  const number = Number(microseconds);
  if (Number.isSafeInteger(number)) {
    const [second, fraction] = utcText(number);
    if (fraction === "000000") return `${second}Z`;
    return `${second}.${fraction.endsWith("000") ? fraction.slice(0, 3) : fraction}Z`;
  }
  const finer = ((microseconds % 1000n) + 1000n) % 1000n;
  const text = new Date(Number((microseconds - finer) / 1000n)).toISOString();
  if (finer !== 0n) return `${text.slice(0, -1)}${String(finer).padStart(3, "0")}Z`;
  return text.replace(".000Z", "Z");
}

/** How many characters `formatInstant` writes. */
export function instantLength(microseconds: bigint): number {
  const finer = Number(microseconds % 1_000_000n);
  if (finer === 0) return "1970-01-01T00:00:00Z".length;
  return finer % 1000 === 0 ? "1970-01-01T00:00:00.000Z".length : "1970-01-01T00:00:00.000000Z".length;
}

/** The instant of a clock that counts milliseconds since the epoch. */
export function instantOfMilliseconds(milliseconds: number): bigint {
  // Multiplied as a whole it would not be exact after the year 2255.
  const whole = Math.floor(milliseconds);
  return BigInt(whole) * 1000n + BigInt(Math.round((milliseconds - whole) * 1000));
}

const MICROSECONDS = 1_000_000;

// Runs start many times a second, and a date costs more than all the rest of a time: it is written once a second.
let written = { second: Number.NaN, text: "" };

/** `2024-01-02T01:04:05`, and the six digits of what is finer; microseconds since 1970, whole, and exact until 2255. */
export function utcText(microseconds: number): readonly [second: string, fraction: string] {
  const second = Math.floor(microseconds / MICROSECONDS);
  if (second !== written.second) written = { second, text: new Date(second * 1_000).toISOString().slice(0, 19) };
  return [written.text, String(microseconds - second * MICROSECONDS).padStart(6, "0")];
}
