import { poll, type PollOptions, type PollResult } from "../../src/http/poll.ts";
import { SimulatedClock } from "../wire/clocks.ts";

/** A failed look after which another one makes sense. */
export const transient = new Error("transient");

/** What a poll did, and when, in milliseconds from its start. */
export interface Trace {
  readonly clock: SimulatedClock;
  readonly looks: number[];
  readonly changes: [state: string, at: number][];
  readonly beats: number[];
  readonly failures: number[];
  readonly cancel: AbortController;
}

/** A poll on a simulated clock that sees `script[look]`, and after the script its last entry. */
export function start(
  script: readonly (Error | string)[],
  change: (trace: Trace) => Partial<PollOptions<string>> = () => ({}),
): { readonly trace: Trace; readonly result: Promise<PollResult<string>> } {
  const clock = new SimulatedClock();
  const cancel = new AbortController();
  const trace: Trace = { clock, looks: [], changes: [], beats: [], failures: [], cancel };
  const result = poll<string>({
    look: async () => {
      trace.looks.push(clock.now());
      const seen = script[Math.min(trace.looks.length, script.length) - 1] ?? "";
      if (seen instanceof Error) throw seen;
      return seen;
    },
    isDone: (value) => value === "done",
    stateOf: (value) => value,
    onChange: (value, elapsed) => trace.changes.push([value, elapsed]),
    onHeartbeat: (_value, elapsed) => trace.beats.push(elapsed),
    isTransient: (error) => error === transient,
    onTransient: () => trace.failures.push(clock.now()),
    timeoutMilliseconds: 1_800_000,
    capMilliseconds: 10_000,
    clock,
    random: () => 0.5,
    signal: cancel.signal,
    ...change(trace),
  });
  return { trace, result };
}

/** The pauses between the looks. */
export function pauses({ looks }: Trace): readonly number[] {
  return looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
}
