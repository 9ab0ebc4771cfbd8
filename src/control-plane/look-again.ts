import type { Clock } from "../http/clock.ts";
import type { Deadline } from "../http/deadline.ts";
import { hasStatus, HttpStatusError, isTransient } from "../http/errors.ts";
import { poll } from "../http/poll.ts";

const FIRST_PAUSE_MILLISECONDS = 1_000;

/**
 * How long a stale list may lack what was created, milliseconds. What does not show by then counts as not created, and
 * is created again.
 */
export const LIST_LAG_MILLISECONDS = 7_000;

/** What to look for after a failed write, and for how long. */
export interface Search<Found> {
  readonly look: () => Promise<Found | undefined>;
  /** The failure of the write; the server may have asked for a pause with it. */
  readonly failure: unknown;
  readonly patienceMilliseconds: number;
  readonly deadline: Deadline;
}

/**
 * Looks at once and then after pauses of 1, 2 and 4 s; what the last look does not find does not exist. Throws `failure`
 * if there is no time for the next pause, and the error of a look unless a later look succeeds.
 *
 * `poll` cannot do this: the server may have asked for a pause that is longer than the patience, which still allows one
 * more look, and running out of time is the failure of the write.
 */
export async function lookForWritten<Found>(search: Search<Found>): Promise<Found | undefined> {
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

const LONGEST_PAUSE_MILLISECONDS = 15_000;

/** How long a request may answer 404 because what it is about was created a moment ago. */
export interface Lag {
  /** Milliseconds; 0 when not given: a 404 is an error at once. */
  readonly lagMilliseconds?: number | undefined;
}

/** Sends a request again while it answers 404, for as long as that may be lag; then throws the 404. */
export async function retryPastLag<Result>(
  ask: () => Promise<Result>,
  { lagMilliseconds = 0, clock, signal }: Lag & { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result> {
  if (lagMilliseconds === 0) return await ask();
  let missing: unknown;
  const polled = await poll<Result>({
    look: ask,
    isDone: () => true,
    stateOf: () => "",
    isTransient: (error) => hasStatus(error, 404),
    onTransient: (error) => {
      missing = error;
    },
    timeoutMilliseconds: lagMilliseconds,
    capMilliseconds: LONGEST_PAUSE_MILLISECONDS,
    clock,
    signal,
  });
  if (!polled.done) throw missing;
  return polled.value;
}
