import type { RuleNumber } from "./rule.ts";

const NUMBER = /^(-?\d+(?:\.\d+)?(?:e-?\d{1,2})?)(%|pp|ms|s|m)?$/;
const FACTOR = new Map([
  ["%", 0.01],
  ["pp", 0.01],
  ["s", 1_000],
  ["m", 60_000],
]);

const TIMES = new Set(["ms", "s", "m"]);

/** `90%` and `2pp` as parts of one, `3s` in milliseconds. */
export function parseNumber(text: string): (Omit<RuleNumber, "isRelative"> & { readonly unit: string }) | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const unit = match[2] ?? "";
  // Rounded to what was written: 7 * 0.01 is 0.07000000000000001.
  const value = Number((Number(match[1]) * (FACTOR.get(unit) ?? 1)).toPrecision(15));
  return Number.isFinite(value) ? { value, unit, isTime: TIMES.has(unit) } : undefined;
}
