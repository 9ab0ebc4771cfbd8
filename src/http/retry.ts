import { millisecondsOf } from "../contract/instant.ts";
import { durationText } from "../text/duration.ts";
import type { Clock } from "./clock.ts";
import { hasStatus } from "./errors.ts";

const FIRST_MILLISECONDS = 200;
const CAP_MILLISECONDS = 8_000;
// A gateway responds with 404 while it has no service behind it.
const GATEWAY_MILLISECONDS = 1_000;
// Enough for seven requests that fail permanently. A success gives back the retry that brought it, or pays for a fifth of
// one, as in the token buckets of the AWS SDKs.
const MOST_RETRIES = 20;
const RETRIES_FOR_SUCCESS = 0.2;

/** An attempt has failed, and another one follows. */
export interface RetryNotice {
  readonly target: string;
  readonly attempt: number;
  readonly mostAttempts: number;
  readonly delayMilliseconds: number;
  readonly reason: string;
}

/** `GET https://host/path: status 503; attempt 2 of 4 in 1.2 s` */
export function retryText({ target, reason, attempt, mostAttempts, delayMilliseconds }: RetryNotice): string {
  const next = `attempt ${String(attempt + 1)} of ${String(mostAttempts)} in ${durationText(delayMilliseconds)}`;
  return `${target}: ${reason}; ${next}`;
}

export interface RetryDeps {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The one retry loop: works until an attempt succeeds. After a failed one, `pauseAfter` returns how many milliseconds to
 * wait before the next, or throws the error that ends the loop.
 */
export async function retry<Result>(
  work: (attempt: number) => Promise<Result>,
  pauseAfter: (error: unknown, attempt: number) => number | Promise<number>,
  { clock, signal }: RetryDeps,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      await clock.sleep(await pauseAfter(error, attempt), signal);
    }
  }
}

/** Tries once more, after a second, for one of these statuses: it may come from a gateway. */
export async function askTwice<Result>(
  ask: () => Promise<Result>,
  statuses: readonly number[],
  deps: RetryDeps,
): Promise<Result> {
  const pauseAfter = (error: unknown, attempt: number): number => {
    if (attempt === 1 && hasStatus(error, ...statuses)) return GATEWAY_MILLISECONDS;
    throw error;
  };
  return await retry(ask, pauseAfter, deps);
}

/**
 * How long to wait before attempt `attempt + 1`: full jitter, so that many clients that failed together do not come
 * back together. What the server asks for (`hint`, milliseconds) is the least.
 */
export function backoffMilliseconds(attempt: number, hint: number | undefined, random: () => number): number {
  const ceiling = Math.min(CAP_MILLISECONDS, FIRST_MILLISECONDS * 2 ** attempt);
  return Math.max(hint ?? 0, random() * ceiling);
}

/**
 * How many retries all requests of a client may still make together. A service that stumbles is helped by retries; one
 * that is down for minutes, while a wait keeps looking at it, only gets four times as many requests from them.
 */
export class RetryBudget {
  #left = MOST_RETRIES;

  /** Takes one retry; false if there is none left. */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** A request came through, after retries or at once. */
  refill({ retried }: { readonly retried: boolean }): void {
    this.#left = Math.min(MOST_RETRIES, this.#left + (retried ? 1 : RETRIES_FOR_SUCCESS));
  }
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// The three forms of an HTTP-date: RFC 9110 §5.6.7.
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

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

/**
 * When a server sent these headers, by its own clock, which the dates in them are of; `now` if they do not say. The clock
 * of this machine may be off by hours.
 */
export function sentAt(headers: Readonly<Record<string, string>>, now: Date): Date {
  const date = httpDate(headers["date"] ?? "", now);
  return date === undefined ? now : new Date(date);
}

function httpDate(text: string, now: Date): number | undefined {
  const found = HTTP_DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!found) return undefined;
  const { day, month = "", year = "", time = "" } = found;
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  const thisYear = now.getUTCFullYear();
  let years = Number(year) + (year.length === 2 ? thisYear - (thisYear % 100) : 0);
  // A two-digit year more than 50 years ahead means the past: RFC 9110 §5.6.7.
  if (year.length === 2 && years > thisYear + 50) years -= 100;
  // A leap second counts as the one before it.
  if (second > 60) return undefined;
  return millisecondsOf(years, MONTHS.indexOf(month) + 1, Number(day), hour, minute, Math.min(second, 59));
}
