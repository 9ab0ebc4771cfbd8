import type {
  DatasetKey,
  ExperimentEvent,
  PlannedExperiment,
  ResultsRead,
  SentExperiment,
} from "../../../../src/experiments/events.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { ExperimentUnansweredError } from "../../../../src/experiment-upload/errors.ts";
import { COMMON_FACTS, learning } from "../../../account/event-table.ts";
import type { StepOutputs } from "../../../account/step-report.ts";

/** What is known about an upload so far. Its texts are foreign: they come from the files or the service. */
export interface UploadFacts {
  readonly results?: ResultsRead;
  /** In order; a name may be taken, and then `sent` has the one that was free. */
  readonly planned: readonly PlannedExperiment[];
  readonly dataset?: DatasetKey;
  /** The files that hold the bodies of experiments. */
  readonly written: readonly { readonly path: string; readonly bytes: number }[];
  /** In order. */
  readonly sent: readonly SentExperiment[];
  readonly sending?: string | undefined;
  /** How long all that was sent took together, milliseconds. */
  readonly sendingTook: number;
  readonly warnings: readonly string[];
  readonly ended?: Omit<Extract<ExperimentEvent, { readonly type: "ended" }>, "type">;
}

export const NO_FACTS: UploadFacts = { planned: [], written: [], sent: [], sendingTook: 0, warnings: [] };

export const learn = learning<ExperimentEvent, UploadFacts>({
  ...COMMON_FACTS,
  read: ({ results }) => ({ results }),
  planned: ({ experiments, dataset }) => ({ planned: experiments, dataset }),
  "request-written": (request, { written }) => ({ written: [...written, request] }),
  "upload-progress": ({ name }) => ({ sending: name }),
  sent: ({ experiment, milliseconds }, { sent, sendingTook }) => ({
    sending: undefined,
    sent: [...sent, experiment],
    sendingTook: sendingTook + milliseconds,
  }),
});

/** The name of the only experiment, or how many there are; undefined before one is known. */
export function subjectOf({ planned, sent }: UploadFacts): string | undefined {
  const count = Math.max(planned.length, sent.length);
  return count > 1 ? countOf(count, "experiment") : (sent[0] ?? planned[0])?.name;
}

/** The dataset as the service knows it, and else as it was asked for. */
export function datasetOf({ sent, dataset }: UploadFacts): DatasetKey {
  const keys = [...sent.map(({ datasetKey }) => datasetKey), ...(dataset ? [dataset] : [])];
  const isKnown = (text: string | undefined) => text !== undefined && text !== "";
  return { id: keys.map(({ id }) => id).find(isKnown), name: keys.map(({ name }) => name).find(isKnown) };
}

// A later step may take the scores into its `env`, and Linux starts no program with a variable of 128 KiB or more:
// MAX_ARG_STRLEN in binfmts.h.
const MOST_SCORE_BYTES = 100_000;

/**
 * The outputs. Of a split upload, ids, names and paths stand one a line, in order; an id that is not known is an empty
 * line. `scores` is JSON: `{"<key>":{"n":240,"mean":0.8666666666666667}}`; of rows that are split such an object for each
 * value.
 */
export function outputsOf(facts: UploadFacts): StepOutputs {
  const { results, ended, sent, planned, written } = facts;
  const dataset = datasetOf(facts);
  const scores = results && scoresOutput(results);
  // An experiment of another run may have the name of what was not sent.
  const named = ended?.status === "dry-run" ? planned : sent;
  // What may be stored is to be looked for by its name.
  const open = ended?.error instanceof ExperimentUnansweredError ? [ended.error.experimentName] : [];
  return {
    values: {
      "experiment-id": linesOf([...sent.map(({ id }) => id ?? ""), ...open.map(() => "")]),
      "experiment-name": linesOf([...named.map(({ name }) => name), ...open]),
      "dataset-id": dataset.id,
      "dataset-name": dataset.name,
      "upload-status": ended?.status ?? "failed",
      "row-count": results?.rows,
      "error-count": results?.errors,
      "missing-score-count": results?.missingScores,
      scores: scores?.text,
      "request-path": linesOf(written.map(({ path }) => path)),
    },
    warnings: scores?.warnings ?? [],
  };
}

// One text is handed on as it is; among several a line break would make two of one.
function linesOf(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : texts.map((text) => text.replace(/[\r\n]+/g, " ")).join("\n");
}

function scoresOutput({ scores: ofAll, parts }: ResultsRead) {
  const all = parts ?? [{ value: "", results: { scores: ofAll } }];
  const texts: string[] = [];
  let [bytes, written, count] = [2, 0, 0];
  for (const { value, results } of all) {
    const members: string[] = [];
    bytes += Buffer.byteLength(JSON.stringify(value)) + 4;
    for (const [key, { n, mean }] of results.scores) {
      const member = withKey(key, JSON.stringify({ n, mean }));
      count += 1;
      bytes += Buffer.byteLength(member) + 1;
      if (bytes <= MOST_SCORE_BYTES) members.push(member);
    }
    written += members.length;
    // A value may be as long as a cell.
    if (bytes > MOST_SCORE_BYTES && members.length === 0) continue;
    const json = `{${members.join(",")}}`;
    texts.push(parts ? withKey(value, json) : json);
  }
  const text = parts ? `{${texts.join(",")}}` : (texts[0] ?? "{}");
  const warning =
    `The output \`scores\` contains ${countText(written)} of ${countOf(count, "score")}: ` +
    "other steps could not receive a longer value.";
  return { text, warnings: written === count ? [] : [warning] };
}

/** Written by hand: an object would take a key like `__proto__` for something else, and numbers first. */
function withKey(key: string, json: string): string {
  return `${JSON.stringify(key)}:${json}`;
}
