import type { TraceEvent, TracesRead, TraceSums } from "../../../../src/trace-files/events.ts";
import { COMMON_FACTS, learning } from "../../../account/event-table.ts";
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
  readonly retries: number;
  readonly warnings: readonly string[];
  readonly ended?: Omit<Extract<TraceEvent, { readonly type: "ended" }>, "type">;
}

export const NO_FACTS: TraceFacts = { rejected: 0, retries: 0, warnings: [] };

export const learn = learning<TraceEvent, TraceFacts>({
  ...COMMON_FACTS,
  read: ({ traces }) => ({ read: traces }),
  "request-written": (written) => ({ written }),
  "upload-progress": (progress) => ({ progress }),
  refused: (_, { rejected }) => ({ rejected: rejected + 1 }),
  sent: (sent) => ({ sent }),
  "unsent-written": ({ path }) => ({ unsentPath: path }),
  retry: (_, { retries }) => ({ retries: retries + 1 }),
});

/** What is stored; of a dry run, what would be. */
export function sumsOf({ ended, read, sent }: TraceFacts): TraceSums | undefined {
  return ended?.status === "dry-run" ? read?.sums : sent?.sums;
}

/** The outputs, as action.yml declares them. The counts are of what is stored, or would be. */
export function outputsOf(facts: TraceFacts): StepOutputs {
  const { read, sent, rejected, written, unsentPath, ended } = facts;
  const sums = sumsOf(facts);
  return {
    values: {
      "run-count": ended?.status === "dry-run" ? read?.sums.runs : sent?.runs,
      "trace-count": sums?.traces,
      "error-count": sums?.errors,
      "rejected-count": sent && rejected,
      "upload-status": ended?.status ?? "failed",
      "unsent-path": unsentPath,
      "request-path": written?.path,
    },
  };
}
