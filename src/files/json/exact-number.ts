/** True when a double holds a number as it is written, as far as digits go: 1.50 and 15e-1 are the same number. */
export function isExact(text: string): boolean {
  const again = String(Number(text));
  return again === text || significance(again) === significance(text);
}

/**
 * True when JSON of these bytes holds a number that a double cannot hold, or perhaps what only looks like one inside a
 * string. Up to 15 digits and two of an exponent each number is held, so that most texts are passed in a few hops.
 */
export function holdsInexactNumber(bytes: Buffer): boolean {
  const { length } = bytes;
  // One of three bytes in a row is looked at: no exponent with three digits can hide between two looks.
  for (let at = MIN_EXPONENT - 1; at < length; at += MIN_EXPONENT) {
    if (KIND[bytes[at] ?? 0] !== DIGIT) continue;
    let from = at;
    while (from > 0 && (KIND[bytes[from - 1] ?? 0] ?? 0) >= POINT) from--;
    let to = at + 1;
    while (to < length && (KIND[bytes[to] ?? 0] ?? 0) >= POINT) to++;
    const size = to - from;
    if (size >= MIN_DIGITS || (size >= MIN_EXPONENT && from > 0 && KIND[bytes[from - 1] ?? 0] === EXPONENT)) {
      while (from > 0 && KIND[bytes[from - 1] ?? 0] !== OTHER) from--;
      while (to < length && KIND[bytes[to] ?? 0] !== OTHER) to++;
      const isOutsideOfText =
        (from === 0 || BEFORE.has(bytes[from - 1] ?? 0)) && (to === length || BEHIND.has(bytes[to] ?? 0));
      if (isOutsideOfText && !isExact(bytes.toString("latin1", from, to))) return true;
    }
    at = to;
  }
  return false;
}

// A double holds each number of 15 digits, and no longer each one of 16: IEEE 754, binary64.
const MIN_DIGITS = 16;
// It holds no number from 1e309 on, and none below 5e-324.
const MIN_EXPONENT = 3;

// What a byte may be in a number. A table and no look beyond either end: this loop sees every row.
const [OTHER, EXPONENT, POINT, DIGIT] = [0, 1, 2, 3];
const KIND = new Uint8Array(256);
for (const byte of Buffer.from("eE+-")) KIND[byte] = EXPONENT;
for (const byte of Buffer.from("0123456789")) KIND[byte] = DIGIT;
KIND[0x2e] = POINT;

const BEFORE: ReadonlySet<number> = new Set(Buffer.from("[:, \t\r\n"));
const BEHIND: ReadonlySet<number> = new Set(Buffer.from("]}, \t\r\n"));

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** The significant digits and their exponent, the same for all ways to write a number; undefined if it is not a number. */
function significance(text: string): string | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const digits = whole + fraction;
  let from = 0;
  while (digits[from] === "0") from++;
  if (from === digits.length) return "0";
  let to = digits.length;
  while (digits[to - 1] === "0") to--;
  return `${digits.slice(from, to)}e${String(Number(exponent) - fraction.length + digits.length - to)}`;
}
