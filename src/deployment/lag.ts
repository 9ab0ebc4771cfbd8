import { hasStatus, isTransient } from "../http/errors.ts";
import { poll } from "../http/poll.ts";
import type { DeployDeps } from "./deps.ts";
import type { Patience } from "./request.ts";

/**
 * How long a read may lag behind a write, milliseconds. A copy of a database is seconds behind, and what stands before
 * a service seldom keeps an answer, a 404 too, for longer than a minute; what does not show by then is not there.
 */
export const LAG_MILLISECONDS = 60_000;

/**
 * How many looks in a row may fail for another reason than a 404. A control plane that is being updated may be away for
 * minutes; the time to wait bounds it in any case.
 */
export const TOLERATED_LOOKS = 20;

/** What was written a moment ago, and how to look for it. */
interface Search<Value> {
  readonly look: () => Promise<Value>;
  /** True for what a read that does not lag answers. */
  readonly isDone: (value: Value) => boolean;
  /** How patient the run is: what may take less time than reads may lag is not looked for any longer. */
  readonly patience: Pick<Patience, "pollCapMilliseconds" | "timeoutMilliseconds">;
}

/**
 * Looks again until a read has caught up, for as long as it may lag; a 404 is one that has not. Answers what was seen
 * last; throws the error of the last look when there is nothing to answer.
 */
export async function lookPastLag<Value>(
  { look, isDone, patience }: Search<Value>,
  { clock, random, signal, emit }: DeployDeps,
): Promise<Value> {
  let failure = new Error("Nothing was looked at.");
  let last: { readonly value: Value } | undefined;
  let failures = 0;
  await poll<Value>({
    look: async () => {
      last = { value: await look() };
      failures = 0;
      return last.value;
    },
    isDone,
    stateOf: () => "",
    isTransient: (error) => {
      const isMissing = hasStatus(error, 404);
      failures = isMissing ? 0 : failures + 1;
      return isMissing || (isTransient(error) && failures <= TOLERATED_LOOKS);
    },
    onTransient: (error) => {
      // That there was nothing is no answer once a later look has failed.
      if (last?.value === undefined) last = undefined;
      failure = error instanceof Error ? error : new Error(String(error));
      emit({ type: "look-failed", message: failure.message });
    },
    tolerated: Number.POSITIVE_INFINITY,
    timeoutMilliseconds: Math.min(LAG_MILLISECONDS, patience.timeoutMilliseconds),
    capMilliseconds: patience.pollCapMilliseconds,
    clock,
    random,
    signal,
  });
  if (last === undefined) throw failure;
  return last.value;
}
