export const BYTE = {
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** True for whitespace, which JSON allows between its tokens. */
export function isSpace(byte: number): boolean {
  return byte === BYTE.space || byte === BYTE.lineFeed || byte === BYTE.carriageReturn || byte === 0x09;
}

/** True for what ends a number or a word. */
export function endsScalar(byte: number): boolean {
  return isSpace(byte) || ENDS.has(byte);
}

/** Deeper than this no result is nested, and programs that walk a value recursively fail somewhere beyond. */
export const MAX_DEPTH = 1_000;

const { quote, comma, colon, openList, closeList, openObject, closeObject } = BYTE;
const ENDS: ReadonlySet<number> = new Set([quote, comma, colon, openList, closeList, openObject, closeObject]);

/** How many backslashes are right before `until`, counted back to `from`. */
export function backslashesBefore(bytes: Uint8Array, from: number, until: number): number {
  let at = until;
  while (at > from && bytes[at - 1] === BYTE.backslash) at--;
  return until - at;
}
