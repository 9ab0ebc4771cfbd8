import { backslashesBefore, BYTE, endsScalar } from "./bytes.ts";

/**
 * Where the JSON value ends that begins at `at`, as far as its quotes and brackets show; -1 where the bytes end before, no
 * value begins there, a bracket closes another one, or it is nested too deep to be told in this way.
 */
export function valueEnd(bytes: Buffer, at: number): number {
  let depth = 0;
  // The brackets that are open, a bit for each: 1 for a list.
  let open = 0;
  for (let from = at; from < bytes.length;) {
    const byte = bytes[from] ?? 0;
    if (byte === BYTE.quote) {
      from = stringEnd(bytes, from);
      if (from < 0) return -1;
    } else if (byte === BYTE.openObject || byte === BYTE.openList) {
      if (++depth > MOST_DEPTH) return -1;
      open = (open << 1) | Number(byte === BYTE.openList);
      from++;
    } else if (byte === BYTE.closeObject || byte === BYTE.closeList) {
      if (depth === 0 || (open & 1) !== Number(byte === BYTE.closeList)) return -1;
      depth--;
      open >>>= 1;
      from++;
    } else if (depth === 0) {
      while (from < bytes.length && !endsScalar(bytes[from] ?? 0)) from++;
      return from > at ? from : -1;
    } else {
      from++;
      continue;
    }
    if (depth === 0) return from;
  }
  return -1;
}

/** Where the string ends that begins at `begin`; -1 where the bytes end before. */
export function stringEnd(bytes: Buffer, begin: number): number {
  const limit = Math.min(bytes.length, begin + SHORT_STRING_BYTES);
  for (let at = begin + 1; at < limit; at++) {
    const byte = bytes[at];
    if (byte === BYTE.quote) return at + 1;
    if (byte === BYTE.backslash) break;
  }
  for (let from = begin + 1; ;) {
    const quote = bytes.indexOf(BYTE.quote, from);
    if (quote < 0) return -1;
    if (backslashesBefore(bytes, from, quote) % 2 === 0) return quote + 1;
    from = quote + 1;
  }
}

const MOST_DEPTH = 32;
// Up to here a loop is faster than a call of Buffer.indexOf.
const SHORT_STRING_BYTES = 32;
