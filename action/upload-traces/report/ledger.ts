import type { TraceEvent, TracesRead, TraceStatus, TraceSums } from "../../../src/trace-files/events.ts";
import type { Reporter } from "../../report/reporters.ts";

/** What is known about an upload so far; every text of it is as the files or the service gave it. */
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

type Mutable = {
  -readonly [Key in keyof TraceFacts]: TraceFacts[Key];
};

/** Writes down what happens, for whoever sums it up: the outputs and the job summary. */
export class Ledger implements Reporter<TraceEvent> {
  readonly name = "outputs";
  readonly #facts: Mutable = { refused: 0, warnings: [] };

  get facts(): TraceFacts {
    return this.#facts;
  }

  report(event: TraceEvent): void {
    const facts = this.#facts;
    switch (event.type) {
      case "read":
        facts.read = event.traces;
        break;
      case "request-written":
        facts.written = event;
        break;
      case "upload-progress":
        facts.progress = event;
        break;
      case "refused":
        facts.refused += 1;
        break;
      case "sent":
        facts.sent = event;
        break;
      case "unsent-written":
        facts.unsentPath = event.path;
        break;
      case "warning":
        facts.warnings = [...facts.warnings, event.message];
        break;
      case "ended":
        facts.ended = event;
        break;
      default:
        // News that only a log has a use for.
        break;
    }
  }
}
