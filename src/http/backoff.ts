const FIRST_MILLISECONDS = 200;
const CAP_MILLISECONDS = 8_000;

/**
 * How long to wait before attempt `attempt + 1`: full jitter, so that many clients that failed together do not come
 * back together. What the server asks for (`hint`, milliseconds) is the least.
 */
export function backoffMilliseconds(attempt: number, hint: number | undefined, random: () => number): number {
  const ceiling = Math.min(CAP_MILLISECONDS, FIRST_MILLISECONDS * 2 ** attempt);
  return Math.max(hint ?? 0, random() * ceiling);
}
