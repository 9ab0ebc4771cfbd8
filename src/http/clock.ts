import { setTimeout as timer } from "node:timers/promises";

/** Time, handed in so that waits can be simulated. */
export interface Clock {
  /** Milliseconds that only ever grow; the wall clock may jump. */
  now(): number;
  /** The wall clock, for HTTP dates and for what people read. */
  date(): Date;
  /**
   * Resolves after so many milliseconds.
   * @throws The reason of the signal, as soon as that fires.
   * @idempotence Sends nothing.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `ring` after so many milliseconds, unless what it returns is called before. */
  alarm(milliseconds: number, ring: () => void): () => void;
}

/** The longest time of a timer of Node, 24.8 days: a longer one would ring at once. */
export const LONGEST_TIMER_MILLISECONDS = 2 ** 31 - 1;

/** The time of this machine. A wait ends after 24.8 days at the latest. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: async (milliseconds, signal) => {
    signal?.throwIfAborted();
    try {
      await timer(Math.min(milliseconds, LONGEST_TIMER_MILLISECONDS), undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
  alarm: (milliseconds, ring) => {
    const timer = setTimeout(ring, Math.min(milliseconds, LONGEST_TIMER_MILLISECONDS));
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Waits for work, but not longer than so many milliseconds; false where it takes longer. */
export async function within(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const cancelAlarm = clock.alarm(milliseconds, () => {
    resolve(false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    cancelAlarm();
  }
}
