import type {
  DatasetKey,
  ExperimentEvent,
  PlannedExperiment,
  ResultsRead,
  SentExperiment,
  UploadStatus,
} from "../../../src/experiments/events.ts";
import { countOf } from "../../../src/text/number.ts";
import { uncertainWarning } from "./words.ts";

/** The body of an experiment that stands in a file. */
export interface WrittenRequest {
  readonly path: string;
  readonly bytes: number;
}

/** What is known about an upload so far. Its texts are foreign: they come from the files or the service. */
export interface UploadFacts {
  readonly results?: ResultsRead;
  /** In order; a name may be taken, and then `sent` has the one that was free. */
  readonly planned: readonly PlannedExperiment[];
  readonly dataset?: DatasetKey;
  readonly written: readonly WrittenRequest[];
  /** In order. */
  readonly sent: readonly SentExperiment[];
  /** The name of the experiment that is being sent. */
  readonly sending?: string | undefined;
  /** How long all that was sent took together, milliseconds. */
  readonly sendingTook: number;
  readonly warnings: readonly string[];
  readonly ended?: {
    readonly status: UploadStatus;
    readonly milliseconds: number;
    readonly error: Error | undefined;
  };
}

/** The facts before the first event. */
export const NO_FACTS: UploadFacts = { planned: [], written: [], sent: [], sendingTook: 0, warnings: [] };

/** The facts that an event changes. */
export function learn(event: ExperimentEvent, facts: UploadFacts): Partial<UploadFacts> | undefined {
  switch (event.type) {
    case "read":
      return { results: event.results };
    case "planned":
      return { planned: event.experiments, dataset: event.dataset };
    case "request-written":
      return { written: [...facts.written, event] };
    case "upload-progress":
      return { sending: event.name };
    case "sent": {
      const { experiment, milliseconds } = event;
      const warnings = experiment.status === "uncertain" ? [uncertainWarning(experiment)] : [];
      return {
        sending: undefined,
        sent: [...facts.sent, experiment],
        sendingTook: facts.sendingTook + milliseconds,
        warnings: [...facts.warnings, ...warnings],
      };
    }
    case "warning":
      return { warnings: [...facts.warnings, event.message] };
    case "ended":
      return { ended: event };
    default:
      // Only the log shows the others.
      return undefined;
  }
}

/** The name of the only experiment, or how many there are; undefined before one is known. */
export function subjectOf({ planned, sent }: UploadFacts): string | undefined {
  const count = Math.max(planned.length, sent.length);
  return count > 1 ? countOf(count, "experiment") : (sent[0] ?? planned[0])?.name;
}

/** The dataset as the service knows it, and else as it was asked for. */
export function datasetOf({ sent, dataset }: UploadFacts): DatasetKey {
  const keys = [...sent.map((experiment) => experiment.dataset), ...(dataset === undefined ? [] : [dataset])];
  const isKnown = (text: string | undefined) => text !== undefined && text !== "";
  return { id: keys.map(({ id }) => id).find(isKnown), name: keys.map(({ name }) => name).find(isKnown) };
}
