/**
 * Bounds of a timeout, milliseconds. A week is more than any runner waits, and well below the 24.8 days
 * after which a timer of Node overflows.
 */
export const TIMEOUT_BOUNDS = { least: 100, most: 7 * 24 * 3_600_000 } as const;

const MILLISECONDS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Reads `90s`, `30m`, `1.5h` or a bare number of seconds; milliseconds, or undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text);
  if (match === null) return undefined;
  const unit = match[2] === "m" || match[2] === "h" ? match[2] : "s";
  return Math.round(Number(match[1]) * MILLISECONDS[unit]);
}

/** Reads an age: a duration, or days as `30d`; milliseconds, or undefined when the text is not an age. */
export function parseAge(text: string): number | undefined {
  const [, days] = /^(\d+(?:\.\d+)?)d$/.exec(text) ?? [];
  return days === undefined ? parseDuration(text) : Math.round(Number(days) * 24 * MILLISECONDS.h);
}

/** Writes milliseconds as a user would: whole hours as `24h`, else seconds as `0.1s`. */
export function writeDuration(milliseconds: number): string {
  const hours = milliseconds / MILLISECONDS.h;
  return hours >= 1 && Number.isInteger(hours) ? `${String(hours)}h` : `${String(milliseconds / MILLISECONDS.s)}s`;
}
