import type {
  DatasetKey,
  ExperimentEvent,
  PlannedExperiment,
  ResultsRead,
  SentExperiment,
  UploadStatus,
} from "../../../src/experiments/events.ts";
import type { Reporter } from "../../report/reporters.ts";
import { uncertainWarning } from "./experiment-words.ts";

/** The body of an experiment that stands in a file. */
export interface WrittenRequest {
  readonly path: string;
  readonly bytes: number;
}

/** What is known about an upload so far; every text of it is as the files or the service gave it. */
export interface UploadFacts {
  readonly results?: ResultsRead;
  /** In order; a name may be taken, and then `sent` has the one that was free. */
  readonly planned: readonly PlannedExperiment[];
  readonly dataset?: DatasetKey;
  readonly written: readonly WrittenRequest[];
  /** In order. */
  readonly sent: readonly SentExperiment[];
  /** The name of the experiment that is being sent. */
  readonly sending?: string;
  /** How long all that was sent took together, milliseconds. */
  readonly sendingTook: number;
  readonly warnings: readonly string[];
  readonly ended?: {
    readonly status: UploadStatus;
    readonly milliseconds: number;
    readonly error: Error | undefined;
  };
}

type Mutable = {
  -readonly [Key in keyof UploadFacts]: UploadFacts[Key];
};

/** Writes down what happens, for whoever sums it up: the outputs and the job summary. */
export class Ledger implements Reporter<ExperimentEvent> {
  readonly name = "outputs";
  readonly #facts: Mutable = { planned: [], written: [], sent: [], sendingTook: 0, warnings: [] };

  get facts(): UploadFacts {
    return this.#facts;
  }

  report(event: ExperimentEvent): void {
    const facts = this.#facts;
    switch (event.type) {
      case "read":
        facts.results = event.results;
        break;
      case "planned":
        facts.planned = event.experiments;
        facts.dataset = event.dataset;
        break;
      case "request-written":
        facts.written = [...facts.written, event];
        break;
      case "upload-progress":
        facts.sending = event.name;
        break;
      case "sent":
        delete facts.sending;
        facts.sent = [...facts.sent, event.experiment];
        facts.sendingTook += event.milliseconds;
        if (event.experiment.status === "uncertain") this.#warn(uncertainWarning(event.experiment));
        break;
      case "warning":
        this.#warn(event.message);
        break;
      case "ended":
        facts.ended = event;
        break;
      default:
        // News that only a log has a use for.
        break;
    }
  }

  #warn(message: string): void {
    this.#facts.warnings = [...this.#facts.warnings, message];
  }
}
