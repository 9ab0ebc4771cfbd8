const LEAST_DIGITS = 3;
// Beyond it a difference is the rounding of a sum, and not one of scores.
const MOST_DIGITS = 10;
const EXACT_DIGITS = 17;

/** A count for a person: `7`, `12,400`. */
export function countText(count: number): string {
  return grouped(String(count));
}

/** A count of things whose plural ends in s: `1 row`, `12,400 rows`. */
export function countOf(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * A number for a person: three significant digits, the whole part in full, and as many more digits as it takes that a
 * number which is not whole does not look whole: `0.867`, `1`, `0.9996`, `1,234.5`.
 */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return "not a number";
  const whole = Math.trunc(Math.abs(value)).toString().length;
  for (let digits = Math.max(LEAST_DIGITS, whole); digits <= MOST_DIGITS; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (!Number.isInteger(rounded)) return grouped(String(rounded));
  }
  return grouped(String(Number(value.toPrecision(Math.max(MOST_DIGITS, Math.min(whole, EXACT_DIGITS))))));
}

/** A number beside another that it is not: with as many digits as it takes that the two do not look alike. */
export function numberBeside(value: number, other: number): string {
  if (value === other || numberText(value) !== numberText(other)) return numberText(value);
  for (let digits = LEAST_DIGITS + 1; digits < EXACT_DIGITS; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (rounded !== Number(other.toPrecision(digits))) return grouped(String(rounded));
  }
  return grouped(String(value));
}

// Not by Intl: its first NumberFormat costs a fifth of the start of a step.
function grouped(number: string): string {
  return number.replace(/^-?\d{4,}(?!\d*e)/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ","));
}
