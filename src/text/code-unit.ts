/** UTF-8 needs at most three bytes for one unit of UTF-16. */
export const MOST_BYTES_OF_UNIT = 3;

/** The value of a hex digit in either case. */
export function hexDigit(code: number): number {
  return (code & 0x0f) + 9 * (code >> 6);
}
