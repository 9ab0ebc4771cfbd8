import { HttpStatusError, isTransient } from "../http/errors.ts";
import type { Deadline } from "../http/deadline.ts";

const FIRST_PAUSE_MILLISECONDS = 1_000;

/**
 * How long what was made may be missing from a list that lags behind, milliseconds: what does not show itself by then
 * is taken for not made, and would be made a second time if it were.
 */
export const LAG_MILLISECONDS = 7_000;

/** What is looked for after which failure, and for how long. */
export interface Search<Found> {
  readonly look: () => Promise<Found | undefined>;
  /** Why it must be looked for; the server may have asked for a pause with it. */
  readonly failure: unknown;
  readonly patienceMilliseconds: number;
  readonly deadline: Deadline;
}

/**
 * Not `poll`, whose pauses grow by the length of a wait: each look is a request that a failed write causes, and the
 * server may have asked for a longer pause than there is patience.
 *
 * Looks at once and then after pauses of 1, 2 and 4 s; what the last look does not find is not there. Throws the failure
 * when there is no time for the next pause, and what a look throws unless a later one makes up for it.
 */
export async function lookAgain<Found>(search: Search<Found>): Promise<Found | undefined> {
  const { look, failure, patienceMilliseconds, deadline } = search;
  const asked = failure instanceof HttpStatusError ? (failure.retryAfterMilliseconds ?? 0) : 0;
  for (let waited = 0; ;) {
    const isLast = waited >= patienceMilliseconds;
    try {
      const found = await look();
      if (found !== undefined || isLast) return found;
    } catch (error) {
      deadline.signal.throwIfAborted();
      if (isLast || !isTransient(error)) throw error;
    }
    const pause = waited === 0 ? Math.max(FIRST_PAUSE_MILLISECONDS, asked) : FIRST_PAUSE_MILLISECONDS + waited;
    if (!(await deadline.pause(pause))) throw failure;
    waited += pause;
  }
}
