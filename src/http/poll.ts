import type { Clock } from "./clock.ts";

// What needs no build is live at once; then two pauses lead to the early pause, with which there are fewer looks than one
// in 3 s and news are usually, after half a pause, less than 2 s old.
const FIRST_MILLISECONDS = 200;
const GROWTH = 10;
const EARLY_MILLISECONDS = 3_300;
// Later the news are usually 4 % as old as the wait, whatever it waits for: `npm run bench -- polling`.
const SHARE_OF_WAIT = 0.08;
const HEARTBEAT_MILLISECONDS = 30_000;

export interface PollOptions<Value> {
  readonly look: () => Promise<Value>;
  readonly isDone: (value: Value) => boolean;
  /** What counts as the same state; a change is reported, and the next heartbeat is due 30 s later. */
  readonly stateOf: (value: Value) => string;
  readonly onChange?: (value: Value, elapsedMilliseconds: number) => void;
  /** Called about every 30 s while nothing changes, or as `heartbeatMilliseconds` says. */
  readonly onHeartbeat?: (value: Value | undefined, elapsedMilliseconds: number) => void;
  /** Milliseconds from one heartbeat to the next, in the state that was seen last; 30 s for undefined. */
  readonly heartbeatMilliseconds?: () => number | undefined;
  /** True for an error after which polling continues. */
  readonly isTransient: (error: unknown) => boolean;
  readonly onTransient?: (error: unknown) => void;
  readonly timeoutMilliseconds: number;
  /** The longest pause, milliseconds. */
  readonly capMilliseconds: number;
  readonly clock: Clock;
  readonly random?: (() => number) | undefined;
  readonly signal: AbortSignal;
}

/** How a wait ended, unless it failed. */
export type PollResult<Value> =
  | { readonly done: true; readonly value: Value; readonly elapsedMilliseconds: number }
  /** Timed out; `value` is the last state. */
  | { readonly done: false; readonly value: Value | undefined; readonly elapsedMilliseconds: number };

/** The one poll loop: reads at once, then with growing pauses, until the state is done or the time is over. */
export async function poll<Value>(options: PollOptions<Value>): Promise<PollResult<Value>> {
  const { clock, signal, timeoutMilliseconds, random = Math.random } = options;
  const start = clock.now();
  const elapsed = () => clock.now() - start;
  // When the last news or sign of life was.
  let beatAt = 0;
  const dueIn = () => beatAt + (options.heartbeatMilliseconds?.() ?? HEARTBEAT_MILLISECONDS) - elapsed();
  let last: { readonly value: Value; readonly state: string } | undefined;
  let pause = 0;
  for (;;) {
    try {
      const value = await options.look();
      const state = options.stateOf(value);
      if (state !== last?.state) {
        options.onChange?.(value, elapsed());
        beatAt = elapsed();
      }
      last = { value, state };
      if (options.isDone(value)) return { done: true, value, elapsedMilliseconds: elapsed() };
    } catch (error) {
      signal.throwIfAborted();
      if (!options.isTransient(error)) throw error;
      options.onTransient?.(error);
    }
    pause = nextPause(pause, elapsed(), options.capMilliseconds);
    const left = timeoutMilliseconds - elapsed();
    if (left <= 0) return { done: false, value: last?.value, elapsedMilliseconds: elapsed() };
    // One last read right at the end.
    // ±10 %, so that the runs of a matrix do not poll in step.
    const milliseconds = Math.min(pause * (0.9 + 0.2 * random()), left);
    const end = clock.now() + milliseconds;
    for (let rest = milliseconds; rest > 0; rest = end - clock.now()) {
      await clock.sleep(Math.max(1, Math.min(rest, dueIn())), signal);
      if (dueIn() > 0) continue;
      beatAt = elapsed();
      options.onHeartbeat?.(last?.value, elapsed());
    }
  }
}

/** The pause after one of `previous` milliseconds, `elapsed` milliseconds into the wait. */
export function nextPause(previous: number, elapsed: number, cap: number): number {
  const early = previous === 0 ? FIRST_MILLISECONDS : Math.min(previous * GROWTH, EARLY_MILLISECONDS);
  return Math.min(cap, Math.max(early, elapsed * SHARE_OF_WAIT));
}
