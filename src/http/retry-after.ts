const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// The three forms of an HTTP-date: RFC 9110 §5.6.7.
const IMF_FIXDATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const RFC_850 = /^[A-Z][a-z]{5,8}, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

/**
 * The milliseconds that a Retry-After header asks to wait, 0 for a date in the past, `undefined` for anything that is
 * neither whole seconds nor an HTTP-date: RFC 9110 §10.2.3.
 */
export function retryAfterMilliseconds(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const date = httpDate(text, now);
  return date === undefined ? undefined : Math.max(0, date - now.getTime());
}

function httpDate(text: string, now: Date): number | undefined {
  const fixed = IMF_FIXDATE.exec(text);
  if (fixed !== null) return utc(fixed[3], fixed[2], fixed[1], fixed.slice(4, 7));
  const old = RFC_850.exec(text);
  if (old !== null) return utc(fullYear(Number(old[3]), now), old[2], old[1], old.slice(4, 7));
  const ascii = ASCTIME.exec(text);
  if (ascii !== null) return utc(ascii[6], ascii[1], ascii[2], ascii.slice(3, 6));
  return undefined;
}

// A two-digit year more than 50 years ahead means the past: RFC 9110 §5.6.7.
function fullYear(twoDigits: number, now: Date): number {
  const century = Math.floor(now.getUTCFullYear() / 100) * 100;
  const year = century + twoDigits;
  return year > now.getUTCFullYear() + 50 ? year - 100 : year;
}

function utc(
  year: string | number | undefined,
  monthName: string | undefined,
  day: string | undefined,
  time: readonly string[],
): number | undefined {
  const month = MONTHS.indexOf(monthName ?? "");
  const [hour = 0, minute = 0, second = 0] = time.map(Number);
  // 60 is a leap second.
  if (month < 0 || hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(Date.UTC(Number(year), month, Number(day), hour, minute, Math.min(second, 59)));
  return date.getUTCMonth() === month && date.getUTCDate() === Number(day) ? date.getTime() : undefined;
}
