import { listed } from "../../text/quoted.ts";
import type { RuleNumber } from "./rule.ts";

const NUMBER = /^(\$)?(-?\d+(?:\.\d+)?(?:e-?\d{1,2})?)(%|pp|ms|s|m)?$/;
const FACTOR = new Map([
  ["%", 0.01],
  ["pp", 0.01],
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
]);

export const UNITS = listed(
  [...FACTOR.keys()].map((unit) => `\`${unit}\``),
  { conjunction: "and" },
);

const TIMES = new Set(["ms", "s", "m"]);

/** `90%` and `2pp` as parts of one, `3s` in milliseconds, `$0.05` as it is. */
export function parseNumber(text: string): Omit<RuleNumber, "isRelative"> | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, money, digits, after] = match;
  if (money !== undefined && after !== undefined) return undefined;
  const unit = money ?? after ?? "";
  // Rounded to what was written: 7 * 0.01 is 0.07000000000000001.
  const value = Number((Number(digits) * (FACTOR.get(unit) ?? 1)).toPrecision(15));
  return Number.isFinite(value) ? { value, unit, isTime: TIMES.has(unit) } : undefined;
}
