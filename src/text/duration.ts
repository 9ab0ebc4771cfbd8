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
