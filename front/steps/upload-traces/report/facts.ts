import type { TraceEvent, TracesRead, TraceStatus, TraceSums } from "../../../../src/trace-files/events.ts";
import type { StepOutputs } from "../../../account/step-report.ts";

/** What is known about an upload so far. Its texts are foreign: they come from the files or the service. */
export interface TraceFacts {
  readonly read?: TracesRead;
  /** The file of a dry run. */
  readonly written?: { readonly path: string; readonly bytes: number };
  readonly progress?: { readonly sentRuns: number; readonly totalRuns: number };
  /** What is stored; without sums where only the number is known. */
  readonly sent?: { readonly runs: number; readonly sums: TraceSums | undefined; readonly milliseconds: number };
  /** The number of rejected runs and additions. */
  readonly rejected: number;
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
export const NO_FACTS: TraceFacts = { rejected: 0, warnings: [] };

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
      return { rejected: facts.rejected + 1 };
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

/** The outputs of the step, as its action.yml declares them. */
type OutputName =
  "error-count" | "rejected-count" | "request-path" | "run-count" | "trace-count" | "unsent-path" | "upload-status";

/** The outputs. The counts are of what is stored, or would be. */
export function outputsOf(facts: TraceFacts): StepOutputs<OutputName> {
  const { read, sent, rejected, written, unsentPath, ended } = facts;
  const isDry = ended?.status === "dry-run";
  const sums = isDry ? read?.sums : sent?.sums;
  return {
    values: {
      "run-count": isDry ? read?.sums.runs : sent?.runs,
      "trace-count": sums?.traces,
      "error-count": sums?.errors,
      "rejected-count": sent === undefined ? undefined : rejected,
      "upload-status": ended?.status ?? "failed",
      "unsent-path": unsentPath,
      "request-path": written?.path,
    },
  };
}
