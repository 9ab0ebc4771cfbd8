import type { ScoreSummary } from "../../../src/experiments/reading/score-tally.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import type { StepOutputs } from "../../report/step-report.ts";
import { datasetOf, type UploadFacts } from "./facts.ts";

/** The outputs of the upload, as its action.yml declares them. */
export const OUTPUT_NAMES = [
  "experiment-id",
  "experiment-name",
  "dataset-id",
  "dataset-name",
  "upload-status",
  "row-count",
  "error-count",
  "missing-score-count",
  "scores",
  "request-path",
] as const;

/** The name of an output. */
export type OutputName = (typeof OUTPUT_NAMES)[number];

// A later step may take the scores into its `env`, and Linux starts no program with a variable of 128 KiB or more:
// MAX_ARG_STRLEN in binfmts.h.
const MOST_SCORE_BYTES = 100_000;

/**
 * The value of every output, empty where it is not known. Of a split upload, ids, names and paths stand one a line, in
 * order; an id that is not known is an empty line. `scores` is JSON: `{"<key>":{"n":240,"mean":0.8666666666666667}}`.
 */
export function outputsOf(facts: UploadFacts): StepOutputs & { readonly values: Readonly<Record<OutputName, string>> } {
  const { results, ended, sent, planned, written } = facts;
  const dataset = datasetOf(facts);
  const scores = results === undefined ? { text: "", warnings: [] } : scoresOutput(results.scores);
  // An experiment of another run may have the name of what was not sent.
  const named = ended?.status === "dry-run" ? planned : sent;
  return {
    values: {
      "experiment-id": linesOf(sent.map(({ id }) => id ?? "")),
      "experiment-name": linesOf(named.map(({ name }) => name)),
      "dataset-id": dataset.id ?? "",
      "dataset-name": dataset.name ?? "",
      "upload-status": ended?.status ?? "failed",
      "row-count": results === undefined ? "" : String(results.rows),
      "error-count": results === undefined ? "" : String(results.errors),
      "missing-score-count": results === undefined ? "" : String(results.missingScores),
      scores: scores.text,
      "request-path": linesOf(written.map(({ path }) => path)),
    },
    warnings: scores.warnings,
  };
}

// One text is handed on as it is; among several a line break would make two of one.
function linesOf(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : texts.map((text) => text.replace(/[\r\n]+/g, " ")).join("\n");
}

function scoresOutput(scores: ReadonlyMap<string, ScoreSummary>) {
  const members: string[] = [];
  let bytes = 2;
  for (const [key, { n, mean }] of scores) {
    // Written by hand: an object would take a key like `__proto__` for something else, and numbers first.
    const member = `${JSON.stringify(key)}:${JSON.stringify({ n, mean })}`;
    bytes += Buffer.byteLength(member) + 1;
    if (bytes > MOST_SCORE_BYTES) break;
    members.push(member);
  }
  const left = scores.size - members.length;
  const warning =
    `The output \`scores\` contains ${countText(members.length)} of ${countOf(scores.size, "score")}: ` +
    "other steps could not receive a longer value.";
  return { text: `{${members.join(",")}}`, warnings: left === 0 ? [] : [warning] };
}
