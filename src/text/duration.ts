/** One amount: `90s`, `30m`, `1.5h`, or a bare number of seconds. */
const DURATION = /^\d+(?:\.\d+)?[smh]?$/;
/** The same, and days: `30d`. */
export const AGE = /^\d+(?:\.\d+)?[smhd]?$/;
/** Durations of Go: `90s`, `1h30m`. */
export const GO_DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;

const MILLISECONDS = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** Reads a duration in one of these forms; milliseconds, or undefined when the text does not have the form. */
export function parseDuration(text: string, form = DURATION): number | undefined {
  if (!form.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])?/g);
  return Math.round(
    parts.reduce((sum, [, count, unit = "s"]) => sum + Number(count) * (MILLISECONDS.get(unit) ?? 0), 0),
  );
}

/** Writes milliseconds as a user would: whole hours as `24h`, else seconds as `0.1s`. */
export function writeDuration(milliseconds: number): string {
  const hours = milliseconds / 3_600_000;
  return hours >= 1 && Number.isInteger(hours) ? `${String(hours)}h` : `${String(milliseconds / 1_000)}s`;
}

/** A duration for a person: `40 ms`, `0.2 s`, `4.5 s`, `48 s`, `2 min 5 s`, `1 h 2 min`. */
export function durationText(milliseconds: number): string {
  if (known(milliseconds) < 95) return `${String(Math.round(known(milliseconds)))} ms`;
  const tenths = Math.round(known(milliseconds) / 100);
  return tenths < 100 ? `${String(tenths / 10)} s` : elapsedText(milliseconds);
}

/** Time that has passed, in whole seconds: `0 s`, `34 s`, `1 min 12 s`. */
export function elapsedText(milliseconds: number): string {
  const seconds = Math.round(known(milliseconds) / 1_000);
  if (seconds < 60) return `${String(seconds)} s`;
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(seconds / 60);
  return joined(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

/** How long one answer took: `84 ms`, `1.2 s`. */
export function latencyText(milliseconds: number): string {
  const whole = Math.round(known(milliseconds));
  return whole < 1_000 ? `${String(whole)} ms` : durationText(whole);
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${String(large)} ${largeUnit}` : `${String(large)} ${largeUnit} ${String(small)} ${smallUnit}`;
}

// A clock that jumps must not print "-3 s" or "NaN s".
function known(milliseconds: number): number {
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}
