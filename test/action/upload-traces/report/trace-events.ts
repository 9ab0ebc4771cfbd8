import type { TraceEvent, TracesRead, TraceStatus, TraceSums } from "../../../../src/trace-files/events.ts";

const FIRST = Date.UTC(2026, 4, 4, 9) * 1_000;

/** Sums of 240 runs in two sessions. */
export const SUMS: TraceSums = {
  traces: 21,
  runs: 240,
  errors: 3,
  tokens: 182_000,
  sessions: [
    {
      session: { name: "support-agent", id: undefined },
      traces: 20,
      runs: 237,
      errors: 3,
      tokens: 182_000,
      firstMicroseconds: FIRST,
      lastMicroseconds: FIRST + 151_000_000,
    },
    {
      session: { name: undefined, id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
      traces: 1,
      runs: 3,
      errors: 0,
      tokens: undefined,
      firstMicroseconds: FIRST,
      lastMicroseconds: FIRST + 2_000_000,
    },
  ],
  types: new Map([
    ["chain", { runs: 120, errors: 0, tokens: undefined }],
    ["llm", { runs: 120, errors: 3, tokens: 182_000 }],
  ]),
};

/** All files were read. */
export function read(fields: Partial<TracesRead> = {}, milliseconds = 100): TraceEvent {
  const files = [{ name: "traces/chat.jsonl", format: "jsonl", runs: 240, size: 1_800_000 }] as const;
  const traces = { files, sums: SUMS, additions: 0, sharedRuns: 0, lostParents: 0, passedLines: 0, ...fields };
  return { type: "read", traces, milliseconds };
}

/** So many runs are stored. */
export function sent(runs = 240, sums: TraceSums | undefined = SUMS): TraceEvent {
  return { type: "sent", runs, sums, milliseconds: 400 };
}

/** It is over. */
export function ended(status: TraceStatus, error?: Error): TraceEvent {
  return { type: "ended", status, milliseconds: 600, error };
}
