import { RunsNotStoredError } from "../../../../../src/trace-files/errors.ts";
import type { TraceEvent, TracesRead, TraceStatus, TraceSums } from "../../../../../src/trace-files/events.ts";

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

export function read(fields: Partial<TracesRead> = {}, milliseconds = 100): TraceEvent {
  const files = [{ name: "traces/chat.jsonl", format: "jsonl", runs: 240, size: 1_800_000 }] as const;
  const traces = {
    files,
    sums: SUMS,
    additions: 0,
    sharedRuns: 0,
    movedRuns: 0,
    lostParents: 0,
    passedLines: 0,
    ...fields,
  };
  return { type: "read", traces, milliseconds };
}

export function sent(runs = 240, sums: TraceSums | undefined = SUMS): TraceEvent {
  return { type: "sent", runs, sums, milliseconds: 400 };
}

export function ended(status: TraceStatus, error?: Error): TraceEvent {
  return { type: "ended", status, milliseconds: 600, error };
}

export function progress(seconds: number, sentRuns: number): TraceEvent {
  return { type: "upload-progress", sentRuns, totalRuns: 240, milliseconds: 1_000 * seconds };
}

export const GOOD: readonly TraceEvent[] = [read(), sent(), ended("uploaded")];

export const DRY: readonly TraceEvent[] = [
  read(),
  { type: "request-written", path: "/tmp/request/runs.jsonl", bytes: 12_100 },
  ended("dry-run"),
];

const PLACE = { file: "traces/chat.jsonl", line: 12 };

/** 238 of 240 runs are stored, and 2 are rejected. */
export const PARTIAL: readonly TraceEvent[] = [
  read(),
  { type: "refused", run: { isAddition: false, id: "a", place: PLACE, reason: "too odd" } },
  { type: "refused", run: { isAddition: false, id: "b", place: PLACE, reason: "too odd" } },
  sent(238, { ...SUMS, runs: 238 }),
  { type: "unsent-written", path: "/tmp/unsent/runs.jsonl" },
  ended(
    "partial",
    new RunsNotStoredError(
      "238 of 240 runs are stored; the service rejected 2 runs.",
      [
        { place: PLACE, message: "run a: too odd" },
        { place: PLACE, message: "run b: too odd" },
      ],
      2,
      { advice: "Correct the errors that the service reports." },
    ),
  ),
];
