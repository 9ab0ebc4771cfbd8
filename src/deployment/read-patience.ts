import type { Clock } from "../http/clock.ts";
import { hasStatus, isTransient } from "../http/errors.ts";
import { poll } from "../http/poll.ts";
import type { Patience } from "./request.ts";
import type { TimedDeps } from "./deps.ts";

/**
 * How long a read may lag behind a write, milliseconds. A database replica is seconds behind, and a cache in front of a
 * service seldom keeps a response, even a 404, for longer than a minute; what does not show by then does not exist.
 */
export const READ_LAG_MILLISECONDS = 60_000;

/**
 * How long a control plane may be down while something is waited for, milliseconds. One that is updated is down for five
 * minutes; the last read that fails may begin just before it is back, and take half a minute.
 */
export const OUTAGE_MILLISECONDS = 360_000;

/** Why a read failed: the service is down, does not have what is read, or does not allow the read. */
type Kind = "denied" | "down" | "missing";

/**
 * How long reads of one thing may fail one after the other: in time, because the pauses between them are the caller's
 * choice.
 *
 * - A service that is down, or a gateway without one behind it: for as long as an outage may take.
 * - A 404 that names the thing: for as long as a read may lag. Then it was deleted.
 * - A 401 or 403: for as long, if it was allowed before. A service that says no to the first read will go on to.
 * - Everything else: not at all.
 */
export class ReadPatience {
  readonly #clock: Clock;
  readonly #ids: readonly string[];
  #hasRead: boolean;
  #failingSince: number | undefined;
  #kind: Kind | undefined;
  #kindSince = 0;

  /** `ids`: those that a service's own 404 names. `hasRead`: true if the thing was read before. */
  constructor(clock: Clock, { ids, hasRead }: { readonly ids: readonly string[]; readonly hasRead: boolean }) {
    this.#clock = clock;
    this.#ids = ids;
    this.#hasRead = hasRead;
  }

  /** A read succeeded. */
  end(): void {
    this.#hasRead = true;
    this.#failingSince = undefined;
    this.#kind = undefined;
  }

  /** True if it makes sense to read once more after this error. */
  tolerates(error: unknown): boolean {
    const kind = this.#kindOf(error);
    if (kind === undefined) return false;
    const now = this.#clock.now();
    this.#failingSince ??= now;
    // A 404 after an outage says nothing about the time before.
    if (kind !== this.#kind) this.#kindSince = now;
    this.#kind = kind;
    if (now - this.#failingSince >= OUTAGE_MILLISECONDS) return false;
    return kind === "down" || now - this.#kindSince < READ_LAG_MILLISECONDS;
  }

  #kindOf(error: unknown): Kind | undefined {
    if (hasStatus(error, 401, 403)) return this.#hasRead ? "denied" : undefined;
    if (hasStatus(error, 404)) {
      const text = error.details.join("\n").toLowerCase();
      return this.#hasRead && !this.#ids.some((id) => text.includes(id.toLowerCase())) ? "down" : "missing";
    }
    return isTransient(error) ? "down" : undefined;
  }
}

/** How to read what was written a moment ago. */
interface Search<Value> {
  readonly look: () => Promise<Value>;
  /** True for the value of a read that is up to date. */
  readonly isDone: (value: Value) => boolean;
  /** The timeout of the run, which may be shorter than a read may lag. */
  readonly patience: Wait;
}

/** How patiently something is waited for. */
export type Wait = Pick<Patience, "pollCapMilliseconds" | "timeoutMilliseconds">;

/**
 * Reads again until the value is up to date, for as long as reads may lag; a 404 counts as stale. A service that is down is
 * waited for, within the time of the run. Returns the last value; throws the error of the last read if there is none.
 */
export async function readPastLag<Value>(
  { look, isDone, patience: wait }: Search<Value>,
  { clock, random, signal, emit, timeLimit }: TimedDeps,
): Promise<Value> {
  let failure = new Error("Nothing was looked at.");
  let last: { readonly value: Value } | undefined;
  const start = clock.now();
  const patience = new ReadPatience(clock, { ids: [], hasRead: false });
  await poll<Value>({
    look: async () => {
      last = { value: await look() };
      patience.end();
      return last.value;
    },
    isDone: (value) => isDone(value) || clock.now() - start >= READ_LAG_MILLISECONDS,
    stateOf: () => "",
    isTransient: (error) => patience.tolerates(error),
    onTransient: (error) => {
      // An earlier "not found" proves nothing once a later read has failed.
      if (last?.value === undefined) last = undefined;
      failure = error instanceof Error ? error : new Error(String(error));
      emit({ type: "look-failed", message: failure.message });
    },
    timeoutMilliseconds: Math.min(wait.timeoutMilliseconds, timeLimit.forLooks()),
    capMilliseconds: wait.pollCapMilliseconds,
    clock,
    random,
    signal,
  });
  if (!last) throw failure;
  return last.value;
}
