import type { TraceEvent, TracesRead, TraceStatus, TraceSums } from "../../../src/trace-files/events.ts";

/** What is known about an upload so far. Its texts are foreign: they come from the files or the service. */
export interface TraceFacts {
  readonly read?: TracesRead;
  /** The file of a dry run. */
  readonly written?: { readonly path: string; readonly bytes: number };
  readonly progress?: { readonly sentRuns: number; readonly totalRuns: number };
  /** What is stored; without sums where only the number is known. */
  readonly sent?: { readonly runs: number; readonly sums: TraceSums | undefined; readonly milliseconds: number };
  /** How many runs the service refuses. */
  readonly refused: number;
  /** The file of the runs that are not stored. */
  readonly unsentPath?: string;
  readonly warnings: readonly string[];
  readonly ended?: {
    readonly status: TraceStatus;
    readonly milliseconds: number;
    readonly error: Error | undefined;
  };
}

/** The facts before the first event. */
export const NO_FACTS: TraceFacts = { refused: 0, warnings: [] };

/** The facts that an event changes. */
export function learn(event: TraceEvent, facts: TraceFacts): Partial<TraceFacts> | undefined {
  switch (event.type) {
    case "read":
      return { read: event.traces };
    case "request-written":
      return { written: event };
    case "upload-progress":
      return { progress: event };
    case "refused":
      return { refused: facts.refused + 1 };
    case "sent":
      return { sent: event };
    case "unsent-written":
      return { unsentPath: event.path };
    case "warning":
      return { warnings: [...facts.warnings, event.message] };
    case "ended":
      return { ended: event };
    default:
      // Only the log shows the others.
      return undefined;
  }
}
